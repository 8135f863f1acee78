import { type Message, message } from '../../contract/messages.ts';
import { skipOwnData } from '../files/own-folder.ts';
import { compileExcludes } from './exclude-patterns.ts';
import { createWatchSession, type SessionEnd, type WatchSession } from './watch-session.ts';
import type { WatchFolderOptions, WatchMemory, WatchSettings, WatchState } from './watch-settings.ts';
import { identifyRoot } from './watched-root.ts';

export interface FolderWatcher {
  /**
   * Stops watching and discards changes that are not yet passed on; a scan on `resume` finds them again. Resolves when no work is running.
   */
  pause(): Promise<void>;
  resume(): void;
  /** Compares the whole folder with the known files. */
  rescan(): void;
  /** Resolves when everything is closed, after a running `onBatch` has finished. */
  close(): Promise<void>;
}

/**
 * Watches the media and annotation files below a folder. The system's events are only hints: a changed file is checked until its size and
 * modification time are stable, and a file is reported as removed only when a check does not find it while the root folder exists. A root
 * folder that is missing, or is empty where another drive should be mounted, is offline: nothing is reported until it is back. Then it is
 * scanned completely.
 */
export function watchFolder(options: WatchFolderOptions): FolderWatcher {
  const isExcluded = compileExcludes(options.exclude);
  const isOwn = skipOwnData(options.root, options.dataFolder ?? options.root);
  const settings: WatchSettings = {
    max_wait_ms: 30_000,
    root_check_ms: 3_000,
    poll_ms: 30_000,
    poll_only: false,
    retry_ms: 5_000,
    ...options,
    skip: (filePath) => isExcluded(filePath) || isOwn(filePath),
    report,
  };
  const { root, root_check_ms, log } = settings;
  const memory: WatchMemory = {
    known: new Map(),
    scanNumber: 0,
    rescanRequested: false,
    proven: undefined,
    doubted: undefined,
  };
  let paused = false;
  let closed = false;
  let reported = '';
  let session: WatchSession | undefined;
  let stop = new AbortController();
  let sessionEnded: Promise<void> = Promise.resolve();
  let wakeLoop: () => void = () => undefined;

  function report(state: WatchState, problem?: Message): void {
    const now = `${state} ${problem?.code ?? ''}`;
    if (now === reported || closed) return;
    reported = now;
    log.info({ state, problem: problem?.code }, 'watched folder changed its state');
    options.onState(state, problem);
  }

  /** Waits between sessions until the interval has passed or a caller requests work. */
  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, root_check_ms);
      wakeLoop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function runSession(): Promise<SessionEnd> {
    const signal = stop.signal;
    const home = await identifyRoot(root);
    if ('missing' in home) return { offline: home.missing };
    session = createWatchSession(settings, memory, home, signal);
    try {
      return await session.run();
    } catch (error) {
      if (signal.aborted) return 'again';
      log.error({ error }, 'watching a folder failed');
      return { offline: message('watch_not_checked') };
    } finally {
      session = undefined;
    }
  }

  async function run(): Promise<void> {
    while (!closed) {
      if (paused) {
        report('paused');
        await rest();
        continue;
      }
      stop = new AbortController();
      const ended = runSession();
      sessionEnded = ended.then(() => undefined);
      const end = await ended;
      if (stop.signal.aborted || paused || closed) continue;
      if (end !== 'again') report('offline', end.offline);
      await rest();
    }
  }

  async function interrupt(): Promise<void> {
    stop.abort();
    wakeAll();
    await sessionEnded;
    wakeLoop();
  }

  function wakeAll(): void {
    session?.wake();
    wakeLoop();
  }

  const running = run();
  const close = async () => {
    closed = true;
    options.signal.removeEventListener('abort', close);
    await interrupt();
    await running;
  };
  options.signal.addEventListener('abort', close, { once: true });
  if (options.signal.aborted) void close();

  return {
    pause: async () => {
      paused = true;
      await interrupt();
      if (paused) report('paused');
    },
    resume: () => {
      paused = false;
      wakeAll();
    },
    rescan: () => {
      memory.rescanRequested = true;
      wakeAll();
    },
    close,
  };
}
