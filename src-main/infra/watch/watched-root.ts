import { stat } from 'node:fs/promises';

/** What tells one folder, or the drive it is on, from another at the same path. */
export interface RootIdentity {
  device: bigint;
  inode: bigint;
}

/** The folder that is at a path now; the reason when there is none. */
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
