import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

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
    ...problemsIn(logFile),
    '',
    'Crashes:',
    ...crashes.toSorted().slice(-LISTED_ERRORS),
    '',
  ].join('\n');
}

function problemsIn(logFile: string): string[] {
  if (!existsSync(logFile)) return [];
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.flatMap(problemOf).slice(-LISTED_ERRORS);
}

function problemOf(line: string): string[] {
  if (!line.startsWith('{')) return [];
  try {
    const { level, time, msg, err } = JSON.parse(line) as {
      level: number;
      time: string;
      msg: string;
      err?: { type?: string; code?: string };
    };
    if (level < WARNING) return [];
    return [[time, msg, err?.type, err?.code].filter((part) => part !== undefined).join(' ')];
  } catch {
    // The last line may be half written.
    return [];
  }
}
