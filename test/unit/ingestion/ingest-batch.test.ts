import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../support/api.ts';
import { writeImages } from '../../support/images.ts';
import { inProcessCompute } from '../../support/in-process-compute.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';

async function folderOf(...seeds: number[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeImages(folder, seeds);
  return folder;
}

async function create({ call }: TestCore, folder: string) {
  const { dataset_id } = await call('create_dataset', { dataset_name: 'batches', bucket_path: folder });
  const dataset = () => call('get_dataset', { dataset_id });
  await until(dataset, ({ status_new }) => ['READY', 'ERROR'].includes(status_new));
  return { dataset_id, dataset };
}

it('a batch that a quit interrupted continues with the files that are not read yet', async () => {
  const folder = await folderOf(1, 2, 3, 4);
  const reads: string[] = [];
  const compute = inProcessCompute();
  const third = Promise.withResolvers<void>();
  compute.beforeImage = (path, signal) => {
    reads.push(path);
    if (reads.length < 3) return undefined;
    third.resolve();
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const first = await createTestCore({ compute });
  const { dataset_id } = await first.call('create_dataset', { dataset_name: 'interrupted', bucket_path: folder });
  await third.promise;
  await first.close();
  compute.beforeImage = (path) => void reads.push(path);
  const second = await createTestCore({ data: first.data, compute });
  const done = await until(
    () => second.call('get_dataset', { dataset_id }),
    ({ status_new }) => status_new === 'READY',
  );
  expect(done).toMatchObject({ n_images: 4, n_file_errors: 0 });
  expect(new Set(reads).size).toBe(4);
});

it('files that cannot be read are listed with their reason, and the others become items', async () => {
  const folder = await folderOf(1, 2);
  await writeFile(join(folder, 'empty.jpg'), '');
  const test = await createTestCore();
  const { dataset_id, dataset } = await create(test, folder);
  expect(await dataset()).toMatchObject({ status_new: 'READY', n_images: 2, n_file_errors: 1 });
  const { file_errors } = await test.call('list_file_errors', { dataset_id });
  expect(file_errors).toMatchObject([{ file_path: 'empty.jpg', kind: 'empty' }]);
});

it('a batch without a readable file fails, with the number of files and an example', async () => {
  const folder = await temporaryFolder();
  for (const name of ['a.jpg', 'b.jpg']) await writeFile(join(folder, name), '');
  const { dataset } = await create(await createTestCore(), folder);
  const { status_new, fatal_error_msg } = await dataset();
  expect(status_new).toBe('ERROR');
  expect(fatal_error_msg).toMatch(/2 .*files.*a\.jpg/s);
});

it('a folder that was added before gives only its new files, and changes nothing when there are none', async () => {
  const folder = await folderOf(1, 2);
  const test = await createTestCore();
  const { dataset_id, dataset } = await create(test, folder);
  const lastTask = async () => (await test.call('list_tasks', { dataset_id })).tasks[0];
  const add = async () => {
    await test.call('add_media', { dataset_id, s3_uri: folder });
    await until(lastTask, (task) => task?.end_time !== null);
    return lastTask();
  };
  expect(await add()).toMatchObject({ status: 'COMPLETED', status_message: expect.stringContaining('Nothing new') });
  expect(await dataset()).toMatchObject({ status_new: 'READY', n_images: 2 });
  await writeImages(folder, [3]);
  expect(await add()).toMatchObject({ status: 'COMPLETED', status_message: expect.stringContaining('1 image') });
  expect((await dataset()).n_images).toBe(3);
});
