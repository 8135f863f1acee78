import { workerData } from 'node:worker_threads';
import { countFolderLabels } from '../../contract/folder-labels.ts';
import { mediaNames } from '../files/media-names.ts';
import { createParquetThreads } from '../parquet/parquet-thread.ts';
import type { Answered } from '../threads/answered.ts';
import { serveThread } from '../threads/serve-thread.ts';
import { serve } from '../threads/thread-port.ts';
import { ANNOTATION_PREVIEW, type AnnotationPreviews } from './annotation-preview-messages.ts';
import { previewAnnotations } from './preview-annotations.ts';

/** Reads the annotations of files for a preview, until the thread is ended. */
const { parquet } = workerData as { parquet: string };
const MAX_CLASSES = 200;
const openParquet = createParquetThreads(parquet);

const previews: Answered<AnnotationPreviews> = {
  read: async (files) => {
    const { classes, splits } = countFolderLabels(files.paths.filter((path) => mediaNames.isImage(path)));
    return {
      annotations: await previewAnnotations(files, openParquet),
      folder_labels: { n_classes: classes.length, classes: classes.slice(0, MAX_CLASSES), splits },
    };
  },
};

serveThread({ methods: serve(ANNOTATION_PREVIEW, previews), inOrder: true });
