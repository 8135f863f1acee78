import type { IncomingMessage } from 'node:http';
import { AppError } from '../../contract/errors.ts';
import { download, type OpenPart } from './download.ts';
import { createGuardedRequests, type GuardedRequests } from './guarded-request.ts';
import { httpUrl, whyGivenUp } from './http-answer.ts';
import { openHttpPart } from './http-part.ts';
import { openPartialFile } from './partial-file.ts';
import { isPublicAddress } from './public-address.ts';

export interface UrlFetcherSettings {
  /** Whether loopback, private, link-local and other special addresses may be reached now. */
  allowPrivate: () => boolean;
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
   * Fetches an http(s) URL into a file that appears when it is whole. At most 5 redirects are followed, each held to the same rules; a
   * cut transfer goes on where it stopped when the server names the version.
   * @throws AppError `invalid_request` (no http(s) URL), `forbidden` (a private address), `not_found`, `too_large`, `disk_full`,
   * `storage_failed` (refused, unreachable, cut; after the tries are used up); AbortError.
   */
  fetchUrl(url: string, toFile: string, options: { maxBytes: number; signal: AbortSignal }): Promise<FetchedUrl>;
  close(): void;
}

/** Connections are kept open between fetches until `close`, or until what may be reached changes. */
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
        throw new AppError('storage_failed', whyGivenUp(error));
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
