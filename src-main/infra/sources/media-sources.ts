import { rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pMapIterable } from 'p-map';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { RemoteFile } from '../../core/ports/dataset-files.ts';
import type { LocalFolders, StoredOriginals } from '../../core/ports/files.ts';
import type { BatchSource, MediaSources } from '../../core/ports/media-sources.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import type { ArchiveLimits } from '../archives/archive-limits.ts';
import { inspectArchive, refuseWithoutMedia } from '../archives/inspect-archive.ts';
import { readLocation } from '../files/local-folders.ts';
import { manifestFormat } from '../manifests/read-manifest.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import type { UrlFetcher } from '../storage/fetch-url.ts';
import { isMediaObject, type ObjectStorage } from '../storage/s3-storage.ts';
import { badS3Uri, isS3Uri, parseS3Uri } from '../storage/s3-uri.ts';
import { collectArchive } from './collect-archive.ts';
import { collectManifest } from './collect-manifest.ts';
import { collectObjects } from './collect-objects.ts';
import { createRemoteFetcher } from './remote-fetcher.ts';

export interface MediaSourcesParts {
  dataFolder: string;
  folders: LocalFolders;
  originals: StoredOriginals;
  storage: ObjectStorage;
  urls: UrlFetcher;
  openParquet: OpenParquet;
  opened: OpenedFolders;
  archiveLimits: () => ArchiveLimits;
}

/** Number of remote files fetched at the same time. */
const FETCHES_AT_ONCE = 8;
const ARCHIVE_NAME = 'archive';

export function createMediaSources(parts: MediaSourcesParts): MediaSources {
  const { dataFolder, folders, originals, storage, urls } = parts;
  const archivePath = (batchId: string) => join(dataFolder, originals.root(batchId), ARCHIVE_NAME);
  const fetcher = createRemoteFetcher({ dataFolder, originals, storage, urls });

  return {
    resolve: async (location, assumeRole, signal) => {
      if (/^s3:/i.test(location)) return resolveObjects(storage, location.trimEnd(), assumeRole, signal);
      const bucketUri = uriOfBucketPath(location.trimEnd());
      if (bucketUri !== undefined) return resolveObjects(storage, bucketUri, assumeRole, signal).catch(asRelative);
      if (manifestFormat(location.trimEnd()) !== null) {
        return { kind: 'manifest', uri: await readLocation(location, parts.opened), assume_role: assumeRole };
      }
      return { kind: 'folder', folder: await folders.inspect(location) };
    },
    takeArchive: async (batchId, archive, signal) => {
      refuseWithoutMedia(await inspectArchive(archive.path, archive.file_name, parts.archiveLimits(), signal));
      await originals.take(batchId, archive, ARCHIVE_NAME);
    },
    collect: (batchId, source, known, signal) => {
      switch (source.kind) {
        case 'uploads':
        case 'watch':
          return nothing();
        case 'folder':
          return folders.walk(source.folder, signal);
        case 'archive':
          return collectArchive({
            path: archivePath(batchId),
            file_name: source.file_name,
            limits: parts.archiveLimits(),
            keep: (content, name) => originals.keepStream(batchId, content, name),
            known,
            signal,
          });
        case 'objects':
          return collectObjects(storage, source, signal);
        case 'manifest':
          return collectManifest(
            source,
            { storage, openParquet: parts.openParquet, opened: parts.opened, fetchManifest: fetcher.fetchManifest },
            signal,
          );
        default:
          return source satisfies never;
      }
    },
    fetch: async function* (batchId, files, assumeRole, signal) {
      const stop = new AbortController();
      const stopped = AbortSignal.any([signal, stop.signal]);
      const running = new Set<Promise<unknown>>();
      const work = (file: RemoteFile) => {
        const fetching = fetcher.fetch(batchId, file, assumeRole, stopped);
        running.add(fetching);
        return fetching.finally(() => running.delete(fetching));
      };
      try {
        yield* pMapIterable(files, work, { concurrency: FETCHES_AT_ONCE, preserveOrder: false });
      } finally {
        // A consumer that stops reading may delete the batch's folder: nothing may be written there after this.
        stop.abort();
        await Promise.allSettled(running);
      }
    },
    finish: (batchId) => rm(archivePath(batchId), { force: true }),
    close: () => {
      storage.close();
      urls.close();
    },
  };
}

async function* nothing(): AsyncGenerator<never> {
  // Files of these sources are in the store before the task starts.
}

/**
 * Converts `my-bucket/images/` to a URI: clients omit the `s3://` of a bucket's path. Undefined when the text cannot be a bucket's path.
 */
function uriOfBucketPath(location: string): string | undefined {
  if (isAbsolute(location) || /^file:/i.test(location)) return undefined;
  const uri = `s3://${location}`;
  return isS3Uri(uri) ? uri : undefined;
}

/** Adds to an error how to enter a local folder. Without credentials for object storage the location was probably meant as a folder. */
function asRelative(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { code, reason } = error.reason.code === 'no_storage_credentials' ? badS3Uri() : error;
  throw new AppError(code, message('location_is_relative', { problem: reason }));
}

/** @throws AppError `invalid_request` when the location contains no media. */
async function resolveObjects(
  storage: ObjectStorage,
  uri: string,
  assumeRole: string | null,
  signal: AbortSignal,
): Promise<BatchSource & { kind: 'objects' | 'manifest' }> {
  const options = { assumeRole: assumeRole ?? undefined, signal };
  if (manifestFormat(uri) !== null) {
    const content = await storage.readObject(parseS3Uri(uri), options);
    content.destroy();
    return { kind: 'manifest', uri, assume_role: assumeRole };
  }
  for await (const entries of storage.list(uri, options)) {
    if (entries.some(isMediaObject)) return { kind: 'objects', uri, assume_role: assumeRole };
  }
  throw badS3Uri();
}
