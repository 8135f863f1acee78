import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Api } from './api.ts';
import { atEnd } from './at-end.ts';
import { complaintsOf, sharedBrowser } from './browser.ts';
import { repository, type Server, startServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openData } from './test-api.ts';

/** The API over a data folder and a browser that shows its pages, for the duration of the test file. */
export interface App {
  dataFolder: string;
  baseUrl: string;
  api: Api;
  /** Shared by all pages, so that each page reuses what earlier pages have fetched and compiled. */
  context: BrowserContext;
  /** Opens a new page and collects its errors. */
  openPage(): Promise<{ page: Page; complaints: string[] }>;
}

/** An app whose server is a process, which a test can kill and whose compute processes it can pause. */
export interface ServedApp extends App {
  /** A different server after a test has restarted it on the same port. */
  server: Server;
}

/**
 * Opens the app in this process.
 * @param options Options of the browser's pages. The default viewport is 1280 by 800 CSS pixels.
 * @param environment Further variables.
 */
export async function startApp(
  options: BrowserContextOptions = {},
  environment: Record<string, string> = {},
): Promise<App> {
  const dataFolder = await temporaryFolder(atEnd);
  const { api } = await openData(dataFolder, {
    finished: atEnd,
    environment: { VITRINE_RECOMMENDED_ENCODER: 'declined', ...environment },
    rendererFolder: join(repository, 'out', 'renderer'),
  });
  return { dataFolder, baseUrl: api.baseUrl, api, ...(await openBrowser(options)) };
}

/** Starts the app as a process. @param options See {@link startApp}. */
export async function serveApp(options: BrowserContextOptions = {}): Promise<ServedApp> {
  const dataFolder = await temporaryFolder(atEnd);
  const server = await startServer(dataFolder);
  let app: ServedApp | undefined;
  atEnd(() => (app?.server ?? server).stop());
  const { baseUrl } = server;
  app = { server, dataFolder, baseUrl, api: new Api(baseUrl), ...(await openBrowser(options)) };
  return app;
}

async function openBrowser(options: BrowserContextOptions): Promise<Pick<App, 'context' | 'openPage'>> {
  const browser = await sharedBrowser();
  // Axe is injected as a script, which the page's policy forbids; the policy itself is asserted elsewhere.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true, ...options });
  return {
    context,
    openPage: async () => {
      const page = await context.newPage();
      return { page, complaints: complaintsOf(page) };
    },
  };
}
