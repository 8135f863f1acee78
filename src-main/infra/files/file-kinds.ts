import type { NewFile } from '../../core/ports/dataset-store.ts';
import { isAnnotationFile } from '../annotations/find-annotation-files.ts';
import { mediaNames } from './media-names.ts';

/** What a file is to a dataset, told by its relative path; undefined for files that are none of its business. */
export function fileKindOf(file_path: string): NewFile['kind'] | undefined {
  if (mediaNames.isVideo(file_path)) return 'video';
  if (mediaNames.isImage(file_path)) return 'image';
  return isAnnotationFile(file_path) ? 'annotation' : undefined;
}
