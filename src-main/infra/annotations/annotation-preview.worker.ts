import { workerData } from 'node:worker_threads';
import { createParquetThreads } from '../parquet/parquet-thread.ts';
import type { Answered } from '../threads/answered.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { AnnotationPreviews } from './annotation-previews.client.ts';
import { previewAnnotations } from './preview-annotations.ts';

/** Reads the annotations of a folder for a preview, until the thread is ended. */
const { parquet } = workerData as { parquet: string };
const openParquet = createParquetThreads(parquet);

const previews: Answered<AnnotationPreviews> = {
  read: (folder, paths) => previewAnnotations(folder, paths, openParquet),
};

serveThread({ methods: () => [previews], inOrder: true });
