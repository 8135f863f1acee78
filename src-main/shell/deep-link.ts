import { APP_SCHEME } from './renderer-files.ts';
import type { Opening } from './windows.ts';

/** Longest link that is followed. */
const MAX_CHARS = 4000;

/**
 * Returns the address within the app of a link such as `vitrine://dataset/ID?threshold=3`, or undefined for anything else. The page decides
 * what it shows there; a link can do nothing but open an address.
 */
export function addressOfLink(link: string): string | undefined {
  if (link.length > MAX_CHARS || !URL.canParse(link)) return undefined;
  const { protocol, host, pathname, search, username } = new URL(link);
  // `vitrine://app` is the page itself.
  if (protocol !== `${APP_SCHEME}:` || host === 'app' || host === '' || username !== '') return undefined;
  const path = `/${host}${pathname === '/' ? '' : pathname}`;
  return /^\/[\w/%.,~-]*$/.test(path) && !path.includes('..') ? `${path}${search}` : undefined;
}

/** The link or the folder with which the app was started or called again. @param words Its arguments without options. */
export function openingOf(words: readonly string[], isFolder: (path: string) => boolean): Opening | undefined {
  const address = words.map(addressOfLink).find((one) => one !== undefined);
  if (address !== undefined) return { address };
  const folder = words.find(isFolder);
  return folder === undefined ? undefined : { folder };
}
