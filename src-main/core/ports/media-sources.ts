import { z } from 'zod';
import type { FetchResult, NewFile, RemoteFile } from './dataset-files.ts';

/** Where a batch of media comes from, as its task keeps it. Uploads are in the batch already. */
export const batchSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('uploads') }),
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  // What changed is noted in the store.
  z.object({ kind: z.literal('watch'), folder: z.string() }),
  z.object({ kind: z.literal('archive'), file_name: z.string() }),
  z.object({ kind: z.literal('objects'), uri: z.string(), assume_role: z.string().nullable() }),
  z.object({ kind: z.literal('manifest'), uri: z.string(), assume_role: z.string().nullable() }),
]);
export type BatchSource = z.infer<typeof batchSource>;

/** The outside that media come from: folders, archives, object storage, lists of addresses. */
export interface MediaSources {
  /**
   * What a location means, checked as far as it can be at once: a folder, `file://`, `s3://` with a prefix, or a `.csv`, `.parquet` or
   * `.txt` list in either place.
   * @throws AppError `invalid_request` (nothing there, no media), `storage_failed` (refused, unreachable).
   */
  resolve(
    location: string,
    assumeRole: string | null,
    signal: AbortSignal,
  ): Promise<Exclude<BatchSource, { kind: 'uploads' | 'archive' | 'watch' }>>;
  /**
   * Checks an archive before anything of it is kept, then takes it into the batch's folder.
   * @throws AppError `invalid_request` saying what is wrong with it.
   */
  takeArchive(
    batchId: string,
    archive: { path: string; file_name: string; owned: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * All media of a source in batches. Files of archives are kept as they are read, remote ones are only named.
   * @param known Which of some paths the batch has already: they are passed over.
   * @throws AppError when the source as a whole is of no use; AbortError.
   */
  collect(
    batchId: string,
    source: BatchSource,
    known: (filePaths: string[]) => Promise<string[]>,
    signal: AbortSignal,
  ): AsyncIterable<NewFile[]>;
  /** Fetches remote files into the batch, several at a time, in order of completion; one that fails does not stop the others. */
  fetch(
    batchId: string,
    files: AsyncIterable<RemoteFile>,
    assumeRole: string | null,
    signal: AbortSignal,
  ): AsyncIterable<FetchResult>;
  /** Removes what only collecting needed (a taken archive). */
  finish(batchId: string): Promise<void>;
  close(): void;
}

/** The source id of files that lists name by absolute path. */
export const FILE_SYSTEM_SOURCE = 'file-system';
