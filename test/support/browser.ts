import { existsSync } from 'node:fs';
import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core';

export const CHROMIUM_PROGRAM = process.env.VITRINE_TEST_CHROMIUM ?? '/usr/bin/chromium';

/** What Playwright turns off as well, where it matters to one page from loopback; of two such flags the last one counts. */
const DISABLED_FEATURES = [
  // Each window would load pages of the browser's own before anybody asks for them: a sixth of the work of opening a page.
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

/** Why no browser can be had here; undefined when there is one. */
export function browserMissing(): string | undefined {
  return existsSync(CHROMIUM_PROGRAM) ? undefined : 'no Chromium: install it, or set VITRINE_TEST_CHROMIUM';
}

/** What is waited for in a page may take long on a busy machine. */
const WAIT_LIMIT_MS = 60_000;

export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM_PROGRAM, args: CHROMIUM_FLAGS });
  browser.on('context', (context) => context.setDefaultTimeout(WAIT_LIMIT_MS));
  return browser;
}

/** What the API says of things that were deleted a moment ago: an answer, which pages deal with. */
function isNotFound(message: ConsoleMessage): boolean {
  return message.location().url.includes('/api/v1/') && message.text().includes('404 (Not Found)');
}

/** Collects what a page complains about: uncaught errors, and errors in its console (a broken policy among them). */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isNotFound(message))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  return complaints;
}
