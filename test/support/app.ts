import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Api } from './api.ts';
import { atEnd } from './at-end.ts';
import { complaintsOf, sharedBrowser } from './browser.ts';
import { type Server, startServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A server and a browser that shows its pages, for the duration of the test file. */
export interface App {
  /** A different server after a test has restarted it on the same port. */
  server: Server;
  dataFolder: string;
  baseUrl: string;
  api: Api;
  /** Shared by all pages, so that each page reuses what earlier pages have fetched and compiled. */
  context: BrowserContext;
  /** Opens a new page and collects its errors. */
  openPage(): Promise<{ page: Page; complaints: string[] }>;
}

/** @param options Options of the browser's pages. The default viewport is 1280 by 800 CSS pixels. */
export async function startApp(options: BrowserContextOptions = {}): Promise<App> {
  const dataFolder = await temporaryFolder(atEnd);
  const server = await startServer(dataFolder);
  let app: App | undefined;
  atEnd(() => (app?.server ?? server).stop());
  const browser = await sharedBrowser();
  // Axe is injected as a script, which the page's policy forbids; the policy itself is asserted elsewhere.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true, ...options });
  app = {
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
  return app;
}
