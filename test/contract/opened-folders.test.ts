import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../src-main/contract/contract.ts';
import type { OperationSpec } from '../../src-main/contract/operation.ts';
import type { Principal } from '../../src-main/core/core.ts';
import { until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { addMember } from '../support/members.ts';
import { callBy } from '../support/principals.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../support/test-core.ts';

/** Inputs that contain a local path, and other inputs that the operation needs before it checks the path. */
const PATH_INPUTS: Partial<Record<OperationId, { field: string; others?: object }>> = {
  create_dataset: { field: 'bucket_path', others: { dataset_name: 'x' } },
  process_path: { field: 'path', others: { name: 'x' } },
  list_folder: { field: 'path' },
  preview_folder: { field: 'path' },
  add_media: { field: 's3_uri' },
  process_add_media: { field: 'path' },
  add_watched_folder: { field: 'path' },
  move_source: { field: 'path' },
  import_models: { field: 'path' },
  start_backup: { field: 'folder' },
  list_backups: { field: 'folder' },
  restore_dataset: { field: 'folder', others: { backup_id: '1' } },
  import_results: { field: 'location' },
  compute_on_ray: { field: 'location', others: { model_id: 'x' } },
};
const LOOKS_LIKE_A_PATH = /path|folder|uri$|location|directory/;

let admin: Principal;
let test: TestCore;
let open: string;
let closed: string;
let dataset: string;
let source: string;

const call = (id: OperationId, input: object) => test.core.invoke(id, input, callBy(admin)) as Promise<never>;
const opening = (folders: readonly string[]) => call('change_setting', { key: 'OPENED_FOLDERS', value: folders });
const ready = () =>
  until(
    () => test.call('get_dataset', { dataset_id: dataset }, admin),
    ({ status_new }) => status_new === 'READY',
  );

beforeAll(async () => {
  test = await createTestCore({ finished: atEnd, environment: { DISABLE_AUTH: 'false', RUN_MODE: 'ONPREM' } });
  admin = await addMember(test.data, 'boss', 'admin');
  open = await temporaryFolder(atEnd);
  closed = await temporaryFolder(atEnd);
  await writeImages(open, [1, 2]);
  await writeImages(closed, [3]);
  await opening([open]);
  ({ dataset_id: dataset } = await test.call('create_dataset', { dataset_name: 'x', bucket_path: open }, admin));
  await ready();
  const { sources } = await test.call('list_sources', { dataset_id: dataset }, admin);
  source = sources[0]?.source_id ?? '';
});

describe('on a shared server', () => {
  it('every operation with a path in its input is in the list above', () => {
    const withPath = Object.entries<OperationSpec>(operations)
      .filter(([, { input }]) => Object.keys(input.shape).some((field) => LOOKS_LIKE_A_PATH.test(field)))
      .map(([id]) => id)
      // The first opens a folder and reads none; the second compares names of folders with those of items; the paths of the third are
      // names of files that would be uploaded.
      .filter((id) => !['setup_first_admin', 'apply_review', 'preview_upload'].includes(id));
    expect(withPath.sort()).toEqual(Object.keys(PATH_INPUTS).sort());
  });

  it.each(Object.entries(PATH_INPUTS))(
    '%s refuses a folder that no admin has opened',
    async (id, { field, others }) => {
      const link = join(open, `way out of ${id}`);
      await symlink(closed, link);
      const input = { dataset_id: dataset, source_id: source, ...others };
      for (const path of [
        closed,
        `${closed}/not there`,
        `${open}/../..`,
        link,
        `${link}/..`,
        `file://${closed}`,
        '/',
      ]) {
        // Folders for backups are plain paths.
        if (path.startsWith('file:') && field === 'folder') continue;
        const refused = call(id as OperationId, { ...input, [field]: path });
        await expect(refused, path).rejects.toMatchObject({
          code: 'forbidden',
          message: expect.stringContaining('admin'),
        });
      }
    },
  );

  it('settings refuse programs and files in other folders', async () => {
    for (const key of ['FFMPEG_PATH', 'MODELS_CATALOGUE', 'BACKUP_FOLDER']) {
      await expect(call('change_setting', { key, value: closed })).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('links and lists in an open folder cannot lead out of it', async () => {
    const folder = join(open, 'more');
    await writeImages(folder, [4]);
    await symlink(join(closed, 'image-00003.jpg'), join(folder, 'linked.jpg'));
    await symlink(closed, join(folder, 'linked folder'));
    await test.call('add_media', { dataset_id: dataset, s3_uri: folder, auto_reindex: true }, admin);
    const { n_images } = await ready();
    expect(n_images).toBe(3);
    const list = join(open, 'list.txt');
    await writeFile(list, [join(closed, 'image-00003.jpg'), `../${basename(closed)}/image-00003.jpg`].join('\n'));
    await test.call('add_media', { dataset_id: dataset, s3_uri: list, auto_reindex: true }, admin);
    expect((await ready()).n_images).toBe(3);
    const { file_errors } = await test.call('list_file_errors', { dataset_id: dataset }, admin);
    expect(file_errors.map(({ reason }) => reason).sort()).toEqual([
      ...Array(2).fill(expect.stringContaining('The link leads out of the folders')),
      expect.stringContaining('The list names a file outside of the folders'),
    ]);
  });

  it('a folder is accepted once it is opened, and refused once it is closed', async () => {
    const listed = () => test.call('list_folder', {}, admin);
    expect(await listed()).toMatchObject({ path: '', parent: null, folders: [{ path: open }] });
    await opening([open, closed]);
    expect((await listed()).folders).toHaveLength(2);
    expect(await test.call('list_folder', { path: closed }, admin)).toMatchObject({ parent: '', n_media: 1 });
    await opening([]);
    await expect(listed()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('admin') });
    await expect(call('process_path', { path: open, name: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('without authentication every folder is open until one is set', async () => {
  const local = await createTestCore();
  expect((await local.call('list_folder', { path: closed })).n_media).toBeGreaterThan(0);
  await local.call('change_setting', { key: 'OPENED_FOLDERS', value: open });
  await expect(local.call('list_folder', { path: closed })).rejects.toMatchObject({ code: 'forbidden' });
});
