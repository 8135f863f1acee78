import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { composeCoreParts } from '../../../src-main/compose/core-parts.ts';
import { startUpSteps } from '../../../src-main/compose/core-steps.ts';
import { startCore } from '../../../src-main/compose/create-core.ts';
import type { DatasetListRow } from '../../../src-main/core/datasets/dataset-row.ts';
import { openDataFolder } from '../../../src-main/infra/data-folder.ts';
import { until } from '../../support/api.ts';
import { writeImages } from '../../support/images.ts';
import { inProcessCompute } from '../../support/in-process-compute.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, testCoreOptions } from '../../support/test-core.ts';

async function folderWithDataset(): Promise<{ data: string; datasetId: string }> {
  const images = await temporaryFolder();
  await writeImages(images, [1, 2, 3]);
  const { call, data, close } = await createTestCore();
  const { dataset_id } = await call('create_dataset', { dataset_name: 'images', bucket_path: images });
  await until(
    () => call('get_dataset', { dataset_id }),
    ({ status_new }) => status_new === 'READY',
  );
  await close();
  return { data, datasetId: dataset_id };
}

it('handles damage that is reported before the core has started', async () => {
  const { data, datasetId } = await folderWithDataset();
  const database = join(data, 'datasets', datasetId, '1', 'data.db');
  // The first page stays intact, so that only reading the database detects the damage.
  await writeFile(database, (await readFile(database)).fill(0xff, 4096));
  const parts = await composeCoreParts(testCoreOptions(data, inProcessCompute()));
  const { datasets } = parts.datasets;
  const row = datasets.find(datasetId) as DatasetListRow;
  await expect(datasets.storeOf(row).items.counts()).rejects.toMatchObject({ code: 'damaged' });
  const core = await startCore(parts);
  onTestFinished(() => core.close());
  expect(datasets.find(datasetId)).toMatchObject({ status_new: 'ERROR' });
});

it('names the step that fails in the log, and closes what is open', async () => {
  const errors: object[] = [];
  const data = await temporaryFolder();
  const log = { ...silentLog, error: (fields: object) => errors.push(fields) };
  const parts = await composeCoreParts(testCoreOptions(data, inProcessCompute(), { log }));
  const failure = new Error('no room');
  parts.platform.folder.emptyTemporary = () => Promise.reject(failure);
  await expect(startCore(parts)).rejects.toBe(failure);
  expect(errors).toEqual([{ err: failure, phase: 'start-up', step: startUpSteps(parts)[0]?.name }]);
  openDataFolder(data).release();
});

it('logs each step of a start and of a shutdown with its duration', async () => {
  const steps: object[] = [];
  const log = { ...silentLog, debug: (fields: object) => 'step' in fields && steps.push(fields) };
  const parts = await composeCoreParts(testCoreOptions(await temporaryFolder(), inProcessCompute(), { log }));
  const core = await startCore(parts);
  const started = startUpSteps(parts).map(({ name }) => ({
    phase: 'start-up',
    step: name,
    duration_ms: expect.any(Number),
  }));
  expect(steps).toEqual(started);
  await core.close();
  expect(steps.at(-1)).toMatchObject({ phase: 'shutdown', step: 'release the data folder' });
});
