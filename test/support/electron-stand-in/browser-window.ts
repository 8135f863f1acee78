import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { app, PreventableEvent } from './app.ts';
import { onCommand } from './control.ts';
import { WebContents } from './web-contents.ts';

let isFocused = false;

/** `BrowserWindow`: a page of Chromium and the state of the window around it. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly options: BrowserWindowConstructorOptions;
  isVisible: boolean;
  focusCount = 0;
  progress = -1;
  #bounds: Rectangle;
  #isMaximized = false;
  #isDestroyed = false;

  static getAllWindows(): BrowserWindow[] {
    return [...app.windows].filter((window): window is BrowserWindow => window instanceof BrowserWindow);
  }

  /** No window of the stand-in has the focus until a test says so. */
  static getFocusedWindow(): BrowserWindow | null {
    return isFocused ? (BrowserWindow.getAllWindows().at(-1) ?? null) : null;
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    this.isVisible = options.show !== false;
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    const preloadFile = options.webPreferences?.preload;
    if (preloadFile === undefined) throw new Error('The stand-in wants a preload.');
    this.webContents = new WebContents(preloadFile);
    app.windows.add(this);
    app.emit('web-contents-created', new PreventableEvent(), this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.loadURL(url);
    if (!this.#isDestroyed) this.emit('ready-to-show');
  }

  setProgressBar(progress: number): void {
    this.progress = progress;
  }
  show(): void {
    this.isVisible = true;
  }
  hide(): void {
    this.isVisible = false;
  }
  focus(): void {
    this.focusCount += 1;
  }
  maximize(): void {
    this.#isMaximized = true;
  }
  restore(): void {
    this.#isMaximized = false;
  }
  isMaximized(): boolean {
    return this.#isMaximized;
  }
  isMinimized(): boolean {
    return false;
  }
  getNormalBounds(): Rectangle {
    return this.#bounds;
  }
  setBounds(bounds: Rectangle): void {
    this.#bounds = bounds;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  close(): void {
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.isPrevented) return;
    this.#isDestroyed = true;
    this.webContents.destroy();
    this.emit('closed');
    app.windowClosed(this);
  }
}

function onlyWindow(): BrowserWindow {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) throw new Error('There is no window.');
  return window;
}

onCommand('windows', () =>
  BrowserWindow.getAllWindows().map(({ options, isVisible, focusCount, progress, webContents }) => ({
    options: JSON.parse(JSON.stringify(options)),
    isVisible,
    focusCount,
    progress,
    url: webContents.getURL(),
  })),
);
onCommand('focus', (isNow) => {
  isFocused = isNow === true;
});
onCommand('set_bounds', (bounds) => onlyWindow().setBounds(bounds as Rectangle));
onCommand('close_window', () => void setImmediate(() => onlyWindow().close()));
onCommand('crash_page', () => onlyWindow().webContents.crash());
