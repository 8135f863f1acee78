import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Number of bytes that are read from the end of the log for a page. */
export const PAGE_BYTES = 512 * 1024;

/** A line of the log. Levels are those of pino: 30 information, 40 warnings, 50 errors. */
export interface LogLine {
  /** ISO 8601. */
  time: string;
  level: number;
  message: string;
  /** Other fields of the line, as JSON. */
  details: string;
}

/** Reads the lines in the last bytes of the log, the oldest first. Returns none if there is no log. */
export function readLogLines(file: string, maxBytes: number): LogLine[] {
  return tailOf(file, maxBytes)
    .split('\n')
    .flatMap((line) => parsed(line));
}

function tailOf(file: string, maxBytes: number): string {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
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
