import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const OPEN_FILES = '/proc/self/fd';

/** Returns the paths of the files that this process has open. Linux only. */
export function openFiles(): string[] {
  return readdirSync(OPEN_FILES).flatMap((name) => {
    const link = join(OPEN_FILES, name);
    // A file may be closed in the meantime.
    return lstatSync(link, { throwIfNoEntry: false }) === undefined ? [] : [readlinkSync(link)];
  });
}
