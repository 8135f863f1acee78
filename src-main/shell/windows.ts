import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserWindow, type IpcMain, type IpcMainInvokeEvent } from 'electron';
import { focusWindow, openMainWindow } from './main-window.ts';
import { APP_URL } from './renderer-files.ts';

/** Channels that tell a page that a request waits for it, and by which the page fetches it once it has loaded. */
const OPENING_CHANNEL = 'vitrine:opening';
const TAKE_OPENING_CHANNEL = 'vitrine:take-opening';
/** Distance in pixels between a window and the next one. */
const CASCADE_PX = 28;
const MAX_REMEMBERED = 10;

/** Request to a page: the address of the app to show, or the folder for a new dataset. */
export interface Opening {
  address?: string;
  folder?: string;
}

interface WindowsOptions {
  preloadFile: string;
  /** Folder for the positions of windows, and the list of open windows. */
  folder: string;
}

/** The app's windows: several of the same page, remembered with their addresses. */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #file: string;
  readonly #open = new Set<BrowserWindow>();
  readonly #openings = new Map<number, Opening>();
  #isEnding = false;

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#file = join(options.folder, 'windows.json');
  }

  /** Opens the windows that were open when the app ended, at least one. @param opening What the app was started with. */
  restore(opening: Opening | undefined): void {
    for (const address of readAddresses(this.#file)) this.open(address);
    const last = [...this.#open].at(-1);
    // The page takes it when it has loaded.
    if (last !== undefined && opening !== undefined) this.#openings.set(last.webContents.id, opening);
  }

  open(address = '/'): BrowserWindow {
    const last = [...this.#open].at(-1);
    const window = openMainWindow({
      preloadFile: this.#options.preloadFile,
      placementFile: join(this.#options.folder, 'window.json'),
      address,
      ...(last !== undefined && { beside: shifted(last) }),
    });
    this.#open.add(window);
    // The last window is remembered, one that is closed beside others is not.
    window.once('close', () => this.#open.size === 1 && this.#remember());
    window.once('closed', () => {
      this.#open.delete(window);
      if (this.#open.size > 0) this.#remember();
    });
    return window;
  }

  /** Brings a window to the front, the one that was used last; opens one if there is none. */
  front(): BrowserWindow {
    const window = BrowserWindow.getFocusedWindow() ?? [...this.#open].at(-1);
    if (window === undefined) return this.open();
    focusWindow(window);
    return window;
  }

  /** Shows an address or a folder in the front window. */
  show(opening: Opening): void {
    const { webContents } = this.front();
    this.#openings.set(webContents.id, opening);
    webContents.send(OPENING_CHANNEL);
  }

  /** Lets pages take what waits for them. */
  handleOpenings(ipc: IpcMain, isTrustedSender: (event: IpcMainInvokeEvent) => boolean): void {
    ipc.handle(TAKE_OPENING_CHANNEL, (event): Opening | null => {
      if (!isTrustedSender(event)) return null;
      const { sender } = event;
      const opening = this.#openings.get(sender.id);
      this.#openings.delete(sender.id);
      return opening ?? null;
    });
  }

  tellAll(channel: string, value: unknown): void {
    for (const { webContents } of this.#open) if (!webContents.isDestroyed()) webContents.send(channel, value);
  }

  /** Progress at the icon of each window in the taskbar or the dock. Undefined removes it. @param fraction Negative is unknown. */
  showProgress(fraction: number | undefined): void {
    for (const window of this.#open) {
      if (fraction === undefined) window.setProgressBar(-1);
      else window.setProgressBar(fraction < 0 ? 2 : fraction, { mode: fraction < 0 ? 'indeterminate' : 'normal' });
    }
  }

  /** Whether a page is that of one of the windows. */
  has(webContentsId: number): boolean {
    return [...this.#open].some(({ webContents }) => webContents.id === webContentsId);
  }

  /** Whether somebody looks at the app. */
  isFocused(): boolean {
    return BrowserWindow.getFocusedWindow() !== null;
  }

  /** Stores which addresses are open, before the app closes its windows. */
  end(): void {
    this.#remember();
    this.#isEnding = true;
  }

  #remember(): void {
    if (this.#isEnding) return;
    const addresses = [...this.#open].map(({ webContents }) => addressOf(webContents.getURL()));
    mkdirSync(this.#options.folder, { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(addresses.slice(0, MAX_REMEMBERED)));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** The address within the app, which is the fragment of the page's. */
function addressOf(url: string): string {
  const fragment = url.startsWith(`${APP_URL}#`) ? url.slice(APP_URL.length + 1) : '/';
  return fragment.startsWith('/') ? fragment : '/';
}

function readAddresses(file: string): string[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const addresses = Array.isArray(stored)
      ? stored.filter((one) => typeof one === 'string' && one.startsWith('/'))
      : [];
    return addresses.length === 0 ? ['/'] : addresses.slice(0, MAX_REMEMBERED);
  } catch (error) {
    // Missing on the first start; a damaged file is overwritten.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return ['/'];
    throw error;
  }
}

function shifted(window: BrowserWindow): { x: number; y: number; width: number; height: number } {
  const { x, y, width, height } = window.getNormalBounds();
  return { x: x + CASCADE_PX, y: y + CASCADE_PX, width, height };
}
