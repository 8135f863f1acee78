import { basename, join } from 'node:path';

/** Source files, relative to src-main, of the programs that run in worker threads and child processes. */
export const WORKER_SOURCES = {
  compute: 'infra/local-jobs/compute.worker.ts',
  dataset_writer: 'infra/dataset-store/thread/dataset-writer.worker.ts',
  dataset_reader: 'compose/dataset-reader.worker.ts',
  inspection: 'infra/dataset-store/thread/inspection.worker.ts',
  comparison: 'infra/dataset-store/thread/comparison.worker.ts',
  annotation_preview: 'infra/annotations/annotation-preview.worker.ts',
  parquet: 'infra/parquet/parquet.worker.ts',
  watch: 'infra/watch/watch.worker.ts',
  export: 'infra/exports/export.worker.ts',
  backup: 'infra/backups/backup.worker.ts',
} as const;

/** The file that starts each worker. */
export type WorkerEntries = Readonly<Record<keyof typeof WORKER_SOURCES, string>>;

/** Returns the entry files of the workers in the build output, which is one folder. */
export function builtWorkers(folder: string): WorkerEntries {
  return entriesOf((source) => join(folder, `${basename(source, '.ts')}.js`));
}

/** Returns the entry files of the workers in the sources, which Node runs directly. @param folder Path of src-main. */
export function sourceWorkers(folder: string): WorkerEntries {
  return entriesOf((source) => join(folder, source));
}

function entriesOf(fileOf: (source: string) => string): WorkerEntries {
  const files = Object.entries(WORKER_SOURCES).map(([name, source]) => [name, fileOf(source)]);
  return Object.fromEntries(files) as WorkerEntries;
}
