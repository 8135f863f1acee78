import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../contract/errors.ts';
import type { GuardedRequests } from '../../storage/guarded-request.ts';
import { announcedBytes, followRedirects, httpUrl, TransientError, whyGivenUp } from '../../storage/http-answer.ts';
import { openPartialFile, type PartialFile } from '../../storage/partial-file.ts';
import { ensureRoomFor } from './disk-room.ts';
import type { FileRecord } from './package-folder.ts';

export interface FetchSettings {
  /** Tries at one address without a byte of progress before the next is asked. Default 4. */
  maxAttempts?: number;
  /** Pause before the second try, doubled for each after it. Default 500. */
  backoffMs?: number;
  /** How long a header or the next bytes may take. Default 30,000. */
  idleMs?: number;
}

export interface WantedFile {
  path: string;
  /** Absolute path that the file gets when it is whole. */
  toFile: string;
  /** Addresses in the order in which they are tried. */
  urls: readonly string[];
  /** As the catalogue states them. */
  sizeBytes: number | undefined;
  sha256: string | undefined;
  /** SHA-256 of the first download; holds where the catalogue states none. */
  knownSha256: string | undefined;
  /** ETag of what an earlier try received, with which the rest can be asked for. */
  etag: string | undefined;
  signal: AbortSignal;
  on_etag(etag: string | undefined): Promise<void>;
  onProgress(receivedBytes: number, announcedBytes: number | undefined): void;
}

const MAX_BACKOFF_MS = 30_000;
/** Damaged twice from one place is not bad luck. */
const MAX_DAMAGED = 2;

/** What arrived is whole but not what it should be. */
class DamagedError extends Error {}

/** One address will not give the file, however often it is asked. Failures of this machine's disk are none. */
class RefusedError extends Error {
  readonly reason: AppError;
  constructor(reason: AppError) {
    super(reason.message);
    this.reason = reason;
  }
}

/**
 * Fetches one file, going on behind what is there already. Its bytes are hashed as they come, those of an earlier try once more.
 * @throws AppError with the reason of the last address; AbortError. What was received stays for the next try.
 */
export async function fetchModelFile(
  wanted: WantedFile,
  requests: GuardedRequests,
  settings: FetchSettings,
): Promise<FileRecord> {
  const partial = await openPartialFile(wanted.toFile, { go_on: true });
  try {
    const transfer = new FileTransfer(wanted, requests, partial, settings.idleMs ?? 30_000);
    await transfer.readReceived();
    let failure: AppError | undefined;
    for (const url of wanted.urls) {
      const outcome = await fetchFrom(url, transfer, wanted.signal, settings);
      if (!(outcome instanceof AppError)) {
        await partial.keep();
        return outcome;
      }
      // The first address is the one that the person chose: its reason is the one to tell.
      failure ??= outcome;
    }
    throw failure ?? new AppError('storage_failed', 'No address of a hub is set');
  } finally {
    await partial.leave();
  }
}

/** Tries one address until it is of no use. @returns the reason then. @throws AppError when the disk fails; AbortError. */
async function fetchFrom(
  url: string,
  transfer: FileTransfer,
  signal: AbortSignal,
  { maxAttempts = 4, backoffMs = 500 }: FetchSettings,
): Promise<FileRecord | AppError> {
  const { host } = httpUrl(url);
  for (let failures = 0, damaged = 0; ; ) {
    const before = transfer.receivedBytes;
    try {
      return await transfer.go(httpUrl(url));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      if (error instanceof RefusedError) return plainRefusal(host, transfer.lastStatus, error.reason);
      if (error instanceof DamagedError) {
        damaged += 1;
        if (damaged >= MAX_DAMAGED) return new AppError('storage_failed', `${host}: ${error.message}`);
        continue;
      }
      failures = transfer.receivedBytes > before ? 1 : failures + 1;
      if (failures >= maxAttempts) return new AppError('storage_failed', `${host}: ${whyGivenUp(error)}. ${REMEDY}`);
      const askedMs = error instanceof TransientError ? error.retryAfterMs : 0;
      const pauseMs = Math.min(MAX_BACKOFF_MS, Math.max(askedMs, backoffMs * 2 ** (failures - 1)));
      await delay(pauseMs, undefined, { signal });
    }
  }
}

const REMEDY = 'Try again later, or import the model from a folder';

function plainRefusal(host: string, status: number, error: AppError): AppError {
  if (status === 404 || status === 410) {
    return new AppError('not_found', `${host} does not have this file; the model may have been moved or taken away`);
  }
  if (status === 401 || status === 403) {
    return new AppError(
      'forbidden',
      `${host} gives this file only to people with permission. Fetch it there and import it from a folder`,
    );
  }
  return new AppError(error.code, `${host}: ${error.message}`);
}

/** The bytes of one file across several requests. */
class FileTransfer {
  /** Status of the last answer; 0 before one came. */
  lastStatus = 0;
  readonly #wanted: WantedFile;
  readonly #requests: GuardedRequests;
  readonly #partial: PartialFile;
  readonly #idleMs: number;
  #hash: Hash = createHash('sha256');
  #etag: string | undefined;
  /** SHA-256 that a hub names in the header of its redirect, as huggingface_hub's `file_download` reads it. */
  #published: string | undefined;

  constructor(wanted: WantedFile, requests: GuardedRequests, partial: PartialFile, idleMs: number) {
    this.#wanted = wanted;
    this.#requests = requests;
    this.#partial = partial;
    this.#idleMs = idleMs;
    this.#etag = wanted.etag;
  }

  get receivedBytes(): number {
    return this.#partial.written_bytes();
  }

  /** Hashes what an earlier try left. */
  async readReceived(): Promise<void> {
    if (this.receivedBytes === 0) return;
    const received = createReadStream(`${this.#wanted.toFile}.partial`, { signal: this.#wanted.signal });
    for await (const chunk of received) this.#hash.update(chunk as Buffer);
    this.#wanted.onProgress(this.receivedBytes, this.#wanted.sizeBytes);
  }

  /** One request for the rest. @throws when the file is not whole and right after it. */
  async go(url: URL): Promise<FileRecord> {
    const from = this.receivedBytes;
    if (from > 0 && !this.#canGoOn()) {
      await this.#restart();
      return this.go(url);
    }
    // The app ended between the last byte and the check.
    if (from > 0 && from === this.#wanted.sizeBytes) return this.#check();
    const answer = await this.#ask(url, from);
    try {
      await this.#take(answer, from);
    } finally {
      answer.destroy();
    }
    return this.#check();
  }

  /** Bytes of an unknown version could only be told apart by a hash. */
  #canGoOn(): boolean {
    return this.#etag !== undefined || this.#expected() !== undefined;
  }

  #expected(): string | undefined {
    return this.#wanted.sha256 ?? this.#wanted.knownSha256 ?? this.#published;
  }

  async #ask(url: URL, from: number): Promise<IncomingMessage> {
    this.lastStatus = 0;
    const headers: Record<string, string> = {};
    if (from > 0) headers.range = `bytes=${from}-`;
    if (from > 0 && this.#etag !== undefined) headers['if-range'] = this.#etag;
    const answer = await followRedirects(this.#requests, url, {
      headerMs: this.#idleMs,
      signal: this.#wanted.signal,
      accept: [200, 206, 416],
      headers,
      onAnswer: (answer) => {
        this.lastStatus = answer.statusCode ?? 0;
        const linked = /^"?([0-9a-f]{64})"?$/.exec(String(answer.headers['x-linked-etag'] ?? ''))?.[1];
        if (linked !== undefined) this.#published = linked;
      },
    }).catch(refused);
    if ((answer.headers['content-encoding'] ?? 'identity') === 'identity') return answer;
    answer.destroy();
    throw new RefusedError(new AppError('storage_failed', 'The server compresses although it was asked not to'));
  }

  async #take(answer: IncomingMessage, from: number): Promise<void> {
    const etag = strongEtag(answer);
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.headers['content-range'] ?? '');
    const unsatisfied = /^bytes \*\/(\d+)$/.exec(answer.headers['content-range'] ?? '');
    if (answer.statusCode === 416 && from > 0 && Number(unsatisfied?.[1]) === from) return;
    const goesOn =
      answer.statusCode === 206 && from > 0 && Number(range?.[1]) === from && (etag ?? this.#etag) === this.#etag;
    if (answer.statusCode !== 200 && !goesOn) {
      // Another version, or a server that counts differently: from the start.
      await this.#restart();
      throw new TransientError('The server answered with another part of the file');
    }
    if (!goesOn && from > 0) await this.#restart();
    if (!goesOn) {
      this.#etag = etag;
      await this.#wanted.on_etag(etag);
    }
    const rest = announcedBytes(answer);
    const announced = rest === undefined ? undefined : this.receivedBytes + rest;
    const stated = this.#wanted.sizeBytes;
    if (announced !== undefined && stated !== undefined && announced !== stated) {
      const detail = `The file there has ${announced} bytes, not the ${stated} that the catalogue states`;
      throw new RefusedError(new AppError('storage_failed', detail));
    }
    await ensureRoomFor(dirname(this.#wanted.toFile), rest ?? 0);
    await this.#partial
      .append(answer, {
        maxBytes: stated ?? announced ?? Number.POSITIVE_INFINITY,
        idleMs: this.#idleMs,
        signal: this.#wanted.signal,
        onChunk: (chunk) => {
          this.#hash.update(chunk);
          this.#wanted.onProgress(this.receivedBytes, announced ?? stated);
        },
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'too_large') return refused(error);
        throw error;
      });
    if (announced !== undefined && this.receivedBytes < announced) {
      throw new TransientError('The server sent less than it announced');
    }
  }

  async #check(): Promise<FileRecord> {
    const { sizeBytes, path } = this.#wanted;
    const record = { path, size_bytes: this.receivedBytes, sha256: this.#hash.copy().digest('hex') };
    const expected = this.#expected();
    if (expected !== undefined && record.sha256 !== expected) {
      await this.#restart();
      const whose =
        expected === this.#wanted.knownSha256 && this.#wanted.sha256 === undefined ? 'the first time' : 'stated';
      throw new DamagedError(
        `The file that came is not the one ${whose}: it is damaged, or was exchanged (SHA-256 differs)`,
      );
    }
    if (sizeBytes !== undefined && record.size_bytes !== sizeBytes) {
      await this.#restart();
      throw new DamagedError('The file that came has not the size that the catalogue states');
    }
    return record;
  }

  async #restart(): Promise<void> {
    await this.#partial.restart();
    this.#hash = createHash('sha256');
    this.#etag = undefined;
    await this.#wanted.on_etag(undefined);
    this.#wanted.onProgress(0, undefined);
  }
}

function refused(error: unknown): never {
  throw error instanceof AppError ? new RefusedError(error) : error;
}

/** Only a strong one names exactly these bytes (RFC 9110, section 8.8.1). */
function strongEtag(answer: IncomingMessage): string | undefined {
  const { etag } = answer.headers;
  return etag?.startsWith('"') ? etag : undefined;
}
