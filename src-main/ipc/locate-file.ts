import { operations } from '../contract/contract.ts';
import type { FileSlice } from '../contract/operations/media.ts';
import { ANONYMOUS, type Core } from '../core/core.ts';
import type { IpcHost } from './electron-ipc.ts';

/** Channel by which the shell asks for the file behind a signed address. Pages cannot call it. */
export const LOCATE_CHANNEL = 'vitrine:locate-file';

/**
 * Answers with the path of an original that is a file of its own, or undefined: a picture inside an archive or a pack has none. The
 * signature of the address is the permission.
 */
export function answerLocations(core: Core, ipc: IpcHost, baseUrl: string): void {
  ipc.handle(LOCATE_CHANNEL, async (_event, address): Promise<string | undefined> => {
    const input = typeof address === 'string' ? signedInput(address) : undefined;
    if (input === undefined) return undefined;
    const call = {
      principal: ANONYMOUS,
      address: 'desktop',
      client: 'Vitrine',
      baseUrl,
      signal: AbortSignal.timeout(10_000),
    };
    try {
      const slice = (await core.invoke('get_media_file', input, call)) as FileSlice;
      return slice.offset === 0 && slice.length === null ? slice.path : undefined;
    } catch {
      // Expired, deleted, or on a drive that is not connected.
      return undefined;
    }
  });
}

/** The input of `get_media_file` in one of its addresses. */
function signedInput(address: string): Record<string, string> | undefined {
  if (!URL.canParse(address)) return undefined;
  const { pathname, searchParams } = new URL(address);
  const pattern = operations.get_media_file.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const found = new RegExp(`^/api/v1${pattern}$`).exec(pathname);
  return found?.groups && { ...found.groups, ...Object.fromEntries(searchParams) };
}
