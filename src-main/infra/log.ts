import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Log } from '../core/ports/log.ts';

const MAX_BYTES = 10 * 1024 * 1024;
/** Lines that wait in memory while the disk takes none; further ones are lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Writes JSON lines to `<folder>/logs/vitrine.log`; at start a large file becomes `vitrine.1.log`. */
export function createLog(folder: string, level: string): Log {
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  const file = join(logs, 'vitrine.log');
  rotate(file, join(logs, 'vitrine.1.log'));
  const destination = pino.destination({ dest: file, sync: true, maxLength: MAX_WAITING_BYTES });
  // Nobody listening, a full disk would throw at whoever logs; the lines are written once there is room.
  destination.on('error', () => undefined);
  return pino({ level: level.toLowerCase(), base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

function rotate(file: string, previous: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_BYTES) return;
  rmSync(previous, { force: true });
  renameSync(file, previous);
}
