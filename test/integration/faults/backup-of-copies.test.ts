import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Preview } from '../../../src-main/contract/schemas/explore.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Api, json, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { blockOfCatalog } from '../../support/block-of-catalog.ts';
import { expectSameFiles, noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { runServer, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { importTinyModels } from '../../support/tiny-models/import-tiny-models.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
let api: Api;
let source: string;
let copy: string;

beforeAll(async () => {
  const images = await temporaryFolder(atEnd);
  await writeImages(images, SEEDS);
  const server = await startServer(await temporaryFolder(atEnd));
  atEnd(() => server.process.kill('SIGKILL'));
  api = new Api(server.baseUrl);
  await importTinyModels(api, ['clip'], atEnd);
  source = await api.createFromFolder('source', images, { encoder: 'none' });
  await api.waitFor(source, 'READY');
  const { body } = await api.call<{ dataset_id: string }>(
    'POST',
    `/dataset/${source}/enrich_dataset`,
    json({ enrichment_models: { MULTIMODEL_IMAGE_ENCODING: 'clip' } }),
  );
  copy = body.dataset_id;
  await api.waitFor(copy, 'READY');
});

async function startBackup(folder: string): Promise<string> {
  const { body } = await api.call<{ task_id: string }>('POST', '/backup', json({ folder }));
  return body.task_id;
}

async function ended(taskId: string): Promise<Task | undefined> {
  return until(
    async () =>
      (await api.get<{ tasks: Task[] }>('/tasks?task_type=BACKUP')).body.tasks.find((one) => one.task_id === taskId),
    (task) => task?.end_time != null,
  );
}

const verify = (folder: string) => runServer(join(folder, 'unused'), {}, ['backup', '--verify', '--to', folder]);

/** Returns thumbnails and originals of all items of a dataset, by item and kind. */
async function everythingOf(on: Api, id: string): Promise<Map<string, Buffer>> {
  const { body } = await on.get<{ items: Preview[] }>(`/explore/${id}/items`);
  const found = new Map<string, Buffer>();
  for (const { media_id, media_thumb_uri, media_uri } of body.items) {
    for (const uri of [media_thumb_uri, media_uri]) {
      const response = await fetch(uri);
      expect(response.status).toBe(200);
      found.set(`${media_id} ${new URL(uri).pathname}`, Buffer.from(await response.arrayBuffer()));
    }
  }
  return found;
}

/** Starts a server on the data that a backup is restored to. */
async function restored(backups: string): Promise<Api> {
  const data = join(await temporaryFolder(), 'restored');
  expect(await runServer(data, {}, ['restore', '--from', backups])).toMatchObject({ code: 0, stderr: '' });
  const server = await startServer(data);
  onTestFinished(() => {
    server.process.kill('SIGKILL');
  });
  return new Api(server.baseUrl);
}

it('an enriched copy is restored from a backup with the files that it shares with its source', async () => {
  const to = await temporaryFolder();
  expect(await ended(await startBackup(to))).toMatchObject({ status: 'COMPLETED' });
  const [before, ofSource] = [await everythingOf(api, copy), await everythingOf(api, source)];
  const found = await api.get<{ clusters: { previews: Preview[] }[] }>(`/explore/${copy}?caption=a%20dog`);
  const after = await restored(to);
  expect(await after.waitFor(copy, 'READY')).toMatchObject({ n_images: SEEDS.length, source_dataset_id: source });
  expectSameFiles(await everythingOf(after, copy), before);
  expectSameFiles(await everythingOf(after, source), ofSource);
  const scores = (clusters: { previews: Preview[] }[]) =>
    clusters.flatMap(({ previews }) => previews.map(({ media_id, relevance_score }) => [media_id, relevance_score]));
  const again = await after.get<{ clusters: { previews: Preview[] }[] }>(`/explore/${copy}?caption=a%20dog`);
  expect(scores(again.body.clusters)).toEqual(scores(found.body.clusters));
});

it('a verification reads all backups, and names the files that cannot be restored', async () => {
  const to = await temporaryFolder();
  for (let n = 0; n < 2; n += 1) expect(await ended(await startBackup(to))).toMatchObject({ status: 'COMPLETED' });
  const sound = await verify(to);
  expect(sound).toMatchObject({ code: 0, stderr: '' });
  expect(sound.stdout).toContain('2 backups read, 0 damaged');

  const [manifest = ''] = await readdir(join(to, 'backups'));
  const file = join(to, 'backups', manifest);
  noteFault();
  const { pack, offset } = await blockOfCatalog(to, manifest);
  const bytes = await readFile(pack);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  await writeFile(pack, bytes);
  const damaged = await verify(to);
  expect(damaged.code).toBe(2);
  expect(damaged.stdout).toMatch(/[12] damaged$/m);
  expect(damaged.stdout).toMatch(/^ {2}catalog\.db$/m);

  noteFault();
  await truncate(file, 20);
  expect((await verify(to)).stdout).toContain('1 backups cannot be read at all');
  expect(await verify(join(to, 'blocks'))).toMatchObject({ code: 1, stderr: expect.stringContaining('no backups') });
});

it('a dataset that is deleted during a backup is in the backup completely or not at all', async () => {
  const images = await temporaryFolder();
  await writeImages(images, [31, 32, 33]);
  const gone = await api.createFromFolder('deleted', images, { encoder: 'none' });
  await api.waitFor(gone, 'READY');
  const to = await temporaryFolder();
  const taskId = await startBackup(to);
  const deleted = await api.call('DELETE', `/dataset/${gone}`);
  expect(deleted.status).toBe(200);
  expect(await ended(taskId)).toMatchObject({ status: 'COMPLETED', error_message: null });
  expect(await verify(to)).toMatchObject({ code: 0 });
  const after = await restored(to);
  const { body } = await after.get<Dataset[]>('/datasets');
  for (const { id, status_new, n_images } of body) {
    expect(status_new).toBe('READY');
    expect((await everythingOf(after, id)).size).toBe(2 * n_images);
  }
  expect((await after.get('/recovery')).body).toMatchObject({ n_new: 0 });
});
