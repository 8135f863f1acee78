import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { SEMI_SPACE_ARGUMENT } from '../../src-main/infra/semi-space.ts';
import { noteFault } from './fault-count.ts';

export const repository = resolve(import.meta.dirname, '..', '..');

/** A real server process: the built headless program on a free port and a data folder of its own. */
export interface Server {
  baseUrl: string;
  process: ChildProcess;
  /** Where the first administrator is made; never told where there is one, or nobody needs one. */
  setupUrl: Promise<string>;
  /** Sends a signal and waits for the end; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Waits until it ends by itself, or by what kills it. */
  ended: Promise<ServerExit>;
}

export interface ServerExit {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Starts the server and waits until it answers.
 * @param port 0 picks a free one; a test that starts a server again gives the port that the first had.
 * @throws with what it printed when it exits instead.
 */
export async function startServer(
  dataFolder: string,
  environment: Record<string, string> = {},
  port = 0,
): Promise<Server> {
  const child = launch(dataFolder, environment, port);
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
 * Starts the server where it is expected to end by itself.
 * @param killedAt A line that it prints, or milliseconds after its start: there it is killed, unless it has ended.
 */
export function runServer(
  dataFolder: string,
  environment: Record<string, string> = {},
  options: readonly string[] = [],
  killedAt?: RegExp | number,
): Promise<ServerExit> {
  const child = launch(dataFolder, environment, 0, options);
  const kill = () => {
    noteFault();
    child.kill('SIGKILL');
  };
  if (typeof killedAt === 'number') setTimeout(kill, killedAt);
  else createInterface({ input: child.stdout }).on('line', (line) => killedAt?.test(line) && kill());
  return exitOf(child);
}

/**
 * What makes a server kill itself right before it runs a statement for the n-th time.
 * @param fits The statement and its parameters as JSON.
 */
export function killedBefore(fits: RegExp, nth = 1): Record<string, string> {
  const watcher = pathToFileURL(join(import.meta.dirname, 'kills', 'kill-before.ts'));
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${watcher}`,
    VITRINE_TEST_KILL_BEFORE: JSON.stringify([fits.source, String(nth)]),
  };
}

/** Process ids of what the server started: its compute and model processes. */
export function childrenOf(server: Server): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.process.pid)], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Stops the server's compute processes where they are, or lets them go on: what they work on is not over before it has been looked at. */
export function holdChildren(server: Server, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of childrenOf(server)) process.kill(pid, signal);
}

function launch(dataFolder: string, environment: Record<string, string>, port = 0, options: readonly string[] = []) {
  const entry = join(repository, 'out', 'main', 'headless.js');
  const own = ['--port', String(port), '--data', dataFolder, ...options];
  return spawn(process.execPath, [SEMI_SPACE_ARGUMENT, entry, ...own], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
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
