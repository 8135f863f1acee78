import { z } from 'zod';
import type { FetchResult, NewFile, RemoteFile } from './dataset-files.ts';

/** Source of a batch of media, as stored with its task. Uploads are already in the batch. */
export const batchSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('uploads') }),
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  // The changes are recorded in the store.
  z.object({ kind: z.literal('watch'), folder: z.string() }),
  z.object({ kind: z.literal('archive'), file_name: z.string() }),
  z.object({ kind: z.literal('objects'), uri: z.string(), assume_role: z.string().nullable() }),
  z.object({ kind: z.literal('manifest'), uri: z.string(), assume_role: z.string().nullable() }),
]);
export type BatchSource = z.infer<typeof batchSource>;

/** Access to external media: folders, archives, object storage and lists of URLs. */
export interface MediaSources {
  /**
   * Resolves and checks a location: a folder, a `file://` URL, `s3://` with a prefix, or a `.csv`, `.parquet` or `.txt` list in a folder or
   * in object storage. Only fast checks are made.
   * @throws AppError `invalid_request` (nothing at the location, no media), `storage_failed` (refused, unreachable).
   */
  resolve(
    location: string,
    assumeRole: string | null,
    signal: AbortSignal,
  ): Promise<Exclude<BatchSource, { kind: 'uploads' | 'archive' | 'watch' }>>;
  /**
   * Checks an archive, then stores it in the batch's folder.
   * @throws AppError `invalid_request` that names the problem.
   */
  takeArchive(
    batchId: string,
    archive: { path: string; file_name: string; owned: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Yields all media of a source in batches. Files of archives are stored as they are read; remote files are only listed.
   * @param known Returns which of the given paths the batch already contains; these are skipped.
   * @throws AppError when the source as a whole is unusable; AbortError.
   */
  collect(
    batchId: string,
    source: BatchSource,
    known: (filePaths: string[]) => Promise<string[]>,
    signal: AbortSignal,
  ): AsyncIterable<NewFile[]>;
  /**
   * Fetches remote files into the batch, several in parallel. Results come in order of completion; a failed file does not stop the others.
   */
  fetch(
    batchId: string,
    files: AsyncIterable<RemoteFile>,
    assumeRole: string | null,
    signal: AbortSignal,
  ): AsyncIterable<FetchResult>;
  /** Deletes files that only {@link collect} needed, such as a stored archive. */
  finish(batchId: string): Promise<void>;
  close(): void;
}

/** Source id of files that lists refer to by absolute path. */
export const FILE_SYSTEM_SOURCE = 'file-system';
