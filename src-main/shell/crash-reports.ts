import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, CrashReporter } from 'electron';

const KEPT = 20;

export interface Crash {
  /** What ended: the core, a window, a process of Electron. */
  what: string;
  reason: string;
  exit_code: number | undefined;
}

/** Writes what is known about a crash as text, in a folder of this computer; the latest {@link KEPT} are kept. Nothing is sent. */
export function writeCrashReport(
  folder: string,
  crash: Crash,
  facts: Readonly<Record<string, string>>,
  at: Date,
): string {
  mkdirSync(folder, { recursive: true });
  const lines = { time: at.toISOString(), ...crash, exit_code: String(crash.exit_code ?? 'unknown'), ...facts };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`);
  const file = join(folder, `${at.toISOString().replaceAll(':', '-')}-${crash.what.replaceAll(/\W+/g, '-')}.txt`);
  writeFileSync(file, text.join(''));
  const reports = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  for (const old of reports.toSorted().slice(0, -KEPT)) rmSync(join(folder, old), { force: true });
  return file;
}

/** Keeps dumps of Electron's processes in the folder, and says which of them end unexpectedly. Nothing leaves this computer. */
export function followCrashes(app: App, reporter: CrashReporter, folder: string, note: (crash: Crash) => void): void {
  app.setPath('crashDumps', join(folder, 'dumps'));
  reporter.start({ uploadToServer: false });
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit') note({ what: 'window', reason, exit_code: exitCode });
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    // The core has a report of its own; compute processes are killed on purpose.
    if (reason !== 'clean-exit' && type !== 'Utility') note({ what: type, reason, exit_code: exitCode });
  });
}
