import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';

/** Time in ms after the first change within which further changes cause the same restart. */
const SETTLE_MS = 150;
const READY_LIMIT_MS = 60_000;

export interface RestartingCore {
  /** Base URL of the core, the same after every restart. */
  baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Runs the core from its sources and restarts it on the same port when a file below `src-main` changes. A core that
 * does not start (a syntax error) is tried again after the next change.
 * @throws Error when the first start fails.
 */
export async function startRestartingCore(root: string, dataFolder: string): Promise<RestartingCore> {
  let child = fork(join(root, 'tools/dev/serve-sources.ts'), [dataFolder, '0']);
  const baseUrl = await readyOf(child);
  const port = new URL(baseUrl).port;
  let isStopping = false;
  let restarting = Promise.resolve();

  const restart = async () => {
    await end(child);
    if (isStopping) return;
    child = fork(join(root, 'tools/dev/serve-sources.ts'), [dataFolder, port]);
    const outcome = await readyOf(child).then(
      () => 'core restarted',
      () => 'core did not start; it is tried again after the next change',
    );
    console.log(outcome);
  };

  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(join(root, 'src-main'), { recursive: true }, (_event, file) => {
    if (!file?.endsWith('.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(restart);
    }, SETTLE_MS);
  });
  return {
    baseUrl,
    stop: async () => {
      isStopping = true;
      watcher.close();
      clearTimeout(timer);
      await restarting;
      await end(child);
    },
  };
}

async function readyOf(child: ChildProcess): Promise<string> {
  const limit = AbortSignal.timeout(READY_LIMIT_MS);
  const [message] = await Promise.race([
    once(child, 'message', { signal: limit }),
    once(child, 'exit', { signal: limit }).then(([code]) => {
      throw new Error(`the core ended with ${code}`);
    }),
  ]);
  return String(message);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
