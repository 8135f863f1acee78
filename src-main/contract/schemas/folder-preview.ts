import { z } from 'zod';
import { annotationProblem } from './dataset.ts';
import { SPLITS } from './export.ts';

const counted = z.object({ name: z.string(), count: z.int() });

/** Content of a folder, an archive or an upload, read before a dataset is created from it. */
export const folderPreview = z.object({
  n_images: z.int(),
  n_videos: z.int(),
  /** Number of media files by file name extension, most frequent first. */
  media_formats: z.array(counted),
  annotations: z.object({
    /** Formats of annotations that were recognised. */
    formats: z.array(
      z.object({
        name: z.string(),
        n_files: z.int(),
        n_boxes: z.int(),
        n_labels: z.int(),
        n_captions: z.int(),
      }),
    ),
    n_classes: z.int(),
    /** The most frequent classes of annotations. */
    classes: z.array(counted),
    /** The first annotations and files that cannot be used, each with the reason. */
    problems: z.array(annotationProblem.omit({ batch_id: true })),
    n_problems: z.int(),
    /** False if reading took too long; the counts are then lower than those of the import. */
    is_complete: z.boolean(),
  }),
  /** Classes and splits that the folders name: labels if the dataset is created with `labels_from=folders`. */
  folder_labels: z.object({
    n_classes: z.int(),
    /** The most frequent classes. */
    classes: z.array(counted),
    splits: z.array(z.object({ name: z.enum(SPLITS), count: z.int() })),
  }),
  /** False if there are more files than a preview looks at. */
  is_complete: z.boolean(),
});
export type FolderPreview = z.infer<typeof folderPreview>;
