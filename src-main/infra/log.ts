import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Log } from '../core/log.port.ts';

const MAX_BYTES = 10 * 1024 * 1024;

/** Writes JSON lines to `<folder>/logs/vitrine.log`; at start a large file becomes `vitrine.1.log`. */
export function createLog(folder: string, level: string): Log {
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  const file = join(logs, 'vitrine.log');
  rotate(file, join(logs, 'vitrine.1.log'));
  return pino(
    { level: level.toLowerCase(), base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: file, sync: true }),
  );
}

function rotate(file: string, previous: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_BYTES) return;
  rmSync(previous, { force: true });
  renameSync(file, previous);
}
