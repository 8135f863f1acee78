import type { NewFile } from '../../core/ports/dataset-files.ts';
import { isAnnotationFile } from '../annotations/find-annotation-files.ts';
import { mediaNames } from './media-names.ts';

/** What a file is to a dataset, told by its relative path; undefined for files that are none of its business. */
export function fileKindOf(filePath: string): NewFile['kind'] | undefined {
  if (mediaNames.isVideo(filePath)) return 'video';
  if (mediaNames.isImage(filePath)) return 'image';
  return isAnnotationFile(filePath) ? 'annotation' : undefined;
}
