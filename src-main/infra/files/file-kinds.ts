import type { NewFile } from '../../core/ports/dataset-files.ts';
import { isAnnotationFile, isNamedAsAnnotation } from '../annotations/find-annotation-files.ts';
import { mediaNames } from './media-names.ts';

/** What a file is to a dataset, told by its relative path; undefined for files that are none of its business. */
export function fileKindOf(filePath: string): NewFile['kind'] | undefined {
  if (mediaNames.isVideo(filePath)) return 'video';
  if (mediaNames.isImage(filePath)) return 'image';
  return isAnnotationFile(filePath) ? 'annotation' : undefined;
}

/** Whether the name alone makes a file part of a dataset: what is only perhaps annotations does not. */
export function isSurelyKnown(filePath: string): boolean {
  return mediaNames.isImage(filePath) || mediaNames.isVideo(filePath) || isNamedAsAnnotation(filePath);
}
