import { EventEmitter } from 'node:events';
import type { Page, Route } from 'playwright-core';
import { app, PreventableEvent } from './app.ts';
import { browserContext } from './chromium.ts';
import { record } from './control.ts';
import { invokeFromPage } from './ipc-main.ts';
import { fromLoopback, toLoopback } from './page-server.ts';
import { DELIVER_FUNCTION, INVOKE_BINDING, preloadScript } from './preload-script.ts';
import { session } from './session.ts';

type WindowOpenHandler = (details: { url: string }) => { action: string };

/** `WebContents`: one page of Chromium. */
export class WebContents extends EventEmitter {
  static #nextId = 1;
  readonly id = WebContents.#nextId++;
  readonly session = session.defaultSession;
  readonly #preloadFile: string;
  #page: Page | undefined;
  #url = '';
  #isDestroyed = false;
  #openHandler: WindowOpenHandler = () => ({ action: 'allow' });

  constructor(preloadFile: string) {
    super();
    this.#preloadFile = preloadFile;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  getURL(): string {
    return this.#url;
  }

  startDrag(item: { file: string }): void {
    record('drag', item.file);
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }

  send(channel: string, ...values: unknown[]): void {
    if (this.#isDestroyed) throw new Error('Object has been destroyed');
    // A page that is not there yet does not receive the message.
    if (this.#page === undefined) return;
    const script = `window.${DELIVER_FUNCTION}(${JSON.stringify(channel)}, ${JSON.stringify(values)})`;
    // As in Electron, a page that is closing no longer receives the message.
    this.#page.evaluate(script).catch(() => undefined);
  }

  async loadURL(url: string): Promise<void> {
    this.#url = url;
    this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false });
    const address = await toLoopback(url);
    const page = await (await browserContext(app.getPath('userData'))).newPage();
    this.#page = page;
    await page.exposeBinding(INVOKE_BINDING, ({ frame }, channel: string, values: unknown[]) => {
      const senderFrame = { url: fromLoopback(frame.url()), parent: frame.parentFrame() };
      return invokeFromPage({ sender: this, senderFrame }, channel, values);
    });
    await page.addInitScript(preloadScript(this.#preloadFile));
    page.on('crash', () =>
      this.emit('render-process-gone', new PreventableEvent(), { reason: 'crashed', exitCode: 1 }),
    );
    page.on('pageerror', (error) => record('page_error', { text: String(error) }));
    page.on('console', (message) => {
      if (message.type() === 'error') record('page_error', { text: message.text().slice(0, 300) });
    });
    page.on('popup', (popup) => void this.#onPopup(popup));
    let isFirst = true;
    await page.route('**/*', async (route) => {
      const isOwn = isFirst;
      if (isPageNavigation(route, page)) isFirst = false;
      if (isOwn || !isPageNavigation(route, page)) return route.continue();
      return this.#mayNavigate(route.request().url()) ? route.continue() : route.abort('aborted');
    });
    await page.goto(address);
    this.emit('did-finish-load');
  }

  reload(): void {
    const crashed = this.#page;
    record('reload', null);
    // A crashed page of Playwright cannot be used again, so a new page replaces it.
    void this.loadURL(this.#url).then(() => crashed?.close());
  }

  async crash(): Promise<void> {
    if (this.#page === undefined) throw new Error('Nothing is loaded.');
    const client = await this.#page.context().newCDPSession(this.#page);
    const crashed = new Promise((resolve) => this.once('render-process-gone', resolve));
    client.send('Page.crash').catch(() => undefined);
    await crashed;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.emit('destroyed');
    this.#page?.close().catch(() => undefined);
  }

  #mayNavigate(address: string): boolean {
    const url = fromLoopback(address);
    const event = Object.assign(new PreventableEvent(), { url, isMainFrame: true, isSameDocument: false });
    this.emit('will-frame-navigate', event);
    this.emit('will-navigate', event, url);
    record('navigation', { url, is_prevented: event.isPrevented });
    if (event.isPrevented) return false;
    this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false });
    return true;
  }

  async #onPopup(popup: Page): Promise<void> {
    const { action } = this.#openHandler({ url: fromLoopback(popup.url()) });
    record('popup', { action });
    if (action === 'deny') await popup.close();
  }
}

function isPageNavigation(route: Route, page: Page): boolean {
  const request = route.request();
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}
