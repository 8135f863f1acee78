import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/api.ts';
import { writeImages } from '../../support/images.ts';
import { type InProcessCompute, inProcessCompute } from '../../support/in-process-compute.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';

interface Watched extends TestCore {
  datasetId: string;
  /** The folder from which the dataset was created and which is watched. */
  folder: string;
  nImages(): Promise<number>;
}

/** Creates a dataset of three images whose folder is watched. */
async function watchedDataset(compute: InProcessCompute = inProcessCompute()): Promise<Watched> {
  const test = await createTestCore({ compute });
  const folder = await temporaryFolder();
  await writeImages(folder, [1, 2, 3]);
  const { dataset_id: datasetId } = await test.call('create_dataset', { dataset_name: 'watched', bucket_path: folder });
  const dataset = () => test.call('get_dataset', { dataset_id: datasetId });
  await until(dataset, ({ status_new }) => status_new === 'READY');
  const watched = { ...test, datasetId, folder, nImages: async () => (await dataset()).n_images };
  await watch(watched, folder);
  return watched;
}

async function watch({ call, datasetId }: Watched, path: string): Promise<void> {
  const { watch_id } = await call('add_watched_folder', { dataset_id: datasetId, path });
  await until(
    () => call('list_watched_folders', { dataset_id: datasetId }),
    ({ watched_folders }) => watched_folders.find((one) => one.watch_id === watch_id)?.state === 'watching',
  );
}

/** Returns the dataset's batches in the form of the tasks that import them. */
async function additions({ call, datasetId }: Watched) {
  const { tasks } = await call('list_tasks', { dataset_id: datasetId });
  return tasks.filter(({ task_type }) => task_type === 'MEDIA_ADDITION');
}

/** Blocks the first image that is read after this call until it is released. */
function hold(compute: InProcessCompute): { reached: Promise<void>; letGo: () => void } {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  compute.beforeImage = () => {
    reached.resolve();
    return go.promise;
  };
  return { reached: reached.promise, letGo: go.resolve };
}

describe('changes in watched folders', () => {
  it('wait while other media are added, and then become a separate batch', async () => {
    const compute = inProcessCompute();
    const test = await watchedDataset(compute);
    const elsewhere = await temporaryFolder();
    await writeImages(elsewhere, [10]);
    const held = hold(compute);
    await test.call('add_media', { dataset_id: test.datasetId, s3_uri: elsewhere });
    await held.reached;
    await writeImages(test.folder, [4, 5]);
    expect(await additions(test)).toHaveLength(1);
    held.letGo();
    await until(test.nImages, (n) => n === 6);
    const all = await additions(test);
    expect(all.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('of two folders are added one after the other, each in its own batch', async () => {
    const compute = inProcessCompute();
    const test = await watchedDataset(compute);
    const second = await temporaryFolder();
    await watch(test, second);
    const held = hold(compute);
    await writeImages(test.folder, [4]);
    await held.reached;
    await writeImages(second, [20]);
    expect((await additions(test)).filter(({ status }) => status === 'RUNNING')).toHaveLength(1);
    held.letGo();
    await until(test.nImages, (n) => n === 5);
    expect(await additions(test)).toHaveLength(2);
  });

  it('are repeated after a failed batch, and added once', async () => {
    const compute = inProcessCompute();
    const test = await watchedDataset(compute);
    compute.beforeImage = () => {
      throw new Error('the processes are gone');
    };
    await writeImages(test.folder, [4, 5]);
    await until(
      () => additions(test),
      (all) => all.some(({ status }) => status === 'FAILED'),
    );
    expect(await test.nImages()).toBe(3);
    compute.beforeImage = () => undefined;
    await until(test.nImages, (n) => n >= 5);
    expect(await test.nImages()).toBe(5);
  });

  it('end with the dataset: a waiting batch is dropped, and closing does not wait', async () => {
    const compute = inProcessCompute();
    const test = await watchedDataset(compute);
    const held = hold(compute);
    await writeImages(test.folder, [4]);
    await held.reached;
    await writeImages(test.folder, [5]);
    const deleted = test.call('delete_dataset', { dataset_id: test.datasetId });
    held.letGo();
    await deleted;
    await expect(test.call('get_dataset', { dataset_id: test.datasetId })).rejects.toMatchObject({ code: 'not_found' });
    await rm(test.folder, { recursive: true });
    await test.close();
  });
});
