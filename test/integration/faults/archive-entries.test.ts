import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { Api } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { image, writeImages } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildTar, buildZip } from '../archives/build-archive.ts';

let api: Api;
let datasetId: string;

beforeAll(async () => {
  const data = await temporaryFolder(atEnd);
  const server = await startServer(join(data, 'data'));
  atEnd(() => server.stop().then(() => undefined));
  api = new Api(server.baseUrl);
  const folder = join(data, 'images');
  await mkdir(folder);
  await writeImages(folder, [1, 2]);
  const fields = { dataset_name: 'Archives', bucket_path: folder };
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const made = await api.call<{ id: string }>('POST', '/dataset', { body });
  datasetId = made.body.id;
  await api.waitFor(datasetId, 'READY');
});

async function add(archive: Buffer, fileName: string) {
  const body = new FormData();
  body.append('archive', new Blob([new Uint8Array(archive)]), fileName);
  body.append('auto_reindex', 'true');
  return api.call('POST', `/dataset/${datasetId}/add_media`, { body });
}

it('imports the good entries of archives with bad ones, and lists each bad one with its reason', async () => {
  const good = async (seed: number) => ({ name: `${seed}.jpg`, data: await image(seed) });
  const zip = buildZip([
    { name: 'checksum.jpg', data: await image(11), crc: 1 },
    await good(12),
    { name: 'x:y.jpg', data: await image(13) },
    { name: 'locked.jpg', data: await image(14), flags: 1 },
    { name: 'link.jpg', data: Buffer.from('/etc/passwd'), mode: 0o120777 },
  ]);
  expect(await add(zip, 'a.zip')).toMatchObject({ status: 202 });
  await api.waitFor(datasetId, 'READY');
  const tar = buildTar([{ name: 'hard.jpg', type: '1' }, await good(15), { name: 'pipe.jpg', type: '6' }]);
  expect(await add(tar, 'a.tar')).toMatchObject({ status: 202 });
  expect(await api.waitFor(datasetId, 'READY')).toMatchObject({ n_images: 4, n_file_errors: 6 });
  const { body } = await api.get<{ file_errors: { file_path: string; reason: string }[] }>(
    `/dataset/${datasetId}/file_errors`,
  );
  const reasons = new Map(body.file_errors.map(({ file_path, reason }) => [file_path, reason]));
  expect(reasons.get('checksum.jpg')).toContain('checksum');
  expect(reasons.get('x:y.jpg')).toContain('absolute path of a drive');
  expect(reasons.get('locked.jpg')).toContain('encrypted');
  expect(reasons.get('link.jpg')).toContain('link');
  expect(reasons.get('hard.jpg')).toContain('link');
  expect(reasons.get('pipe.jpg')).toContain('pipe');
});

it('refuses archives with paths outside, and those that unpack to more than they declare', async () => {
  const inside = { name: 'good.jpg', data: await image(21) };
  expect(await add(buildZip([inside, { name: '../out.jpg' }]), 'b.zip')).toMatchObject({ status: 400 });
  expect(await add(buildTar([inside, { name: '/out.jpg' }]), 'b.tar')).toMatchObject({ status: 400 });
  expect(await api.waitFor(datasetId, 'READY')).toMatchObject({ n_images: 4 });
});
