import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Api } from './api.ts';
import { atEnd } from './at-end.ts';
import { complaintsOf, launchBrowser } from './browser.ts';
import { type Server, startServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A server and a browser that looks at it, for as long as the test file runs. */
export interface App {
  /** Another one where a test has started it again on the same port. */
  server: Server;
  dataFolder: string;
  baseUrl: string;
  api: Api;
  /** Of all pages: what one has fetched and compiled serves the next. */
  context: BrowserContext;
  /** A new page, and what it complains about. */
  openPage(): Promise<{ page: Page; complaints: string[] }>;
}

/** @param options Of the browser's pages; they are 1280 by 800 CSS pixels where nothing else is said. */
export async function startApp(options: BrowserContextOptions = {}): Promise<App> {
  const dataFolder = await temporaryFolder(atEnd);
  const server = await startServer(dataFolder);
  const browser = await launchBrowser();
  // Axe is injected as a script, which the page's policy forbids; the policy itself is asserted elsewhere.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true, ...options });
  const app: App = {
    server,
    dataFolder,
    baseUrl: server.baseUrl,
    api: new Api(server.baseUrl),
    context,
    openPage: async () => {
      const page = await context.newPage();
      return { page, complaints: complaintsOf(page) };
    },
  };
  atEnd(async () => {
    await browser.close();
    await app.server.stop();
  });
  return app;
}
