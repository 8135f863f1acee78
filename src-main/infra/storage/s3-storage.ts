import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../contract/errors.ts';
import { isHiddenPath } from '../files/hidden-names.ts';
import { mediaNames } from '../files/media-names.ts';
import { openPartialFile, type PartialFile } from './partial-file.ts';
import { createS3Clients, DEFAULT_MAX_ATTEMPTS, type ObjectStorageSettings } from './s3-clients.ts';
import { s3Failure, statusOf } from './s3-failure.ts';
import { parseS3Uri, type S3Location } from './s3-uri.ts';

export interface ObjectEntry extends S3Location {
  /** The key below the listed prefix; `/` between folders. Never a path to write to as it is. */
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
  /** ARN of a role to take before asking. */
  assumeRole?: string | undefined;
  signal: AbortSignal;
}

export interface ObjectStorage {
  /**
   * Objects below `s3://bucket/prefix`, up to 1,000 at a time, in the order of the storage. Folder markers and hidden entries are
   * left out; nothing is yielded when there is none.
   * @throws AppError `invalid_request` (bad URI, no such bucket), `storage_failed` (refused, unreachable); AbortError.
   */
  list(uri: string, options: StorageOptions): AsyncIterable<ObjectEntry[]>;
  /**
   * Fetches an object into a file that appears when it is whole. A cut transfer goes on where it stopped, and starts anew when the
   * object changed meanwhile; what is returned tells the version that was got.
   * @throws AppError `not_found` (the object vanished), `too_large`, `disk_full`, `storage_failed`; AbortError.
   */
  fetchObject(
    object: S3Location,
    toFile: string,
    options: StorageOptions & { maxBytes?: number },
  ): Promise<FetchedObject>;
  /**
   * An object's bytes as a stream, to be read or destroyed.
   * @throws AppError `invalid_request` (no such bucket or object), `storage_failed`; AbortError. Later failures come through the stream.
   */
  readObject(object: S3Location, options: StorageOptions): Promise<Readable>;
  close(): void;
}

/** Whether an object is an image or video by its name. */
export function isMediaObject(entry: ObjectEntry): boolean {
  return mediaNames.isImage(entry.path) || mediaNames.isVideo(entry.path);
}

const IDLE_MS = 60_000;
const BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;
/** A transfer that gains a little each time is still given up at some point. */
const MAX_RESUMES = 100;
const FOLDER_MARKER = /(\/|_\$folder\$)$/;

export function createObjectStorage(settings: ObjectStorageSettings): ObjectStorage {
  const clients = createS3Clients(settings);
  const maxAttempts = settings.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;

  async function getObject(object: S3Location, from: number, etag: string, options: StorageOptions) {
    const client = await clients.of(options.assumeRole);
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const rest = from > 0 ? { Range: `bytes=${from}-`, IfMatch: etag } : {};
    const answer = await client.send(new GetObjectCommand({ Bucket: object.bucket, Key: object.key, ...rest }), {
      abortSignal: options.signal,
    });
    if (!(answer.Body instanceof Readable)) throw new AppError('storage_failed', 'The object storage sent no content');
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
        throw new AppError('storage_failed', 'The object storage repeats the same page of its list');
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
          // Keys may hold characters that XML cannot.
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

  /** One go at the rest of an object. Returns undefined when the transfer was cut or the object changed: to be tried again. */
  async function transfer(
    object: S3Location,
    partial: PartialFile,
    etag: string,
    options: StorageOptions & { maxBytes?: number },
  ): Promise<{ etag: string; whole?: FetchedObject }> {
    const from = partial.written_bytes();
    let answer: Awaited<ReturnType<typeof getObject>>;
    try {
      answer = await getObject(object, from, etag, options);
    } catch (error) {
      if (from === 0 || (statusOf(error) !== 412 && statusOf(error) !== 416)) throw error;
      await partial.restart();
      return { etag: '' };
    }
    const got = answer.ETag ?? '';
    const goesOn = answer.ContentRange?.startsWith(`bytes ${from}-`) === true && got === etag;
    if (from > 0 && !goesOn) {
      await partial.restart();
      if (answer.ContentRange !== undefined) {
        answer.Body.destroy();
        return { etag: '' };
      }
    }
    const announced = answer.ContentLength === undefined ? undefined : partial.written_bytes() + answer.ContentLength;
    const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
    if (announced !== undefined && announced > maxBytes) {
      answer.Body.destroy();
      throw new AppError('too_large', 'The object is larger than allowed');
    }
    try {
      await partial.append(answer.Body, { maxBytes, idleMs: IDLE_MS, signal: options.signal });
    } catch (error) {
      if (error instanceof AppError || options.signal.aborted) throw error;
      return { etag: got };
    }
    const sizeBytes = partial.written_bytes();
    if (announced !== undefined && sizeBytes !== announced) return { etag: got };
    return { etag: got, whole: { size_bytes: sizeBytes, etag: got, mtime_ms: answer.LastModified?.getTime() ?? 0 } };
  }

  return {
    list,
    fetchObject: async (object, toFile, options) => {
      options.signal.throwIfAborted();
      const partial = await openPartialFile(toFile);
      try {
        let etag = '';
        for (let resumes = 0, failures = 0; resumes < MAX_RESUMES && failures < maxAttempts; resumes += 1) {
          const before = partial.written_bytes();
          const state = await transfer(object, partial, etag, options);
          if (state.whole) {
            await partial.keep();
            return state.whole;
          }
          etag = state.etag;
          failures = partial.written_bytes() > before ? 1 : failures + 1;
          const pauseMs = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - 1));
          await delay(pauseMs, undefined, { signal: options.signal });
        }
        throw new AppError('storage_failed', 'The transfer from the object storage was cut again and again');
      } catch (error) {
        options.signal.throwIfAborted();
        throw s3Failure(error, 'fetch');
      } finally {
        await partial.discard();
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

/** Keys come as in a query string: `+` for a space. What is not well encoded is taken as it is. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}
