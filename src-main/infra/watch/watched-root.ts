import { stat } from 'node:fs/promises';
import { type Message, message } from '../../contract/messages.ts';

/** Distinguishes folders, and the drives they are on, that appear at the same path at different times. */
export interface RootIdentity {
  device: bigint;
  inode: bigint;
}

/** Returns the identity of the folder that exists at a path now, or the reason why there is none. */
export async function identifyRoot(root: string): Promise<RootIdentity | { missing: Message }> {
  try {
    const found = await stat(root, { bigint: true });
    if (!found.isDirectory()) return { missing: message('watch_folder_is_file') };
    return { device: found.dev, inode: found.ino };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { missing: message('watch_folder_gone') };
    if (code === 'EACCES' || code === 'EPERM') return { missing: message('watch_folder_denied') };
    return { missing: message('watch_folder_unreachable') };
  }
}

export function isSameRoot(a: RootIdentity | undefined, b: RootIdentity): boolean {
  return a !== undefined && a.device === b.device && a.inode === b.inode;
}
