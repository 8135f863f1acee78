import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { app, PreventableEvent } from './app.ts';
import { onCommand } from './control.ts';
import { WebContents } from './web-contents.ts';

/** `BrowserWindow`: a page of Chromium, and what is known of the window around it. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly options: BrowserWindowConstructorOptions;
  is_visible: boolean;
  focus_count = 0;
  #bounds: Rectangle;
  #is_maximized = false;
  #is_destroyed = false;

  static getAllWindows(): BrowserWindow[] {
    return [...app.windows].filter((window): window is BrowserWindow => window instanceof BrowserWindow);
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    this.is_visible = options.show !== false;
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    const preload_file = options.webPreferences?.preload;
    if (preload_file === undefined) throw new Error('The stand-in wants a preload.');
    this.webContents = new WebContents(preload_file);
    app.windows.add(this);
    app.emit('web-contents-created', new PreventableEvent(), this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.loadURL(url);
    if (!this.#is_destroyed) this.emit('ready-to-show');
  }

  show(): void {
    this.is_visible = true;
  }
  hide(): void {
    this.is_visible = false;
  }
  focus(): void {
    this.focus_count += 1;
  }
  maximize(): void {
    this.#is_maximized = true;
  }
  restore(): void {
    this.#is_maximized = false;
  }
  isMaximized(): boolean {
    return this.#is_maximized;
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
    return this.#is_destroyed;
  }

  close(): void {
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.is_prevented) return;
    this.#is_destroyed = true;
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
  BrowserWindow.getAllWindows().map(({ options, is_visible, focus_count, webContents }) => ({
    options: JSON.parse(JSON.stringify(options)),
    is_visible,
    focus_count,
    url: webContents.getURL(),
  })),
);
onCommand('set_bounds', (bounds) => onlyWindow().setBounds(bounds as Rectangle));
onCommand('close_window', () => void setImmediate(() => onlyWindow().close()));
onCommand('crash_page', () => onlyWindow().webContents.crash());
