import { basename, join } from 'node:path';

/** Programs that run in threads and processes of their own: their sources below src-main. */
export const WORKER_SOURCES = {
  compute: 'infra/local-jobs/compute.worker.ts',
  dataset_writer: 'infra/dataset-store/thread/dataset-writer.worker.ts',
  dataset_reader: 'infra/dataset-store/thread/dataset-reader.worker.ts',
  inspection: 'infra/dataset-store/thread/inspection.worker.ts',
  comparison: 'infra/dataset-store/thread/comparison.worker.ts',
  parquet: 'infra/parquet/parquet.worker.ts',
  watch: 'infra/watch/watch.worker.ts',
  export: 'infra/exports/export.worker.ts',
  backup: 'infra/backups/backup.worker.ts',
} as const;

/** The file that starts each worker. */
export type WorkerEntries = Readonly<Record<keyof typeof WORKER_SOURCES, string>>;

/** Workers as the build writes them, all in one folder. */
export function builtWorkers(folder: string): WorkerEntries {
  return entriesOf((source) => join(folder, `${basename(source, '.ts')}.js`));
}

/** Workers as they are in the sources, which Node runs as well. @param folder src-main. */
export function sourceWorkers(folder: string): WorkerEntries {
  return entriesOf((source) => join(folder, source));
}

function entriesOf(fileOf: (source: string) => string): WorkerEntries {
  const files = Object.entries(WORKER_SOURCES).map(([name, source]) => [name, fileOf(source)]);
  return Object.fromEntries(files) as WorkerEntries;
}
