import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopChromium } from './chromium.ts';
import { onCommand } from './control.ts';

/** An event whose default action a handler can prevent. */
export class PreventableEvent {
  isPrevented = false;
  preventDefault(): void {
    this.isPrevented = true;
  }
}

interface ClosableWindow {
  close(): void;
  isDestroyed(): boolean;
}

const LOCK_NAME = 'SingletonLock';

/** `app`: its life cycle and the single-instance lock (a file with the process id; later instances signal the first one). */
class StandInApp extends EventEmitter {
  readonly name = 'vitrine';
  readonly isPackaged = false;
  readonly windows = new Set<ClosableWindow>();
  isQuitting = false;
  readonly #paths = new Map<string, string>();
  #lockFile: string | undefined;

  // The name is Electron's.
  async whenReady(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`The stand-in has no path ${name}.`);
    return path;
  }

  getVersion(): string {
    const manifest: unknown = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8'));
    return (manifest as { version: string }).version;
  }

  requestSingleInstanceLock(): boolean {
    const file = join(this.getPath('userData'), LOCK_NAME);
    const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
    if (holder !== undefined && isRunning(holder)) {
      process.kill(holder, 'SIGUSR2');
      return false;
    }
    writeFileSync(file, String(process.pid));
    this.#lockFile = file;
    process.on('SIGUSR2', () => this.emit('second-instance', new PreventableEvent(), [], ''));
    return true;
  }

  quit(): void {
    const before = new PreventableEvent();
    this.emit('before-quit', before);
    if (before.isPrevented) return;
    this.isQuitting = true;
    for (const window of this.windows) window.close();
    if (this.windows.size > 0) {
      this.isQuitting = false;
      return;
    }
    this.emit('will-quit', new PreventableEvent());
    this.emit('quit', new PreventableEvent(), 0);
    this.exit(0);
  }

  exit(code: number): void {
    if (this.#lockFile !== undefined) rmSync(this.#lockFile, { force: true });
    stopChromium();
    process.exit(code);
  }

  windowClosed(window: ClosableWindow): void {
    this.windows.delete(window);
    if (this.windows.size === 0 && !this.isQuitting) this.emit('window-all-closed');
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const app = new StandInApp();

onCommand('quit', () => void setImmediate(() => app.quit()));
process.on('SIGTERM', () => app.quit());
process.on('SIGINT', () => app.quit());
process.on('disconnect', () => app.exit(1));
