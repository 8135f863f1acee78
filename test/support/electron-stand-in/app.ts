import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopChromium } from './chromium.ts';
import { onCommand, record } from './control.ts';

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

const RESOURCES = process.env.STAND_IN_RESOURCES;
if (RESOURCES !== undefined) Object.defineProperty(process, 'resourcesPath', { value: RESOURCES });

const LOCK_NAME = 'SingletonLock';
/** Arguments of the instance that signalled last. */
const ARGUMENTS_NAME = 'SingletonArguments';

/** `app`: its life cycle and the single-instance lock (a file with the process id; later instances signal the first one). */
class StandInApp extends EventEmitter {
  readonly name = 'vitrine';
  /** A packaged app is started with the folder beside its archive. */
  readonly isPackaged = RESOURCES !== undefined;
  readonly windows = new Set<ClosableWindow>();
  isQuitting = false;
  readonly #paths = new Map<string, string>();
  #isReady = false;
  #lockFile: string | undefined;

  // The name is Electron's.
  async whenReady(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#isReady = true;
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`The stand-in has no path ${name}.`);
    return path;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  setAppUserModelId(id: string): void {
    record('user_model_id', id);
  }

  setAsDefaultProtocolClient(scheme: string): void {
    record('protocol_client', scheme);
  }

  setBadgeCount(count: number): void {
    record('badge', count);
  }

  getPreferredSystemLanguages(): string[] {
    return (process.env.STAND_IN_LANGUAGES ?? 'en-US').split(',');
  }

  getVersion(): string {
    const manifest: unknown = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8'));
    return (manifest as { version: string }).version;
  }

  requestSingleInstanceLock(): boolean {
    const file = join(this.getPath('userData'), LOCK_NAME);
    const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
    if (holder !== undefined && isRunning(holder)) {
      writeFileSync(join(this.getPath('userData'), ARGUMENTS_NAME), JSON.stringify(process.argv));
      process.kill(holder, 'SIGUSR2');
      return false;
    }
    writeFileSync(file, String(process.pid));
    this.#lockFile = file;
    process.on('SIGUSR2', () => {
      const args = JSON.parse(readFileSync(join(this.getPath('userData'), ARGUMENTS_NAME), 'utf8')) as string[];
      this.emit('second-instance', new PreventableEvent(), args, '');
    });
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
