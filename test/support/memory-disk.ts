import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY_DISK = '/dev/shm';
/** A run has up to 0.5 GiB of files at a time, and its processes take up to 4 GiB. */
const FREE_BYTES = 2 * 1024 ** 3;
const AVAILABLE_BYTES = 8 * 1024 ** 3;

let folder: string | undefined;

/**
 * Places temporary files in memory where there is enough, unless TMPDIR names a folder. Tests kill processes, not machines, so nothing that
 * they find depends on a disk, and waiting for it to store each change takes about a tenth of the CPU time and more of the duration.
 */
export function setup(): void {
  if (process.env.TMPDIR !== undefined || !hasSpace()) return;
  folder = mkdtempSync(join(MEMORY_DISK, 'vitrine-tests-'));
  // Others may look into it, as into any folder of temporary files: an installed service reads from there as its own user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
}

export function teardown(): void {
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function hasSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= FREE_BYTES && process.availableMemory() >= AVAILABLE_BYTES;
  } catch {
    return false;
  }
}
