import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { AppError } from '../../contract/errors.ts';
import { type PartialFile, StalledError } from './partial-file.ts';

/** An answer or a break after which the same request may well succeed. */
export class TransientError extends Error {
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.name = 'TransientError';
    this.retryAfterMs = retryAfterMs;
  }
}

/** Bytes of a file as a server sends them, to its end. */
export interface FilePart {
  body: Readable;
  /** Where the body begins in the file. */
  from: number;
  /** Names these very bytes; undefined when the server has no such name. */
  etag: string | undefined;
  /** Of the whole file, where the server says it. */
  sizeBytes: number | undefined;
}

/**
 * Asks for a file's bytes from `from` on, of the version that `etag` names. `changed`: that version, or that part of it, is no more;
 * `whole`: nothing is left to send.
 * @throws AppError for what will not change; anything else is tried again.
 */
export type OpenPart = (
  from: number,
  etag: string | undefined,
  signal: AbortSignal,
) => Promise<FilePart | 'changed' | 'whole'>;

export interface DownloadRules {
  signal: AbortSignal;
  /** Tries in a row that bring nothing. */
  maxAttempts: number;
  /** Pause before the second try, doubled for each after it. */
  backoffMs: number;
  /** How long the next bytes may take. */
  idleMs: number;
  /** How long one try may take in all. */
  tryMs?: number;
  maxBytes?: number;
  /** Of what an earlier download left in the file. */
  etag?: string | undefined;
  /** Whether bytes may be added to those of a version that has no name. Default: no. */
  mayMix?: () => boolean;
  /** What is there is thrown away, before the first byte of another version. */
  onRestart?: () => Promise<void>;
  /** A part is about to be written. */
  onPart?: (part: Omit<FilePart, 'body'>) => Promise<void>;
  onChunk?: (chunk: Buffer) => void;
}

const MAX_BACKOFF_MS = 5_000;
const MAX_ASKED_MS = 30_000;
/** A transfer that gains a little each time is still given up at some point. */
const MAX_RESUMES = 100;

/**
 * Brings a file, going on behind what is there where the version is the same. When it ends, all bytes that were announced are written;
 * the file is the caller's to keep, leave or discard.
 * @throws AppError as {@link OpenPart} and {@link PartialFile}, `too_large`; AbortError; the last failure once the tries are used up.
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
      const askedMs = error instanceof TransientError ? Math.min(MAX_ASKED_MS, error.retryAfterMs) : 0;
      if (askedMs <= retryDelay || !mayTryAgain(error)) return;
      await delay(askedMs - retryDelay, undefined, { signal: rules.signal });
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

  /** One request for what is missing, under a time limit of its own. */
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
      throw new TransientError('The file changed while it was fetched');
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
      throw new AppError('too_large', 'The file is larger than allowed');
    }
    await this.#partial.append(body, { maxBytes, idleMs, signal, ...(onChunk && { onChunk }) });
    if (part.sizeBytes !== undefined && this.#partial.written_bytes() !== part.sizeBytes) {
      throw new TransientError('The server sent less than it announced');
    }
  }

  async #restart(): Promise<void> {
    this.#etag = undefined;
    if (this.#partial.written_bytes() === 0) return;
    await this.#partial.restart();
    await this.#rules.onRestart?.();
  }
}
