import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import type { FetchResult, RemoteFile } from '../../core/ports/dataset-files.ts';
import type { StoredOriginals } from '../../core/ports/files.ts';
import type { UrlFetcher } from '../storage/fetch-url.ts';
import type { ObjectStorage } from '../storage/s3-storage.ts';
import { parseS3Uri } from '../storage/s3-uri.ts';

/** Maximum size of one remote file in bytes (64 GiB). */
const MAX_BYTES = 64 * 1024 ** 3;

/** Fetches files by address into a batch. */
export function createRemoteFetcher(parts: {
  dataFolder: string;
  originals: StoredOriginals;
  storage: ObjectStorage;
  urls: UrlFetcher;
}) {
  const { dataFolder, originals, storage, urls } = parts;
  return {
    /** Fetches a manifest from object storage to a file that the next start deletes. @throws AppError as for fetching any object. */
    fetchManifest: async (uri: string, assumeRole: string | null, signal: AbortSignal): Promise<string> => {
      const path = join(dataFolder, 'temporary', randomUUID());
      await storage.fetchObject(parseS3Uri(uri), path, {
        assumeRole: assumeRole ?? undefined,
        signal,
        maxBytes: MAX_BYTES,
      });
      return path;
    },
    /** @throws AppError `disk_full`; AbortError. All other failures are recorded for the file. */
    fetch: async (
      batchId: string,
      file: RemoteFile,
      assumeRole: string | null,
      signal: AbortSignal,
    ): Promise<FetchResult> => {
      const folder = join(dataFolder, originals.root(batchId), 'fetching');
      const path = join(folder, randomUUID());
      await mkdir(folder, { recursive: true });
      try {
        if (/^s3:/i.test(file.origin)) {
          const options = { assumeRole: assumeRole ?? undefined, signal, maxBytes: MAX_BYTES };
          await storage.fetchObject(parseS3Uri(file.origin), path, options);
        } else {
          await urls.fetchUrl(file.origin, path, { maxBytes: MAX_BYTES, signal });
        }
        return {
          file_id: file.file_id,
          ok: true,
          ...(await originals.keep(batchId, { path, file_name: file.file_path, owned: true })),
        };
      } catch (error) {
        await rm(path, { force: true });
        // A full disk would fail every further file too, so it ends the run instead of being recorded for each of a million files.
        if (signal.aborted || !(error instanceof AppError) || isDiskFull(error)) throw error;
        return {
          file_id: file.file_id,
          ok: false,
          kind: error.code === 'too_large' ? 'too_large' : 'unreadable',
          reason: error.reason,
        };
      }
    },
  };
}
