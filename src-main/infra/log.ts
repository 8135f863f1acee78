import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Log, LogLevel } from '../core/ports/log.ts';
import { currentRequestId } from '../core/ports/request-id.ts';

const MAX_BYTES = 10 * 1024 * 1024;
/** Maximum number of bytes of lines that wait in memory while the disk accepts no writes; further lines are lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Numeric log levels of pino. Nothing here logs CRITICAL, so that level is silent. */
const GRAVENESS: Record<LogLevel, number> = { DEBUG: 20, INFO: 30, WARNING: 40, ERROR: 50, CRITICAL: 60 };

export interface LevelledLog extends Log {
  /** Sets the minimum level of this log and all of its children from now on. */
  setLevel(level: LogLevel): void;
}

/** Writes JSON lines of level INFO and above to `<folder>/logs/vitrine.log`. At start a large file is renamed to `vitrine.1.log`. */
export function createLog(folder: string): LevelledLog {
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  const file = join(logs, 'vitrine.log');
  rotate(file, join(logs, 'vitrine.1.log'));
  return logTo(file);
}

/** Writes JSON lines of level INFO and above to standard error, for programs whose folder may be read-only. */
export function createErrorLog(): LevelledLog {
  return logTo(2);
}

function logTo(dest: string | number): LevelledLog {
  const destination = pino.destination({ dest, sync: true, maxLength: MAX_WAITING_BYTES });
  // Without a listener a full disk would throw at the caller of the log. The lines are written once the disk has room.
  destination.on('error', () => undefined);
  const lines = pino({ level: 'debug', base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin }, destination);
  let least = GRAVENESS.INFO;
  // pino's children keep the level with which they were created.
  const levelled = (logger: pino.Logger): Log => ({
    debug: (fields, message) => GRAVENESS.DEBUG >= least && logger.debug(fields, message),
    info: (fields, message) => GRAVENESS.INFO >= least && logger.info(fields, message),
    warn: (fields, message) => GRAVENESS.WARNING >= least && logger.warn(fields, message),
    error: (fields, message) => GRAVENESS.ERROR >= least && logger.error(fields, message),
    child: (fields) => levelled(logger.child(fields)),
  });
  return {
    ...levelled(lines),
    setLevel: (level) => {
      least = GRAVENESS[level];
    },
  };
}

/** Adds the id of the request that an entry belongs to. */
function mixin(): object {
  const requestId = currentRequestId();
  return requestId === undefined ? {} : { request_id: requestId };
}

function rotate(file: string, previous: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_BYTES) return;
  rmSync(previous, { force: true });
  renameSync(file, previous);
}
