import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { AppError } from '../../contract/errors.ts';
import { formatMessage, type Message, message } from '../../contract/messages.ts';
import { type PartialFile, StalledError } from './partial-file.ts';

/** A response or a connection failure after which the same request may succeed. */
export class TransientError extends Error {
  readonly reason: Message;
  readonly retryAfterMs: number;

  constructor(reason: Message, retryAfterMs = 0) {
    super(formatMessage(reason));
    this.name = 'TransientError';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Bytes of a file as sent by a server, up to the end of the file. */
export interface FilePart {
  body: Readable;
  /** Offset in the file at which the body starts, in bytes. */
  from: number;
  /** Entity tag of exactly these bytes; undefined when the server sends none. */
  etag: string | undefined;
  /** Length of the whole file, if the server specifies it. */
  sizeBytes: number | undefined;
}

/**
 * Requests a file's bytes from offset `from`, of the version with entity tag `etag`.
 * @returns `changed`: that version or range no longer exists. `whole`: no bytes are left to send.
 * @throws AppError for failures that a retry cannot resolve. All other errors are retried.
 */
export type OpenPart = (
  from: number,
  etag: string | undefined,
  signal: AbortSignal,
) => Promise<FilePart | 'changed' | 'whole'>;

export interface DownloadRules {
  signal: AbortSignal;
  /** Maximum number of consecutive attempts that receive no bytes. */
  maxAttempts: number;
  /** Pause in ms before the second attempt, doubled for each further one. */
  backoffMs: number;
  /** Maximum time in ms to wait for the next bytes. */
  idleMs: number;
  /** Maximum duration of one attempt in ms. */
  tryMs?: number;
  maxBytes?: number;
  /** Entity tag of the bytes that an earlier download left in the file. */
  etag?: string | undefined;
  /** Whether bytes may be appended to those of a version without an entity tag (default no). */
  mayMix?: () => boolean;
  /** Called after the stored bytes were discarded, before the first byte of another version. */
  onRestart?: () => Promise<void>;
  /** Called before a part is written. */
  onPart?: (part: Omit<FilePart, 'body'>) => Promise<void>;
  onChunk?: (chunk: Buffer) => void;
}

const MAX_BACKOFF_MS = 5_000;
const MAX_SERVER_DELAY_MS = 30_000;
/** Maximum number of retries, also for a transfer that receives some bytes each time. */
const MAX_RESUMES = 100;

/**
 * Downloads a file. If the version is unchanged, the download continues after the bytes already stored. On return all announced bytes are
 * written; the caller then calls `keep`, `leave` or `discard` on the file.
 * @throws AppError as {@link OpenPart} and {@link PartialFile}, `too_large`; AbortError; the last failure after all attempts failed.
 */
export async function download(open: OpenPart, partial: PartialFile, rules: DownloadRules): Promise<void> {
  const transfer = new Transfer(open, partial, rules);
  let failures = 0;
  const attempt = async () => {
    const before = partial.written_bytes();
    try {
      await transfer.once();
    } catch (error) {
      failures = partial.written_bytes() > before ? 1 : failures + 1;
      throw error;
    }
  };
  const mayTryAgain = (error: Error) => !(error instanceof AppError) && failures < rules.maxAttempts;
  await pRetry(attempt, {
    retries: MAX_RESUMES,
    minTimeout: rules.backoffMs,
    maxTimeout: MAX_BACKOFF_MS,
    signal: rules.signal,
    shouldRetry: ({ error }) => mayTryAgain(error),
    onFailedAttempt: async ({ error, retryDelay }) => {
      const serverDelayMs = error instanceof TransientError ? Math.min(MAX_SERVER_DELAY_MS, error.retryAfterMs) : 0;
      if (serverDelayMs <= retryDelay || !mayTryAgain(error)) return;
      await delay(serverDelayMs - retryDelay, undefined, { signal: rules.signal });
    },
  });
}

class Transfer {
  readonly #open: OpenPart;
  readonly #partial: PartialFile;
  readonly #rules: DownloadRules;
  #etag: string | undefined;

  constructor(open: OpenPart, partial: PartialFile, rules: DownloadRules) {
    this.#open = open;
    this.#partial = partial;
    this.#rules = rules;
    this.#etag = rules.etag;
  }

  /** Sends one request for the missing bytes, with a time limit of its own. */
  async once(): Promise<void> {
    const { signal, tryMs } = this.#rules;
    if (tryMs === undefined) return this.#bring(signal);
    const limit = new AbortController();
    const stop = () => limit.abort(signal.reason);
    const timer = setTimeout(() => limit.abort(new StalledError()), tryMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#bring(limit.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async #bring(signal: AbortSignal): Promise<void> {
    if (this.#etag === undefined && !this.#rules.mayMix?.()) await this.#restart();
    const part = await this.#open(this.#partial.written_bytes(), this.#etag, signal);
    if (part === 'whole') return;
    if (part === 'changed') {
      await this.#restart();
      throw new TransientError(message('fetched_file_changed'));
    }
    try {
      await this.#write(part, signal);
    } finally {
      part.body.destroy();
    }
  }

  async #write({ body, ...part }: FilePart, signal: AbortSignal): Promise<void> {
    const { maxBytes = Number.POSITIVE_INFINITY, idleMs, onPart, onChunk } = this.#rules;
    if (part.from === 0) await this.#restart();
    this.#etag = part.etag ?? this.#etag;
    await onPart?.(part);
    if (part.sizeBytes !== undefined && part.sizeBytes > maxBytes) {
      throw new AppError('too_large', message('fetched_file_too_large'));
    }
    await this.#partial.append(body, { maxBytes, idleMs, signal, ...(onChunk && { onChunk }) });
    if (part.sizeBytes !== undefined && this.#partial.written_bytes() !== part.sizeBytes) {
      throw new TransientError(message('server_sent_less'));
    }
  }

  async #restart(): Promise<void> {
    this.#etag = undefined;
    if (this.#partial.written_bytes() === 0) return;
    await this.#partial.restart();
    await this.#rules.onRestart?.();
  }
}
