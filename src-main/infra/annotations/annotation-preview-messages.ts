import type { FilePreview } from '../../core/ports/media-previews.ts';
import { threadPort } from '../threads/thread-port.ts';

/** Calls that the thread of one preview answers. */
export interface AnnotationPreviews {
  read(folder: string, paths: string[]): Promise<FilePreview>;
}

export const ANNOTATION_PREVIEW = threadPort<AnnotationPreviews>('annotation_preview', { read: true });
