import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../support/api.ts';
import { writeImages } from '../../support/images.ts';
import { inProcessCompute } from '../../support/in-process-compute.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore } from '../../support/test-core.ts';

it('deletes a dataset that is being created: answers before its work has stopped, and removes its files afterwards', async () => {
  const compute = inProcessCompute();
  const begun = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const { buildIndex } = compute;
  // Like a native computation, the job does not listen to the signal.
  compute.buildIndex = async (request, options) => {
    begun.resolve();
    await stopped.promise;
    return buildIndex(request, options);
  };
  const { call, data } = await createTestCore({ compute });
  const folder = await temporaryFolder();
  await writeImages(folder, [1, 2]);
  const { dataset_id } = await call('create_dataset', { dataset_name: 'unfinished', bucket_path: folder });
  await begun.promise;

  expect(await call('delete_dataset', { dataset_id })).toMatchObject({ deleted: true });
  await expect(call('get_dataset', { dataset_id })).rejects.toMatchObject({ code: 'not_found' });
  expect(await call('list_datasets', {})).toEqual([]);
  expect((await call('list_tasks', { dataset_id })).tasks).toEqual([]);
  const files = join(data, 'datasets', dataset_id);
  expect(existsSync(files)).toBe(true);

  stopped.resolve();
  await until(() => !existsSync(files));
});
