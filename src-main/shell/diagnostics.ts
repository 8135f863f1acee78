import { existsSync, readdirSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { type LogLine, readLogLines } from './log-lines.ts';

const LISTED_ERRORS = 20;
/** Levels of the log from which lines are listed: warnings and errors. */
const WARNING = 40;

/** Facts about the program and the computer, without anything of the user's. */
export function facts(version: string): Record<string, string> {
  const { electron = 'none', chrome = 'none', node } = process.versions;
  return {
    vitrine: version,
    system: `${process.platform} ${process.arch} ${release()}`,
    electron,
    chrome,
    node,
    processors: String(cpus().length),
    memory_gib: String(Math.round(totalmem() / 2 ** 30)),
  };
}

/**
 * Text for a report of a problem: facts, numbers, the last warnings and errors of the log, and the crashes. It has no names, paths,
 * addresses or labels: of a line of the log only the time, the constant message and the code of the error are taken.
 */
export function diagnosticsText(
  version: string,
  numbers: Readonly<Record<string, number>>,
  logFile: string,
  crashFolder: string,
): string {
  const about = Object.entries({ ...facts(version), ...numbers }).map(([name, value]) => `${name}: ${value}`);
  const crashes = existsSync(crashFolder) ? readdirSync(crashFolder).filter((name) => name.endsWith('.txt')) : [];
  return [
    ...about,
    '',
    'Warnings and errors:',
    ...readLogLines(logFile, Number.POSITIVE_INFINITY)
      .filter(({ level }) => level >= WARNING)
      .slice(-LISTED_ERRORS)
      .map(problemOf),
    '',
    'Crashes:',
    ...crashes.toSorted().slice(-LISTED_ERRORS),
    '',
  ].join('\n');
}

function problemOf({ time, message, details }: LogLine): string {
  const { err } = JSON.parse(details) as { err?: { type?: string; code?: string } };
  return [time, message, err?.type, err?.code].filter((part) => part !== undefined).join(' ');
}
