import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { noteFault } from './fault-count.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A separate file system that can be filled up. */
export interface SmallDisk {
  /** A data folder on the file system. */
  data: string;
  /** Fills the file system until only `leaveKib` KiB are free. */
  fill(leaveKib: number): void;
  /** Frees the space again. */
  free(): void;
}

const CHUNK = Buffer.alloc(64 * 1024, 1);

/** Mounts a small file system of `sizeMib` MiB. Skips the test, with the reason, if that is not possible. */
export async function smallDisk(context: TestContext, sizeMib: number): Promise<SmallDisk> {
  const mount = join(await temporaryFolder(), 'disk');
  mkdirSync(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', mount], { stdio: 'ignore' });
  } catch {
    context.skip('a small file system can only be mounted by root');
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', mount]);
  });
  const data = join(mount, 'data');
  mkdirSync(data);
  const filler = join(mount, 'filler');
  return {
    data,
    fill: (leaveKib) => {
      noteFault();
      const file = openSync(filler, 'a');
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(mount);
          const room = bavail * bsize - leaveKib * 1024;
          if (room <= 0) return;
          writeSync(file, CHUNK, 0, Math.min(CHUNK.length, room));
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
  };
}
