import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, CHROMIUM_PROGRAM } from '../browser.ts';
import { onCommand } from './control.ts';

const FLAGS = [...CHROMIUM_FLAGS, '--remote-debugging-port=0'];

interface Running {
  endpoint: string;
  browser: Browser;
}

let running: Promise<Running> | undefined;
let started: ChildProcess | undefined;

/** The browser that replaces Electron's own. It starts with the first window, and the test connects to it as well. */
export async function browserContext(userDataFolder: string): Promise<BrowserContext> {
  running ??= startChromium(mkdtempSync(join(userDataFolder, 'chromium-')));
  const { browser } = await running;
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('Chromium has no default context.');
  return context;
}

/** Kills the browser immediately; it has no data to save. */
export function stopChromium(): void {
  started?.kill('SIGKILL');
}

async function startChromium(folder: string): Promise<Running> {
  const child = spawn(CHROMIUM_PROGRAM, [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started = child;
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Chromium ended: ${output}`)));
  });
  return { endpoint, browser: await chromium.connectOverCDP(endpoint) };
}

onCommand('endpoint', async () => {
  if (running === undefined) throw new Error('No window has been opened yet.');
  return (await running).endpoint;
});
