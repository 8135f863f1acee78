import { useMemo, useSyncExternalStore } from 'react';

/*
 * The route is in the fragment, including its query (`#/dataset/ID?threshold=3`): the same link works over HTTP, from a file and over
 * the app's own scheme, and history needs no server.
 */

export interface NavigateOptions {
  replace?: boolean;
}

/** The full address within the app, in the form of {@link navigate}. */
export function currentAddress(): string {
  return `/${window.location.hash.replace(/^#?\/?/, '')}`;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Opens an address within the app, such as `/dataset/ID?threshold=3`. */
export function navigate(to: string, options: NavigateOptions = {}): void {
  const old = window.location.href;
  const url = new URL(old);
  url.hash = to;
  if (url.href === old) return;
  window.history[options.replace ? 'replaceState' : 'pushState'](null, '', url);
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL: old, newURL: url.href }));
}

/** The full address within the app, in the form of `navigate`. */
export function useAddress(): string {
  return useSyncExternalStore(subscribe, currentAddress);
}

/** Location hook for the router: the path without its query. */
export function useHashPath(): [string, typeof navigate] {
  const address = useAddress();
  return [address.split('?')[0] ?? '/', navigate];
}
useHashPath.hrefs = (path: string) => `#${path}`;

/** Location hook for the router: the query without its question mark. */
export function useHashSearch(): string {
  return useAddress().split('?')[1] ?? '';
}

export function useSearchParameters(): URLSearchParams {
  const search = useHashSearch();
  return useMemo(() => new URLSearchParams(search), [search]);
}
