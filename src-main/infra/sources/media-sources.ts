import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptOriginals, LocalFolders } from '../../core/ports/files.ts';
import type { BatchSource, MediaSources } from '../../core/ports/media-sources.ts';
import type { ArchiveLimits } from '../archives/archive-limits.ts';
import { inspectArchive, refuseWithoutMedia } from '../archives/inspect-archive.ts';
import { readLocation } from '../files/local-folders.ts';
import { manifestFormat } from '../manifests/read-manifest.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import { fetchAll } from '../storage/fetch-all.ts';
import type { UrlFetcher } from '../storage/fetch-url.ts';
import { isMediaObject, type ObjectStorage } from '../storage/s3-storage.ts';
import { badS3Uri, parseS3Uri } from '../storage/s3-uri.ts';
import { collectArchive } from './collect-archive.ts';
import { collectManifest } from './collect-manifest.ts';
import { collectObjects } from './collect-objects.ts';
import { createRemoteFetcher } from './remote-fetcher.ts';

export interface MediaSourcesParts {
  data_folder: string;
  folders: LocalFolders;
  originals: KeptOriginals;
  storage: ObjectStorage;
  urls: UrlFetcher;
  openParquet: OpenParquet;
  archive_limits: ArchiveLimits;
}

/** Remote files fetched at a time. */
const FETCHES_AT_ONCE = 8;
const ARCHIVE_NAME = 'archive';

export function createMediaSources(parts: MediaSourcesParts): MediaSources {
  const { data_folder, folders, originals, storage, urls } = parts;
  const archivePath = (batch_id: string) => join(data_folder, originals.root(batch_id), ARCHIVE_NAME);
  const fetcher = createRemoteFetcher({ data_folder, originals, storage, urls });

  return {
    resolve: async (location, assume_role, signal) => {
      if (/^s3:/i.test(location)) return resolveObjects(storage, location, assume_role, signal);
      if (manifestFormat(location) !== null) {
        return { kind: 'manifest', uri: await readLocation(location), assume_role };
      }
      return { kind: 'folder', folder: await folders.inspect(location) };
    },
    takeArchive: async (batch_id, archive, signal) => {
      refuseWithoutMedia(await inspectArchive(archive.path, archive.file_name, parts.archive_limits, signal));
      await originals.take(batch_id, archive, ARCHIVE_NAME);
    },
    collect: (batch_id, source, known, signal) => {
      switch (source.kind) {
        case 'uploads':
        case 'watch':
          return nothing();
        case 'folder':
          return folders.walk(source.folder, signal);
        case 'archive':
          return collectArchive({
            path: archivePath(batch_id),
            file_name: source.file_name,
            limits: parts.archive_limits,
            keep: (content, name) => originals.keepStream(batch_id, content, name),
            known,
            signal,
          });
        case 'objects':
          return collectObjects(storage, source, signal);
        case 'manifest':
          return collectManifest(
            source,
            { storage, openParquet: parts.openParquet, fetchManifest: fetcher.fetchManifest },
            signal,
          );
        default:
          return source satisfies never;
      }
    },
    fetch: async function* (batch_id, files, assume_role, signal) {
      const options = { concurrency: FETCHES_AT_ONCE, signal };
      const work = (file: Parameters<typeof fetcher.fetch>[1], stop: AbortSignal) =>
        fetcher.fetch(batch_id, file, assume_role, stop);
      for await (const outcome of fetchAll(files, work, options)) {
        if (!outcome.ok) throw outcome.error;
        yield outcome.result;
      }
    },
    finish: (batch_id) => rm(archivePath(batch_id), { force: true }),
    close: () => {
      storage.close();
      urls.close();
    },
  };
}

async function* nothing(): AsyncGenerator<never> {
  // What they bring is in the store before the task begins.
}

/** @throws AppError `invalid_request` when there is nothing to read. */
async function resolveObjects(
  storage: ObjectStorage,
  uri: string,
  assume_role: string | null,
  signal: AbortSignal,
): Promise<BatchSource & { kind: 'objects' | 'manifest' }> {
  const options = { assume_role: assume_role ?? undefined, signal };
  if (manifestFormat(uri) !== null) {
    const content = await storage.readObject(parseS3Uri(uri), options);
    content.destroy();
    return { kind: 'manifest', uri, assume_role };
  }
  for await (const entries of storage.list(uri, options)) {
    if (entries.some(isMediaObject)) return { kind: 'objects', uri, assume_role };
  }
  throw badS3Uri();
}
