import { stat } from 'node:fs/promises';

/** Distinguishes folders, and the drives they are on, that appear at the same path at different times. */
export interface RootIdentity {
  device: bigint;
  inode: bigint;
}

/** Returns the identity of the folder that exists at a path now, or the reason why there is none. */
export async function identifyRoot(root: string): Promise<RootIdentity | { missing: string }> {
  try {
    const found = await stat(root, { bigint: true });
    if (!found.isDirectory()) return { missing: 'There is a file where the folder was' };
    return { device: found.dev, inode: found.ino };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { missing: 'The folder is not there; its drive may not be connected' };
    if (code === 'EACCES' || code === 'EPERM') return { missing: 'The folder cannot be read: permission denied' };
    return { missing: 'The folder cannot be reached' };
  }
}

export function isSameRoot(a: RootIdentity | undefined, b: RootIdentity): boolean {
  return a !== undefined && a.device === b.device && a.inode === b.inode;
}
