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
  max_attempts?: number;
  /** Pause before the second try, doubled for each after it. Default 500. */
  backoff_ms?: number;
  /** How long a header or the next bytes may take. Default 30,000. */
  idle_ms?: number;
}

export interface WantedFile {
  path: string;
  /** Absolute path that the file gets when it is whole. */
  to_file: string;
  /** Addresses in the order in which they are tried. */
  urls: readonly string[];
  /** As the catalogue states them. */
  size_bytes: number | undefined;
  sha256: string | undefined;
  /** SHA-256 of the first download; holds where the catalogue states none. */
  known_sha256: string | undefined;
  /** ETag of what an earlier try received, with which the rest can be asked for. */
  etag: string | undefined;
  signal: AbortSignal;
  on_etag(etag: string | undefined): Promise<void>;
  on_progress(received_bytes: number, announced_bytes: number | undefined): void;
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
  const partial = await openPartialFile(wanted.to_file, { go_on: true });
  try {
    const transfer = new FileTransfer(wanted, requests, partial, settings.idle_ms ?? 30_000);
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
  { max_attempts = 4, backoff_ms = 500 }: FetchSettings,
): Promise<FileRecord | AppError> {
  const { host } = httpUrl(url);
  for (let failures = 0, damaged = 0; ; ) {
    const before = transfer.received_bytes;
    try {
      return await transfer.go(httpUrl(url));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      if (error instanceof RefusedError) return plainRefusal(host, transfer.last_status, error.reason);
      if (error instanceof DamagedError) {
        damaged += 1;
        if (damaged >= MAX_DAMAGED) return new AppError('storage_failed', `${host}: ${error.message}`);
        continue;
      }
      failures = transfer.received_bytes > before ? 1 : failures + 1;
      if (failures >= max_attempts) return new AppError('storage_failed', `${host}: ${whyGivenUp(error)}. ${REMEDY}`);
      const asked_ms = error instanceof TransientError ? error.retry_after_ms : 0;
      const pause_ms = Math.min(MAX_BACKOFF_MS, Math.max(asked_ms, backoff_ms * 2 ** (failures - 1)));
      await delay(pause_ms, undefined, { signal });
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
  last_status = 0;
  readonly #wanted: WantedFile;
  readonly #requests: GuardedRequests;
  readonly #partial: PartialFile;
  readonly #idle_ms: number;
  #hash: Hash = createHash('sha256');
  #etag: string | undefined;
  /** SHA-256 that a hub names in the header of its redirect, as huggingface_hub's `file_download` reads it. */
  #published: string | undefined;

  constructor(wanted: WantedFile, requests: GuardedRequests, partial: PartialFile, idle_ms: number) {
    this.#wanted = wanted;
    this.#requests = requests;
    this.#partial = partial;
    this.#idle_ms = idle_ms;
    this.#etag = wanted.etag;
  }

  get received_bytes(): number {
    return this.#partial.written_bytes();
  }

  /** Hashes what an earlier try left. */
  async readReceived(): Promise<void> {
    if (this.received_bytes === 0) return;
    const received = createReadStream(`${this.#wanted.to_file}.partial`, { signal: this.#wanted.signal });
    for await (const chunk of received) this.#hash.update(chunk as Buffer);
    this.#wanted.on_progress(this.received_bytes, this.#wanted.size_bytes);
  }

  /** One request for the rest. @throws when the file is not whole and right after it. */
  async go(url: URL): Promise<FileRecord> {
    const from = this.received_bytes;
    if (from > 0 && !this.#canGoOn()) {
      await this.#restart();
      return this.go(url);
    }
    // The app ended between the last byte and the check.
    if (from > 0 && from === this.#wanted.size_bytes) return this.#check();
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
    return this.#wanted.sha256 ?? this.#wanted.known_sha256 ?? this.#published;
  }

  async #ask(url: URL, from: number): Promise<IncomingMessage> {
    this.last_status = 0;
    const headers: Record<string, string> = {};
    if (from > 0) headers.range = `bytes=${from}-`;
    if (from > 0 && this.#etag !== undefined) headers['if-range'] = this.#etag;
    const answer = await followRedirects(this.#requests, url, {
      header_ms: this.#idle_ms,
      signal: this.#wanted.signal,
      accept: [200, 206, 416],
      headers,
      on_answer: (answer) => {
        this.last_status = answer.statusCode ?? 0;
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
    const goes_on =
      answer.statusCode === 206 && from > 0 && Number(range?.[1]) === from && (etag ?? this.#etag) === this.#etag;
    if (answer.statusCode !== 200 && !goes_on) {
      // Another version, or a server that counts differently: from the start.
      await this.#restart();
      throw new TransientError('The server answered with another part of the file');
    }
    if (!goes_on && from > 0) await this.#restart();
    if (!goes_on) {
      this.#etag = etag;
      await this.#wanted.on_etag(etag);
    }
    const rest = announcedBytes(answer);
    const announced = rest === undefined ? undefined : this.received_bytes + rest;
    const stated = this.#wanted.size_bytes;
    if (announced !== undefined && stated !== undefined && announced !== stated) {
      const detail = `The file there has ${announced} bytes, not the ${stated} that the catalogue states`;
      throw new RefusedError(new AppError('storage_failed', detail));
    }
    await ensureRoomFor(dirname(this.#wanted.to_file), rest ?? 0);
    await this.#partial
      .append(answer, {
        max_bytes: stated ?? announced ?? Number.POSITIVE_INFINITY,
        idle_ms: this.#idle_ms,
        signal: this.#wanted.signal,
        on_chunk: (chunk) => {
          this.#hash.update(chunk);
          this.#wanted.on_progress(this.received_bytes, announced ?? stated);
        },
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'too_large') return refused(error);
        throw error;
      });
    if (announced !== undefined && this.received_bytes < announced) {
      throw new TransientError('The server sent less than it announced');
    }
  }

  async #check(): Promise<FileRecord> {
    const { size_bytes, path } = this.#wanted;
    const record = { path, size_bytes: this.received_bytes, sha256: this.#hash.copy().digest('hex') };
    const expected = this.#expected();
    if (expected !== undefined && record.sha256 !== expected) {
      await this.#restart();
      const whose =
        expected === this.#wanted.known_sha256 && this.#wanted.sha256 === undefined ? 'the first time' : 'stated';
      throw new DamagedError(
        `The file that came is not the one ${whose}: it is damaged, or was exchanged (SHA-256 differs)`,
      );
    }
    if (size_bytes !== undefined && record.size_bytes !== size_bytes) {
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
    this.#wanted.on_progress(0, undefined);
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
