import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { formatMessage, type Message, message } from '../../contract/messages.ts';
import { download, type FilePart, type OpenPart } from '../storage/download.ts';
import type { GuardedRequests } from '../storage/guarded-request.ts';
import { httpUrl, transferProblem } from '../storage/http-answer.ts';
import { openHttpPart } from '../storage/http-part.ts';
import { openPartialFile, type PartialFile } from '../storage/partial-file.ts';
import { ensureRoomFor } from './disk-room.ts';
import type { FileRecord } from './package-folder.ts';

export interface FetchSettings {
  /** Attempts at one address without progress before the next address is tried. Default 4. */
  maxAttempts?: number;
  /** Pause in ms before the second attempt, doubled for each further one. Default 500. */
  backoffMs?: number;
  /** Timeout in ms for a response header or further bytes. Default 30,000. */
  idleMs?: number;
}

export interface RequestedFile {
  path: string;
  /** Absolute path of the file when it is complete. */
  toFile: string;
  /** Addresses in the order in which they are tried. */
  urls: readonly string[];
  /** Size and hash as the catalogue states them. */
  sizeBytes: number | undefined;
  sha256: string | undefined;
  /** SHA-256 of the first download; used where the catalogue states none. */
  knownSha256: string | undefined;
  /** ETag of an earlier attempt, needed to request the rest. */
  etag: string | undefined;
  signal: AbortSignal;
  on_etag(etag: string | undefined): Promise<void>;
  onProgress(receivedBytes: number, announcedBytes: number | undefined): void;
}

/** After this many damaged downloads from one address, the next address is tried. */
const MAX_DAMAGED = 2;

/** The file is complete but has a wrong size or hash. */
class DamagedError extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(formatMessage(reason));
    this.reason = reason;
  }
}

/** An address cannot deliver the file, and retrying does not help. Disk errors of this machine do not count. */
class RefusedError extends AppError {}

/**
 * Downloads one file and resumes after the bytes that already exist. All bytes are hashed, those of an earlier attempt again.
 * @throws AppError with the reason of the last address; AbortError. Received bytes are stored for the next attempt.
 */
export async function fetchModelFile(
  requested: RequestedFile,
  requests: GuardedRequests,
  settings: FetchSettings,
): Promise<FileRecord> {
  const partial = await openPartialFile(requested.toFile, { resume: true });
  try {
    const transfer = new FileTransfer(requested, requests, partial);
    await transfer.readReceived();
    let failure: AppError | undefined;
    for (const url of requested.urls) {
      const outcome = await fetchFrom(url, transfer, requested.signal, settings);
      if (!(outcome instanceof AppError)) {
        await partial.keep();
        return outcome;
      }
      // The first address is the one that the user chose, so its error is reported.
      failure ??= outcome;
    }
    throw failure ?? new AppError('storage_failed', message('download_without_address'));
  } finally {
    await partial.leave();
  }
}

/**
 * Downloads from one address until it succeeds or cannot continue.
 * @returns The reason for a failure.
 * @throws AppError when the disk fails; AbortError.
 */
async function fetchFrom(
  url: string,
  transfer: FileTransfer,
  signal: AbortSignal,
  settings: FetchSettings,
): Promise<FileRecord | AppError> {
  const { host } = httpUrl(url);
  for (let damaged = 1; ; damaged += 1) {
    try {
      return await transfer.go(httpUrl(url), settings);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RefusedError) return plainRefusal(host, transfer.lastStatus, error);
      if (error instanceof AppError) throw error;
      if (!(error instanceof DamagedError)) {
        return new AppError('storage_failed', message('download_given_up', { host, problem: transferProblem(error) }));
      }
      if (damaged >= MAX_DAMAGED) {
        return new AppError('storage_failed', message('download_from_host_failed', { host, problem: error.reason }));
      }
    }
  }
}

function plainRefusal(host: string, status: number, error: AppError): AppError {
  if (status === 404 || status === 410) {
    return new AppError('not_found', message('download_file_gone', { host }));
  }
  if (status === 401 || status === 403) {
    return new AppError('forbidden', message('download_forbidden', { host }));
  }
  return new AppError(error.code, message('download_from_host_failed', { host, problem: error.reason }));
}

/** The bytes of one file across several requests. */
class FileTransfer {
  /** Status of the last response; 0 before the first. */
  lastStatus = 0;
  readonly #requested: RequestedFile;
  readonly #requests: GuardedRequests;
  readonly #partial: PartialFile;
  #hash: Hash = createHash('sha256');
  #etag: string | undefined;
  /** Size of the complete file as the server states it. */
  #announced: number | undefined;
  /** SHA-256 that a hub names in the header of its redirect, as huggingface_hub's `file_download` reads it. */
  #published: string | undefined;

  constructor(requested: RequestedFile, requests: GuardedRequests, partial: PartialFile) {
    this.#requested = requested;
    this.#requests = requests;
    this.#partial = partial;
    this.#etag = requested.etag;
  }

  get receivedBytes(): number {
    return this.#partial.written_bytes();
  }

  /** Hashes the bytes of an earlier attempt. */
  async readReceived(): Promise<void> {
    if (this.receivedBytes === 0) return;
    const received = createReadStream(`${this.#requested.toFile}.partial`, { signal: this.#requested.signal });
    for await (const chunk of received) this.#hash.update(chunk as Buffer);
    this.#requested.onProgress(this.receivedBytes, this.#requested.sizeBytes);
  }

  /** @throws when the file is incomplete or damaged afterwards. */
  async go(url: URL, { maxAttempts = 4, backoffMs = 500, idleMs = 30_000 }: FetchSettings): Promise<FileRecord> {
    const { signal, sizeBytes } = this.#requested;
    const isKnown = this.#etag !== undefined || this.#expected() !== undefined;
    // The app may have ended between the last byte and the check.
    if (isKnown && this.receivedBytes === sizeBytes) return this.#check();
    const open: OpenPart = (from, etag, stopped) => this.#ask(url, { from, etag }, idleMs, stopped);
    await download(open, this.#partial, {
      signal,
      maxAttempts,
      backoffMs,
      idleMs,
      ...(sizeBytes !== undefined && { maxBytes: sizeBytes }),
      etag: this.#etag,
      // Without an ETag, only the hash shows whether bytes are of another version.
      mayMix: () => this.#expected() !== undefined,
      onRestart: () => this.#forget(),
      onPart: (part) => this.#admit(part),
      onChunk: (chunk) => {
        this.#hash.update(chunk);
        this.#requested.onProgress(this.receivedBytes, this.#announced ?? sizeBytes);
      },
    }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'too_large') return refused(error);
      throw error;
    });
    return this.#check();
  }

  #expected(): string | undefined {
    return this.#requested.sha256 ?? this.#requested.knownSha256 ?? this.#published;
  }

  async #ask(url: URL, requested: { from: number; etag: string | undefined }, headerMs: number, signal: AbortSignal) {
    this.lastStatus = 0;
    const onAnswer = (answer: IncomingMessage) => {
      this.lastStatus = answer.statusCode ?? 0;
      const linked = /^"?([0-9a-f]{64})"?$/.exec(String(answer.headers['x-linked-etag'] ?? ''))?.[1];
      if (linked !== undefined) this.#published = linked;
    };
    return openHttpPart(this.#requests, url, requested, { headerMs, signal, onAnswer }).catch(refused);
  }

  /** Whether a part may be written. @throws RefusedError for another size than the stated one, AppError `disk_full`. */
  async #admit({ from, etag, sizeBytes: announced }: Omit<FilePart, 'body'>): Promise<void> {
    const { sizeBytes: stated, toFile } = this.#requested;
    if (from === 0) {
      this.#etag = etag;
      await this.#requested.on_etag(etag);
    }
    this.#announced = announced;
    if (announced !== undefined && stated !== undefined && announced !== stated) {
      const detail = message('download_size_differs', { found: announced, stated });
      throw new RefusedError('storage_failed', detail);
    }
    await ensureRoomFor(dirname(toFile), announced === undefined ? 0 : announced - from);
  }

  async #check(): Promise<FileRecord> {
    const { sizeBytes, path } = this.#requested;
    const record = { path, size_bytes: this.receivedBytes, sha256: this.#hash.copy().digest('hex') };
    const expected = this.#expected();
    if (expected !== undefined && record.sha256 !== expected) {
      await this.#restart();
      const isStated = this.#requested.sha256 !== undefined || expected !== this.#requested.knownSha256;
      throw new DamagedError(message(isStated ? 'download_hash_differs' : 'download_hash_changed'));
    }
    if (sizeBytes !== undefined && record.size_bytes !== sizeBytes) {
      await this.#restart();
      throw new DamagedError(message('download_size_wrong'));
    }
    return record;
  }

  async #restart(): Promise<void> {
    await this.#partial.restart();
    await this.#forget();
  }

  async #forget(): Promise<void> {
    this.#hash = createHash('sha256');
    this.#etag = undefined;
    await this.#requested.on_etag(undefined);
    this.#requested.onProgress(0, undefined);
  }
}

function refused(error: unknown): never {
  throw error instanceof AppError ? new RefusedError(error.code, error.reason) : error;
}
