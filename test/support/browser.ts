import { existsSync } from 'node:fs';
import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core';
import { atEnd } from './at-end.ts';

/**
 * The first is Chromium without windows of its own, which takes half the CPU time in tests. The script in /usr/bin remains its parent
 * process, so a signal to the script would not reach the browser.
 */
const PROGRAMS = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];

export const CHROMIUM_PROGRAM =
  process.env.VITRINE_TEST_CHROMIUM ?? PROGRAMS.find((program) => existsSync(program)) ?? '/usr/bin/chromium';

/**
 * Browser features to disable. Repeats Playwright's own list as far as it matters to a page from loopback, because only the last such flag
 * applies.
 */
const DISABLED_FEATURES = [
  // Otherwise each window loads pages of the browser itself in advance, which is a sixth of the work of opening a page.
  'PreloadTopChromeWebUI',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** Returns why no browser is available, or undefined if one is. */
export function browserMissing(): string | undefined {
  return existsSync(CHROMIUM_PROGRAM) ? undefined : 'no Chromium: install it, or set VITRINE_TEST_CHROMIUM';
}

/** Time limit in milliseconds for waits in a page, long enough for a busy machine. */
const WAIT_LIMIT_MS = 60_000;

/** For a program that closes the browser itself; tests use {@link sharedBrowser}. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM_PROGRAM, args: CHROMIUM_FLAGS });
  browser.on('context', (context) => context.setDefaultTimeout(WAIT_LIMIT_MS));
  return browser;
}

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser that all test files of a process share, because its start takes more CPU time than most tests. Playwright ends it with
 * the process. What a file leaves open is closed at the end of the file, before the servers that it started earlier are stopped.
 */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  const browser = await shared;
  atEnd(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

/** Whether a console message reports a 404 from the API. Pages handle 404 responses for recently deleted objects. */
function isNotFound(message: ConsoleMessage): boolean {
  return message.location().url.includes('/api/v1/') && message.text().includes('404 (Not Found)');
}

/** Collects the errors of a page: uncaught errors and errors in its console, including violations of its content security policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isNotFound(message))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  return complaints;
}
