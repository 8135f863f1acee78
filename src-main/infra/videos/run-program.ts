import { spawn } from 'node:child_process';

export interface RunOptions {
  timeLimitMs: number;
  /** Maximum number of bytes of standard output; a program that writes more is ended. */
  maxOutputBytes: number;
  signal?: AbortSignal | undefined;
  /** Receives each line of standard error as it is written. */
  onErrorLine?: (line: string) => void;
}

export interface RunOutcome {
  stdout: Buffer;
  /** Last lines of standard error. */
  errorLines: string[];
  /** Null when a signal ended the program. */
  exitCode: number | null;
  /** Set when this function ended the program. */
  stopped: 'timed_out' | 'too_much_output' | undefined;
}

const KEPT_ERROR_LINES = 40;
const MAX_LINE_CHARS = 2000;

/** Splits text into lines. Programs quote file contents, so a line may have any length: only its start is returned. */
function createLineSplitter(onLine: (line: string) => void): (text: string) => void {
  let started = '';
  return (text) => {
    const [first = '', ...others] = text.split('\n');
    started = (started + first.slice(0, MAX_LINE_CHARS)).slice(0, MAX_LINE_CHARS);
    for (const next of others) {
      onLine(started);
      started = next.slice(0, MAX_LINE_CHARS);
    }
  };
}

/**
 * Runs a program without a shell, an input or a window, within the given time and output limits. Only the started process is ended.
 * Rejects when the program cannot be started, and with the signal's reason when `signal` aborts.
 */
export async function runProgram(file: string, args: readonly string[], options: RunOptions): Promise<RunOutcome> {
  options.signal?.throwIfAborted();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let stopped: RunOutcome['stopped'];
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => {
    stopped = 'timed_out';
    kill();
  }, options.timeLimitMs);
  options.signal?.addEventListener('abort', kill, { once: true });

  const output: Buffer[] = [];
  let outputBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes <= options.maxOutputBytes) {
      output.push(chunk);
      return;
    }
    stopped = 'too_much_output';
    kill();
  });
  const errorLines: string[] = [];
  const takeErrors = createLineSplitter((line) => {
    errorLines.push(line);
    if (errorLines.length > KEPT_ERROR_LINES) errorLines.shift();
    options.onErrorLine?.(line);
  });
  child.stderr.on('data', (chunk: Buffer) => takeErrors(chunk.toString('utf8')));

  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    options.signal?.throwIfAborted();
    return { stdout: Buffer.concat(output), errorLines, exitCode, stopped };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', kill);
  }
}
