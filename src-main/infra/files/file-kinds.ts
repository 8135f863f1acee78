import type { NewFile } from '../../core/ports/dataset-files.ts';
import { isAnnotationFile, isNamedAsAnnotation } from '../annotations/find-annotation-files.ts';
import { mediaNames } from './media-names.ts';

/** Kind of a file by its relative path; undefined for files that are not part of a dataset. */
export function fileKindOf(filePath: string): NewFile['kind'] | undefined {
  if (mediaNames.isVideo(filePath)) return 'video';
  if (mediaNames.isImage(filePath)) return 'image';
  return isAnnotationFile(filePath) ? 'annotation' : undefined;
}

/** Whether the name alone makes a file part of a dataset. False for files that only may be annotations. */
export function isSurelyKnown(filePath: string): boolean {
  return mediaNames.isImage(filePath) || mediaNames.isVideo(filePath) || isNamedAsAnnotation(filePath);
}
