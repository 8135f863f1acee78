import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { FetchResult, RemoteFile } from '../../core/ports/dataset-store.ts';
import type { KeptOriginals } from '../../core/ports/files.ts';
import type { UrlFetcher } from '../storage/fetch-url.ts';
import type { ObjectStorage } from '../storage/s3-storage.ts';
import { parseS3Uri } from '../storage/s3-uri.ts';

/** One remote file may be so large at most. */
const MAX_BYTES = 64 * 1024 ** 3;
/** Failures that every further file would meet too: they end the run instead of being noted a million times. */
const FATAL = ['disk_full'];

/** Brings files named by address into a batch. */
export function createRemoteFetcher(parts: {
  data_folder: string;
  originals: KeptOriginals;
  storage: ObjectStorage;
  urls: UrlFetcher;
}) {
  const { data_folder, originals, storage, urls } = parts;
  return {
    /** A manifest of object storage as a file that the next start sweeps. @throws AppError as fetching any object. */
    fetchManifest: async (uri: string, assume_role: string | null, signal: AbortSignal): Promise<string> => {
      const path = join(data_folder, 'temporary', randomUUID());
      await storage.fetchObject(parseS3Uri(uri), path, {
        assume_role: assume_role ?? undefined,
        signal,
        max_bytes: MAX_BYTES,
      });
      return path;
    },
    /** @throws AppError `disk_full`; AbortError. Anything else is the file's own failure. */
    fetch: async (
      batch_id: string,
      file: RemoteFile,
      assume_role: string | null,
      signal: AbortSignal,
    ): Promise<FetchResult> => {
      const folder = join(data_folder, originals.root(batch_id), 'fetching');
      const path = join(folder, randomUUID());
      await mkdir(folder, { recursive: true });
      try {
        if (/^s3:/i.test(file.origin)) {
          const options = { assume_role: assume_role ?? undefined, signal, max_bytes: MAX_BYTES };
          await storage.fetchObject(parseS3Uri(file.origin), path, options);
        } else {
          await urls.fetchUrl(file.origin, path, { max_bytes: MAX_BYTES, signal });
        }
        return {
          file_id: file.file_id,
          ok: true,
          ...(await originals.keep(batch_id, { path, file_name: file.file_path, owned: true })),
        };
      } catch (error) {
        await rm(path, { force: true });
        if (signal.aborted || !(error instanceof AppError) || FATAL.includes(error.code)) throw error;
        return {
          file_id: file.file_id,
          ok: false,
          kind: error.code === 'too_large' ? 'too_large' : 'unreadable',
          reason: error.message,
        };
      }
    },
  };
}
