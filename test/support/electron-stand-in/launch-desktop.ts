import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { until } from '../api.ts';
import type { ControlReply } from './control.ts';

const REGISTER_HOOK = new URL('./register.ts', import.meta.url).href;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const DESKTOP_ENTRY = fileURLToPath(new URL('../../../out/main/desktop.js', import.meta.url));

/** The built desktop app, running on the stand-in. */
export interface Desktop {
  pid: number;
  /** Returns everything that the app has printed so far. */
  output(): string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  ask<T>(command: string, argument?: unknown): Promise<T>;
  /** The page of the app's window, after the window has been shown. */
  page(): Promise<Page>;
  /** Kills the app if it still runs. */
  kill(): Promise<void>;
}

/** Starts the built bundle as Electron would. */
export function launchDesktop(
  dataFolder: string,
  words: readonly string[] = [],
  /** A packaged app: its entry, and the folder beside its archive. */
  packaged?: { entry: string; resources: string },
): Desktop {
  const child = fork(packaged?.entry ?? DESKTOP_ENTRY, ['--data', dataFolder, '--port', '0', ...words], {
    cwd: ROOT,
    env: {
      ...process.env,
      XDG_DATA_HOME: join(dataFolder, 'home'),
      ...(packaged && { STAND_IN_RESOURCES: packaged.resources }),
    },
    execArgv: ['--import', REGISTER_HOOK],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = collectOutput(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ask = asker(child, exited, output);
  let browser: Browser | undefined;
  return {
    pid: child.pid ?? -1,
    output,
    exited,
    ask,
    page: async () => {
      await until(async () => {
        const windows = await ask<{ isVisible: boolean }[]>('windows');
        return windows.some(({ isVisible }) => isVisible);
      });
      browser ??= await chromium.connectOverCDP(await ask<string>('endpoint'));
      const pages = browser.contexts().flatMap((context) => context.pages());
      const page = pages.findLast((candidate) => candidate.url().startsWith('http://127.0.0.1:'));
      if (page === undefined) throw new Error('The window shows no page.');
      return page;
    },
    kill: async () => {
      await browser?.close();
      // The browser exits when the channel closes.
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return () => output;
}

function asker(child: ChildProcess, exited: Promise<number | null>, output: () => string): Desktop['ask'] {
  const waiting = new Map<number, (reply: ControlReply) => void>();
  let nextId = 1;
  child.on('message', (reply: ControlReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return async <T>(command: string, argument?: unknown): Promise<T> => {
    const id = nextId++;
    const answered = new Promise<ControlReply>((resolve) => waiting.set(id, resolve));
    child.send({ id, command, argument });
    const reply = await Promise.race([
      answered,
      exited.then((code): ControlReply => ({ id, error: `ended with ${code}` })),
    ]);
    if (reply.error !== undefined) throw new Error(`${command}: ${reply.error}\n${output()}`);
    return reply.value as T;
  };
}
