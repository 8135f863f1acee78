import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { until } from './api.ts';
import { atEnd } from './at-end.ts';
import { writeImages } from './images.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createTestCore } from './test-core.ts';

/** Creates the data folder of a stopped core with a dataset of four uploads, and a backup of it. They are deleted after the test file. */
export async function backedUpUploads(): Promise<{ data: string; backups: string; datasetId: string }> {
  const data = await temporaryFolder(atEnd);
  const backups = await temporaryFolder(atEnd);
  const paths = await writeImages(await temporaryFolder(atEnd), [1, 2, 3, 4]);
  const { call, close } = await createTestCore({ data, finished: atEnd });
  const { dataset_id } = await call('new_dataset', { dataset_name: 'uploaded' });
  const { trans_id } = await call('open_transaction', { dataset_id });
  const file = async (path: string) => {
    const { size } = await stat(path);
    return { path, file_name: basename(path), size_bytes: size, owned: false };
  };
  await call('upload_files', { dataset_id, transaction_id: trans_id, files: await Promise.all(paths.map(file)) });
  await call('process_files', { dataset_id, transaction_id: trans_id });
  await until(
    () => call('get_dataset', { dataset_id }),
    ({ status_new }) => status_new === 'READY',
  );
  const atRest = () =>
    until(
      () => call('list_tasks', { page_size: 50, with_service: true }),
      ({ tasks }) => tasks.every(({ end_time }) => end_time !== null),
    );
  await atRest();
  await call('start_backup', { folder: backups });
  await atRest();
  await close();
  return { data, backups, datasetId: dataset_id };
}
