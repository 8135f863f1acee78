import { Presets, SingleBar } from 'cli-progress';

/** Prints a line of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line about the work, which is no part of the result. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints rows as aligned columns. Numbers are aligned to the right. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => String(row[at]).length)));
  for (const row of rows) {
    const cells = row.map((cell, at) => {
      const width = widths[at] ?? 0;
      return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
    });
    print(cells.join('  ').trimEnd());
  }
}

/** Prints a result as JSON, or as text. */
export function printResult<T>(isJson: boolean, result: T, asText: (result: T) => void): void {
  if (isJson) print(JSON.stringify(result));
  else asText(result);
}

/** A progress bar on standard error; nothing with `--json` or if standard error is no terminal. */
export interface Progress {
  update(percent: number, step: string): void;
  stop(): void;
}

export function progressBar(isJson: boolean): Progress {
  if (isJson || !process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { format: '{bar} {percentage} % {step}', hideCursor: true, clearOnComplete: true },
    Presets.rect,
  );
  bar.start(100, 0, { step: '' });
  return {
    update: (percent, step) => bar.update(percent, { step }),
    stop: () => bar.stop(),
  };
}

/** Runs work with a progress bar that is removed when the work ends. */
export async function withProgress<T>(isJson: boolean, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = progressBar(isJson);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}
