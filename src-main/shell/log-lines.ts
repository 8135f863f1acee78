import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Number of bytes that are read from the end of the log. */
const READ_BYTES = 512 * 1024;

/** A line of the log. Levels are those of pino: 30 information, 40 warnings, 50 errors. */
export interface LogLine {
  /** ISO 8601. */
  time: string;
  level: number;
  message: string;
  /** Other fields of the line, as JSON. */
  details: string;
}

/** Reads the last lines of the log, the oldest first. Returns none if there is no log. */
export function readLogLines(file: string): LogLine[] {
  return tailOf(file)
    .split('\n')
    .flatMap((line) => parsed(line));
}

function tailOf(file: string): string {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, READ_BYTES));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(handle);
  }
}

function parsed(line: string): LogLine[] {
  try {
    const { time, level, msg, ...details } = JSON.parse(line) as { time: string; level: number; msg?: string };
    return [{ time, level, message: msg ?? '', details: JSON.stringify(details) }];
  } catch {
    // The first and the last line may be cut off.
    return [];
  }
}
