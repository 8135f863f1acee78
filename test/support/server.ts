import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { HEAP_ARGUMENTS } from '../../src-main/infra/semi-space.ts';
import { noteFault } from './fault-count.ts';

export const repository = resolve(import.meta.dirname, '..', '..');

const KILL_BEFORE = 'VITRINE_TEST_KILL_BEFORE';

/** A real server process: the built headless program on a free port with its own data folder. */
export interface Server {
  baseUrl: string;
  process: ChildProcess;
  /** URL at which the first administrator is created. Never resolves if an administrator exists or none is needed. */
  setupUrl: Promise<string>;
  /** Sends a signal and waits until the process has exited. Returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves when the process exits on its own or is killed. */
  ended: Promise<ServerExit>;
}

export interface ServerExit {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Starts the server and waits until it responds.
 * @param port 0 picks a free port; a test that restarts a server passes the port of the first one.
 * @param options Further arguments, such as another command that serves.
 * @throws Error with the server's output if the server exits first.
 */
export async function startServer(
  dataFolder: string,
  environment: Record<string, string> = {},
  port = 0,
  options: readonly string[] = [],
): Promise<Server> {
  const child = launch(dataFolder, environment, port, options);
  const ended = exitOf(child);
  const setup = Promise.withResolvers<string>();
  const listening = new Promise<string>((found) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const match = /^vitrine listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line);
      if (match?.[1]) found(match[1]);
      const toSetUp = /^Create the first administrator: (\S+)$/.exec(line);
      if (toSetUp?.[1]) setup.resolve(toSetUp[1]);
    });
  });
  const baseUrl = await Promise.race([
    listening,
    ended.then(({ code, stderr }) => {
      throw new Error(`the server ended with ${code}: ${stderr}`);
    }),
  ]);
  return {
    baseUrl,
    process: child,
    setupUrl: setup.promise,
    ended,
    stop: async (signal = 'SIGTERM') => {
      if (signal === 'SIGKILL') noteFault();
      child.kill(signal);
      return (await ended).code;
    },
  };
}

/**
 * Starts a server that is expected to exit on its own.
 * @param killedAt An output line, or milliseconds after the start, at which the server is killed if it still runs.
 * @param signal The signal to send then.
 */
export function runServer(
  dataFolder: string,
  environment: Record<string, string> = {},
  options: readonly string[] = [],
  killedAt?: RegExp | number,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<ServerExit> {
  const child = launch(dataFolder, environment, 0, options);
  const kill = () => {
    noteFault();
    child.kill(signal);
  };
  if (typeof killedAt === 'number') setTimeout(kill, killedAt);
  else createInterface({ input: child.stdout }).on('line', (line) => killedAt?.test(line) && kill());
  return exitOf(child);
}

/**
 * Environment that makes a server kill itself directly before it runs a matching statement for the n-th time.
 * @param fits Matched against the statement followed by its parameters as JSON.
 */
export function killedBefore(fits: RegExp, nth = 1): Record<string, string> {
  return { [KILL_BEFORE]: JSON.stringify([fits.source, String(nth)]) };
}

/** Process ids of the server's child processes: its compute and model processes. */
export function childrenOf(server: Server): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.process.pid)], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Pauses or resumes the server's compute processes, so that a test can inspect the state before their work is finished. */
export function holdChildren(server: Server, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of childrenOf(server)) process.kill(pid, signal);
}

function launch(dataFolder: string, environment: Record<string, string>, port = 0, options: readonly string[] = []) {
  const entry = join(repository, 'out', 'main', 'headless.js');
  const own = ['--port', String(port), '--data', dataFolder, ...options];
  // An argument and not NODE_OPTIONS, so that only the process with the databases and its threads load it, not the compute processes.
  const watcher = pathToFileURL(join(import.meta.dirname, 'kills', 'kill-before.ts'));
  const watched = KILL_BEFORE in environment ? ['--import', watcher.href] : [];
  return spawn(process.execPath, [...HEAP_ARGUMENTS, ...watched, entry, ...own], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Pages do not ask for the recommended encoder, unless a test wants it.
    env: { ...process.env, VITRINE_RECOMMENDED_ENCODER: 'declined', ...environment },
  });
}

function exitOf(child: ReturnType<typeof launch>): Promise<ServerExit> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  return new Promise((done) => child.once('exit', (code) => done({ code, stdout, stderr })));
}
