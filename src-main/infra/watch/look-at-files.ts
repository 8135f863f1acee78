import { lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import type { FileState } from './pending-changes.ts';

export type Look =
  | { found: 'file'; state: FileState }
  /** The file certainly does not exist. */
  | { found: 'nothing' }
  /** The path is not a file, or its state is unknown: no permission, a disk error, or a link into a drive that is not connected. */
  | { found: 'unknown' };

const PARALLEL = 16;

/** Checks files below a root, a limited number at the same time, and reports the result for each. */
export async function lookAtFiles(
  root: string,
  filePaths: readonly string[],
  report: (filePath: string, look: Look) => void,
): Promise<void> {
  const dangling = new Map<string, Promise<boolean>>();
  const look = async (filePath: string) => report(filePath, await lookAt(root, filePath, dangling));
  await pMap(filePaths, look, { concurrency: PARALLEL });
}

async function lookAt(root: string, filePath: string, dangling: Map<string, Promise<boolean>>): Promise<Look> {
  try {
    const found = await stat(join(root, filePath));
    if (!found.isFile()) return { found: 'unknown' };
    return { found: 'file', state: { size_bytes: found.size, mtime_ms: found.mtimeMs } };
  } catch (error) {
    if (!isMissing(error)) return { found: 'unknown' };
    return (await isBehindDanglingLink(root, dirname(filePath), dangling))
      ? { found: 'unknown' }
      : { found: 'nothing' };
  }
}

/** Whether a folder below the root is reached through a link whose target is missing. */
function isBehindDanglingLink(root: string, folder: string, known: Map<string, Promise<boolean>>): Promise<boolean> {
  if (folder === '.' || folder === '') return Promise.resolve(false);
  const pending = known.get(folder);
  if (pending) return pending;
  const answer = (async () => {
    if (await isBehindDanglingLink(root, dirname(folder), known)) return true;
    const path = join(root, folder);
    try {
      if (!(await lstat(path)).isSymbolicLink()) return false;
      await stat(path);
      return false;
    } catch (error) {
      // If the link itself is missing too, the folder was really removed.
      return isMissing(error) && (await exists(path));
    }
  })();
  known.set(folder, answer);
  return answer;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
