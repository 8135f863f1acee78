import type { UploadedFile } from '../../contract/fields.ts';
import type { FolderPreview } from '../../contract/schemas/folder-preview.ts';

/** The annotations among the files of a folder. */
export type AnnotationPreview = FolderPreview['annotations'];

/** Annotations in the files of a folder, and labels from their paths. */
export type FilePreview = Pick<FolderPreview, 'annotations' | 'folder_labels'>;

/** Inspects media before a dataset is created from them. */
export interface MediaPreviews {
  /**
   * Lists what a folder contains: images, videos, annotations and folders that name classes. Stops after a maximum number of files and a
   * maximum time; `is_complete` says whether all was read.
   * @throws AppError as for creating a dataset from the folder; AbortError.
   */
  inspect(location: string, signal: AbortSignal): Promise<FolderPreview>;
  /**
   * Does the same for an upload: one archive, or annotation files.
   * @param paths Relative paths of the files of the upload, with or without those in `files`.
   * @throws AppError as for creating a dataset from the archive; AbortError.
   */
  inspectUpload(paths: string[], files: readonly UploadedFile[], signal: AbortSignal): Promise<FolderPreview>;
}
