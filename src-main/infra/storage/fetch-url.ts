import type { IncomingMessage } from 'node:http';
import { AppError } from '../../contract/errors.ts';
import { download, type OpenPart } from './download.ts';
import { createGuardedRequests, type GuardedRequests } from './guarded-request.ts';
import { httpUrl, transferProblem } from './http-answer.ts';
import { openHttpPart } from './http-part.ts';
import { openPartialFile } from './partial-file.ts';
import { isPublicAddress } from './public-address.ts';

export interface UrlFetcherSettings {
  /** Whether loopback, private, link-local and other special addresses may be reached now. */
  allowPrivate: () => boolean;
  /** Whether an address is public; used when private addresses are not allowed. Default: {@link isPublicAddress}. */
  isPublic?: (address: string) => boolean;
  /** Maximum number of attempts (default 4). */
  maxAttempts?: number;
  /** Pause in ms before the second attempt, doubled for each further one (default 500). */
  backoffMs?: number;
  /** Maximum time in ms to wait for a header or the next bytes (default 30,000). */
  idleMs?: number;
  /** Maximum duration of one attempt in ms (default 15 minutes). */
  totalMs?: number;
}

export interface FetchedUrl {
  size_bytes: number;
  /** Content type sent by the server, without parameters; null when it sends none. */
  content_type: string | null;
}

export interface UrlFetcher {
  /**
   * Fetches an http(s) URL into a file, which appears when it is complete. Up to 5 redirects are followed, each under the same rules. An
   * interrupted transfer continues where it stopped if the server sends an entity tag.
   * @throws AppError `invalid_request` (no http(s) URL), `forbidden` (a private address), `not_found`, `too_large`, `disk_full`,
   * `storage_failed` (refused, unreachable or interrupted, after all attempts failed); AbortError.
   */
  fetchUrl(url: string, toFile: string, options: { maxBytes: number; signal: AbortSignal }): Promise<FetchedUrl>;
  close(): void;
}

/** Creates a fetcher. Connections stay open between fetches until `close`, or until the setting for private addresses changes. */
export function createUrlFetcher(settings: UrlFetcherSettings): UrlFetcher {
  const {
    isPublic = isPublicAddress,
    maxAttempts = 4,
    backoffMs = 500,
    idleMs = 30_000,
    totalMs = 15 * 60_000,
  } = settings;
  let open: { allowPrivate: boolean; requests: GuardedRequests } | undefined;
  const requestsNow = (): GuardedRequests => {
    const allowPrivate = settings.allowPrivate();
    if (open?.allowPrivate !== allowPrivate) {
      open?.requests.close();
      open = { allowPrivate, requests: createGuardedRequests(allowPrivate ? () => true : isPublic) };
    }
    return open.requests;
  };

  return {
    fetchUrl: async (text, toFile, { maxBytes, signal }) => {
      const url = httpUrl(text);
      signal.throwIfAborted();
      const partial = await openPartialFile(toFile);
      let contentType: string | undefined;
      const onAnswer = (answer: IncomingMessage) => {
        contentType = answer.headers['content-type'];
      };
      const openPart: OpenPart = (from, etag, stopped) =>
        openHttpPart(requestsNow(), url, { from, etag }, { headerMs: idleMs, signal: stopped, onAnswer });
      try {
        await download(openPart, partial, { signal, maxAttempts, backoffMs, idleMs, tryMs: totalMs, maxBytes });
        await partial.keep();
        return { size_bytes: partial.written_bytes(), content_type: mediaType(contentType) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AppError) throw error;
        throw new AppError('storage_failed', transferProblem(error));
      } finally {
        await partial.discard();
      }
    },
    close: () => open?.requests.close(),
  };
}

function mediaType(header: string | undefined): string | null {
  return header?.split(';')[0]?.trim().toLowerCase() || null;
}
