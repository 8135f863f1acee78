import { expect, it } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { until } from '../../support/api.ts';
import { writeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';

async function readyDataset({ call }: TestCore): Promise<string> {
  const folder = await temporaryFolder();
  await writeImages(folder, [1, 2, 3]);
  const { dataset_id } = await call('create_dataset', { dataset_name: 'images', bucket_path: folder });
  await rests({ call }, dataset_id, 'READY');
  return dataset_id;
}

function rests({ call }: Pick<TestCore, 'call'>, datasetId: string, status: Dataset['status_new']): Promise<Dataset> {
  return until(
    () => call('get_dataset', { dataset_id: datasetId }),
    (dataset) => dataset.status_new === status,
  );
}

/** Records a READY dataset's status at each reported change, without repetitions, until it is READY again. */
function statusesOf({ core, call }: TestCore, datasetId: string): Promise<Dataset['status_new'][]> {
  const seen: Promise<Dataset>[] = [];
  return new Promise((resolve) => {
    core.subscribe(async ({ name, data }) => {
      if (name !== 'dataset_changed' || data.dataset_id !== datasetId) return;
      const requested = call('get_dataset', { dataset_id: datasetId });
      seen.push(requested);
      if ((await requested).status_new !== 'READY') return;
      const all = (await Promise.all(seen)).map((dataset) => dataset.status_new);
      const changes = all.filter((status, at) => status !== (all[at - 1] ?? 'READY'));
      // A search that ran beside the last task may still report its end.
      if (changes.length > 0) resolve(changes);
    });
  });
}

it('a reindex shows READ ONLY, then INDEXING, then READY', async () => {
  const test = await createTestCore();
  const id = await readyDataset(test);
  const more = await temporaryFolder();
  await writeImages(more, [4]);
  await test.call('add_media', { dataset_id: id, s3_uri: more });
  await rests(test, id, 'PARTIAL INDEX');
  const statuses = statusesOf(test, id);
  await test.call('reindex', { dataset_id: id });
  expect(await statuses).toEqual(['READ ONLY', 'INDEXING', 'READY']);
});

it('an addition that reindexes shows the same, and never stays at PARTIAL INDEX', async () => {
  const test = await createTestCore();
  const id = await readyDataset(test);
  const more = await temporaryFolder();
  await writeImages(more, [4]);
  const statuses = statusesOf(test, id);
  await test.call('add_media', { dataset_id: id, s3_uri: more, auto_reindex: true });
  expect(await statuses).toEqual(['READ ONLY', 'INDEXING', 'READY']);
});

it('a failure while grouping keeps the added items, at PARTIAL INDEX', async () => {
  const test = await createTestCore();
  const id = await readyDataset(test);
  const more = await temporaryFolder();
  await writeImages(more, [4]);
  const { buildIndex } = test.compute;
  test.compute.buildIndex = async (request, options) => {
    if (request.mode === 'recluster') throw new Error('no memory');
    return buildIndex(request, options);
  };
  await test.call('add_media', { dataset_id: id, s3_uri: more, auto_reindex: true });
  expect(await rests(test, id, 'PARTIAL INDEX')).toMatchObject({ n_images: 4, status: 'READY' });
});
