import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Marks the fuses in Electron's program; a version, a length and the fuses follow. */
export const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const N_FUSES = 8;

/** Writes a folder that looks like an unpacked Electron for Linux, with a program that only has the place of the fuses. */
export function writeElectronDist(folder: string, version: string): void {
  mkdirSync(join(folder, 'locales'), { recursive: true });
  mkdirSync(join(folder, 'resources'));
  const fuses = Buffer.from([1, N_FUSES, ...Buffer.from('0'.repeat(N_FUSES))]);
  const program = Buffer.concat([Buffer.from(`#!/bin/sh\nexit 1\n${FUSE_SENTINEL}`), fuses]);
  writeFileSync(join(folder, 'electron'), program, { mode: 0o755 });
  writeFileSync(join(folder, 'chrome-sandbox'), '', { mode: 0o755 });
  writeFileSync(join(folder, 'chrome_crashpad_handler'), '', { mode: 0o755 });
  writeFileSync(join(folder, 'version'), version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'resources.pak', 'icudtl.dat', 'locales/en-US.pak']) {
    writeFileSync(join(folder, name), '');
  }
}
