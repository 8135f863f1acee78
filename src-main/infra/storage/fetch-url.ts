import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../contract/errors.ts';
import { createGuardedRequests } from './guarded-request.ts';
import { announcedBytes, followRedirects, httpUrl, TransientError, whyGivenUp } from './http-answer.ts';
import { openPartialFile, type PartialFile, StalledError } from './partial-file.ts';
import { isPublicAddress } from './public-address.ts';

export interface UrlFetcherSettings {
  /** Whether loopback, private, link-local and other special addresses may be reached. */
  allowPrivate: boolean;
  /** What counts as public where private addresses are not allowed. Default: {@link isPublicAddress}. */
  isPublic?: (address: string) => boolean;
  /** Tries in all. Default 4. */
  maxAttempts?: number;
  /** Pause before the second try, doubled for each after it. Default 500. */
  backoffMs?: number;
  /** How long a header or the next bytes may take. Default 30,000. */
  idleMs?: number;
  /** How long one try may take in all. Default 15 minutes. */
  totalMs?: number;
}

export interface FetchedUrl {
  size_bytes: number;
  /** The type that the server claims, without parameters; null when it claims none. */
  content_type: string | null;
}

export interface UrlFetcher {
  /**
   * Fetches an http(s) URL into a file that appears when it is whole. At most 5 redirects are followed, each held to the same rules.
   * @throws AppError `invalid_request` (no http(s) URL), `forbidden` (a private address), `not_found`, `too_large`, `disk_full`,
   * `storage_failed` (refused, unreachable, cut; after the tries are used up); AbortError.
   */
  fetchUrl(url: string, toFile: string, options: { maxBytes: number; signal: AbortSignal }): Promise<FetchedUrl>;
  close(): void;
}

const MAX_BACKOFF_MS = 30_000;

/** Connections are kept open between fetches until `close`. */
export function createUrlFetcher(settings: UrlFetcherSettings): UrlFetcher {
  const {
    isPublic = isPublicAddress,
    maxAttempts = 4,
    backoffMs = 500,
    idleMs = 30_000,
    totalMs = 15 * 60_000,
  } = settings;
  const requests = createGuardedRequests(settings.allowPrivate ? () => true : isPublic);

  /** One try under a time limit of its own. */
  async function attempt(url: URL, partial: PartialFile, maxBytes: number, signal: AbortSignal): Promise<FetchedUrl> {
    const limit = new AbortController();
    const stop = () => limit.abort(signal.reason);
    const timer = setTimeout(() => limit.abort(new StalledError()), totalMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await transfer(url, partial, maxBytes, limit.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async function transfer(url: URL, partial: PartialFile, maxBytes: number, signal: AbortSignal): Promise<FetchedUrl> {
    await partial.restart();
    const answer = await followRedirects(requests, url, { headerMs: idleMs, signal, accept: [200] });
    try {
      const encoding = answer.headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity')
        throw new AppError('storage_failed', 'The server compresses although it was asked not to');
      const announced = announcedBytes(answer);
      if (announced !== undefined && announced > maxBytes) {
        throw new AppError('too_large', 'The file is larger than allowed');
      }
      await partial.append(answer, { maxBytes, idleMs, signal });
      if (announced !== undefined && partial.written_bytes() !== announced) {
        throw new TransientError('The server sent less than it announced');
      }
    } finally {
      answer.destroy();
    }
    const contentType = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() || null;
    return { size_bytes: partial.written_bytes(), content_type: contentType };
  }

  return {
    fetchUrl: async (text, toFile, { maxBytes, signal }) => {
      const url = httpUrl(text);
      signal.throwIfAborted();
      const partial = await openPartialFile(toFile);
      try {
        for (let tries = 1; ; tries += 1) {
          try {
            const fetched = await attempt(url, partial, maxBytes, signal);
            await partial.keep();
            return fetched;
          } catch (error) {
            signal.throwIfAborted();
            if (error instanceof AppError) throw error;
            if (tries >= maxAttempts) throw new AppError('storage_failed', whyGivenUp(error));
            const askedMs = error instanceof TransientError ? error.retryAfterMs : 0;
            const pauseMs = Math.min(MAX_BACKOFF_MS, Math.max(askedMs, backoffMs * 2 ** (tries - 1)));
            await delay(pauseMs, undefined, { signal });
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        await partial.discard();
      }
    },
    close: () => requests.close(),
  };
}
