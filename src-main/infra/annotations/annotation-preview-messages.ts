import type { FilePreview } from '../../core/ports/media-previews.ts';
import { threadPort } from '../threads/thread-port.ts';

/** Files of which a preview reads the annotations. */
export interface PreviewedFiles {
  folder: string;
  /** Relative paths of all media and annotation files, with `/`. */
  paths: string[];
  /** Local path of each annotation file by its relative path, where it is not the path below `folder`. */
  places: ReadonlyMap<string, string>;
}

/** Calls that the thread of one preview answers. */
export interface AnnotationPreviews {
  read(files: PreviewedFiles): Promise<FilePreview>;
}

export const ANNOTATION_PREVIEW = threadPort<AnnotationPreviews>('annotation_preview', { read: true });
