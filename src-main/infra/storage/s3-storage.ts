import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { isHiddenPath } from '../files/hidden-names.ts';
import { mediaNames } from '../files/media-names.ts';
import { download, type FilePart, type OpenPart } from './download.ts';
import { openPartialFile } from './partial-file.ts';
import { createS3Clients, DEFAULT_MAX_ATTEMPTS, type ObjectStorageSettings } from './s3-clients.ts';
import { s3Failure, statusOf } from './s3-failure.ts';
import { parseS3Uri, type S3Location } from './s3-uri.ts';

export interface ObjectEntry extends S3Location {
  /** The key below the listed prefix, with `/` between folders. It must not be used as a file path without checks. */
  path: string;
  size_bytes: number;
  etag: string;
  mtime_ms: number;
}

export interface FetchedObject {
  size_bytes: number;
  etag: string;
  mtime_ms: number;
}

export interface StorageOptions {
  /** ARN of the role to assume for the request. */
  assumeRole?: string | undefined;
  signal: AbortSignal;
}

export interface ObjectStorage {
  /**
   * Lists the objects below `s3://bucket/prefix`, up to 1,000 at a time, in the order of the storage. Folder markers and hidden entries are
   * left out; without objects nothing is yielded.
   * @throws AppError `invalid_request` (bad URI, no such bucket), `storage_failed` (refused, unreachable); AbortError.
   */
  list(uri: string, options: StorageOptions): AsyncIterable<ObjectEntry[]>;
  /**
   * Fetches an object into a file, which appears when it is complete. An interrupted transfer continues where it stopped, and starts again
   * when
   * the object has changed.
   * @returns The version that was fetched.
   * @throws AppError `not_found` (the object was deleted), `too_large`, `disk_full`, `storage_failed`; AbortError.
   */
  fetchObject(
    object: S3Location,
    toFile: string,
    options: StorageOptions & { maxBytes?: number },
  ): Promise<FetchedObject>;
  /**
   * Stores a file as an object and replaces one with this key.
   * @throws AppError `invalid_request` (no such bucket), `storage_failed`; AbortError.
   */
  storeObject(object: S3Location, file: string, options: StorageOptions): Promise<void>;
  /**
   * Opens an object's bytes as a stream, which the caller must read or destroy.
   * @throws AppError `invalid_request` (no such bucket or object), `storage_failed`; AbortError. Later failures are errors of the stream.
   */
  readObject(object: S3Location, options: StorageOptions): Promise<Readable>;
  close(): void;
}

/** Whether an object's name is that of an image or video. */
export function isMediaObject(entry: ObjectEntry): boolean {
  return mediaNames.isImage(entry.path) || mediaNames.isVideo(entry.path);
}

const IDLE_MS = 60_000;
const BACKOFF_MS = 200;
const FOLDER_MARKER = /(\/|_\$folder\$)$/;

/** @param settings Returns the current settings; a change applies from the next request. */
export function createObjectStorage(settings: () => ObjectStorageSettings): ObjectStorage {
  const clients = createS3Clients(settings);

  async function getObject(object: S3Location, from: number, etag: string, options: StorageOptions) {
    const client = await clients.of(options.assumeRole);
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const rest = from > 0 ? { Range: `bytes=${from}-`, IfMatch: etag } : {};
    const answer = await client.send(new GetObjectCommand({ Bucket: object.bucket, Key: object.key, ...rest }), {
      abortSignal: options.signal,
    });
    if (!(answer.Body instanceof Readable)) throw new AppError('storage_failed', message('storage_without_content'));
    return { ...answer, Body: answer.Body };
  }

  async function* list(uri: string, options: StorageOptions): AsyncGenerator<ObjectEntry[]> {
    const { bucket, key } = parseS3Uri(uri);
    const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
    let token: string | undefined;
    do {
      const page = await listPage(bucket, prefix, token, options);
      if (page.entries.length > 0) yield page.entries;
      if (page.next !== undefined && page.next === token) {
        throw new AppError('storage_failed', message('storage_repeats_page'));
      }
      token = page.next;
    } while (token !== undefined);
  }

  async function listPage(bucket: string, prefix: string, token: string | undefined, options: StorageOptions) {
    try {
      const client = await clients.of(options.assumeRole);
      const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
      const page = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          // Keys may contain characters that XML cannot represent.
          EncodingType: 'url',
          ...(token !== undefined && { ContinuationToken: token }),
        }),
        { abortSignal: options.signal },
      );
      const entries: ObjectEntry[] = [];
      for (const { Key, Size, ETag, LastModified } of page.Contents ?? []) {
        const key = page.EncodingType === 'url' ? decodeKey(Key ?? '') : (Key ?? '');
        const path = key.slice(prefix.length);
        if (path === '' || FOLDER_MARKER.test(path) || isHiddenPath(path)) continue;
        entries.push({
          bucket,
          key,
          path,
          size_bytes: Size ?? 0,
          etag: ETag ?? '',
          mtime_ms: LastModified?.getTime() ?? 0,
        });
      }
      return { entries, next: page.IsTruncated ? page.NextContinuationToken : undefined };
    } catch (error) {
      options.signal.throwIfAborted();
      throw s3Failure(error, 'list');
    }
  }

  return {
    list,
    fetchObject: async (object, toFile, options) => {
      options.signal.throwIfAborted();
      const partial = await openPartialFile(toFile);
      let version = { etag: '', mtime_ms: 0 };
      const open: OpenPart = async (from, etag, signal) => {
        try {
          const answer = await getObject(object, from, etag ?? '', { ...options, signal });
          version = { etag: answer.ETag ?? '', mtime_ms: answer.LastModified?.getTime() ?? 0 };
          return partOf(answer, from, etag);
        } catch (error) {
          if (from > 0 && (statusOf(error) === 412 || statusOf(error) === 416)) return 'changed';
          signal.throwIfAborted();
          throw s3Failure(error, 'fetch');
        }
      };
      const { signal, maxBytes } = options;
      try {
        await download(open, partial, {
          signal,
          maxAttempts: settings().maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
          backoffMs: BACKOFF_MS,
          idleMs: IDLE_MS,
          ...(maxBytes !== undefined && { maxBytes }),
        });
        await partial.keep();
        return { size_bytes: partial.written_bytes(), ...version };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AppError) throw error;
        throw new AppError('storage_failed', message('storage_transfer_cut'));
      } finally {
        await partial.discard();
      }
    },
    storeObject: async ({ bucket, key }, file, { assumeRole, signal }) => {
      try {
        const client = await clients.of(assumeRole);
        const { PutObjectCommand } = await import('@aws-sdk/client-s3');
        const { size } = await stat(file);
        const body = { Body: createReadStream(file), ContentLength: size };
        await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, ...body }), { abortSignal: signal });
      } catch (error) {
        signal.throwIfAborted();
        throw s3Failure(error, 'store');
      }
    },
    readObject: async (object, options) => {
      try {
        return (await getObject(object, 0, '', options)).Body;
      } catch (error) {
        options.signal.throwIfAborted();
        throw s3Failure(error, 'read');
      }
    },
    close: () => clients.close(),
  };
}

function partOf(
  answer: {
    Body: Readable;
    ETag?: string | undefined;
    ContentRange?: string | undefined;
    ContentLength?: number | undefined;
  },
  from: number,
  etag: string | undefined,
): FilePart | 'changed' {
  const isRest = answer.ContentRange?.startsWith(`bytes ${from}-`) === true && answer.ETag === etag;
  if (from > 0 && answer.ContentRange !== undefined && !isRest) {
    answer.Body.destroy();
    return 'changed';
  }
  const start = from > 0 && isRest ? from : 0;
  const { ContentLength: rest } = answer;
  return {
    body: answer.Body,
    from: start,
    etag: answer.ETag,
    sizeBytes: rest === undefined ? undefined : start + rest,
  };
}

/** Decodes a key that is encoded like a query string: `+` is a space. Invalid encoding is returned unchanged. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}
