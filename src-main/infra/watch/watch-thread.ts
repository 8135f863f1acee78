import { realpathSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../core/ports/log.ts';
import { YOUNG_MEMORY_LIMIT } from '../young-memory.ts';
import type { FolderWatcher } from './folder-watcher.ts';
import type { FromWatchThread, PlainWatchOptions, ToWatchThread } from './watch-messages.ts';
import type { FolderChanges, WatchedFile, WatchFolderOptions } from './watch-settings.ts';

/** Watches folders in one thread for all of them, which runs while there is any. */
export interface WatchThread {
  /** As {@link watchFolder} does, beside the caller's event loop. A thread that dies is started again, and its folders scanned. */
  watch(options: WatchFolderOptions): FolderWatcher;
  /** Closes every watcher. */
  close(): Promise<void>;
}

interface Watched {
  options: WatchFolderOptions;
  paused: boolean;
  known: AsyncIterator<readonly WatchedFile[]> | undefined;
  /** What has come of a batch so far. */
  batch: FolderChanges;
  /** The last batch handed over; that of a thread which died meanwhile is waited for before the next. */
  handingOver: Promise<unknown>;
  /** Who waits for the answer to `pause` and `close`. */
  waiting: { kind: 'paused' | 'closed'; resolve: () => void }[];
}

const RESTART_MS = 2_000;

/** @param parts `dataFolder`: the app's own, which is passed over where it lies in a watched one. */
export function createWatchThread(parts: { entryFile: string; dataFolder: string; log: Log }): WatchThread {
  const { entryFile, log } = parts;
  const dataFolder = realpathSync(parts.dataFolder);
  const watched = new Map<number, Watched>();
  let worker: Worker | undefined;
  let restart: NodeJS.Timeout | undefined;
  let nextId = 1;

  function start(): Worker {
    const thread = new Worker(entryFile, { name: 'watch', resourceLimits: YOUNG_MEMORY_LIMIT });
    worker = thread;
    thread.on('message', (message: FromWatchThread) => {
      if (thread === worker) void hear(message);
    });
    thread.on('error', (error) => log.error({ error }, 'the thread that watches folders failed'));
    thread.on('exit', () => {
      if (thread !== worker) return;
      worker = undefined;
      for (const folder of watched.values()) settle(folder, 'paused');
      for (const [id, folder] of watched) if (settle(folder, 'closed')) watched.delete(id);
      if (watched.size > 0) restart = setTimeout(reopenAll, RESTART_MS);
    });
    return thread;
  }

  function reopenAll(): void {
    restart = undefined;
    for (const [id, { options, paused }] of watched) {
      tell({ kind: 'open', id, options: { ...plain(options), dataFolder } });
      if (paused) tell({ kind: 'pause', id });
    }
  }

  function tell(message: ToWatchThread): void {
    if (restart) return;
    (worker ?? start()).postMessage(message);
  }

  async function hear(message: FromWatchThread): Promise<void> {
    const { id } = message;
    const folder = watched.get(id);
    if (!folder) return;
    const { options } = folder;
    if (message.kind === 'state') {
      if (message.detail === undefined) options.onState(message.state);
      else options.onState(message.state, message.detail);
    } else if (message.kind === 'log') {
      options.log[message.level](message.fields, message.message);
    } else if (message.kind === 'known') {
      tell(await nextKnown(id, folder, message.from_start));
    } else if (message.kind === 'batch') {
      if (message.is_first) folder.batch = { added_or_changed: [], removed: [] };
      const batch = folder.batch;
      for (const file of message.changes.added_or_changed) batch.added_or_changed.push(file);
      for (const filePath of message.changes.removed) batch.removed.push(filePath);
      if (!message.is_last) {
        tell({ kind: 'taken', id });
        return;
      }
      folder.batch = { added_or_changed: [], removed: [] };
      const handedOver = folder.handingOver.then(() => failureOf(options.onBatch(batch)));
      folder.handingOver = handedOver;
      const failure = await handedOver;
      tell({ kind: 'taken', id, ...(failure !== undefined && { failure }) });
    } else {
      settle(folder, message.kind);
      if (message.kind === 'closed') drop(id);
    }
  }

  async function nextKnown(id: number, folder: Watched, fromStart: boolean): Promise<ToWatchThread> {
    try {
      if (fromStart || !folder.known) folder.known = folder.options.known()[Symbol.asyncIterator]();
      const step = await folder.known.next();
      return { kind: 'known', id, files: step.done ? null : step.value };
    } catch (error) {
      return { kind: 'known', id, files: null, failure: String(error) };
    }
  }

  function drop(id: number): void {
    watched.delete(id);
    if (watched.size > 0) return;
    const thread = worker;
    worker = undefined;
    void thread?.terminate();
  }

  function ask(id: number, kind: 'pause' | 'close'): Promise<void> {
    const folder = watched.get(id);
    if (!folder) return Promise.resolve();
    if (restart) {
      // Nothing runs; what is still wanted is done when the thread is back.
      if (kind === 'close') watched.delete(id);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      folder.waiting.push({ kind: kind === 'pause' ? 'paused' : 'closed', resolve });
      tell({ kind, id });
    });
  }

  return {
    watch: (options) => {
      const id = nextId;
      nextId += 1;
      const folder: Watched = {
        options,
        paused: false,
        known: undefined,
        batch: { added_or_changed: [], removed: [] },
        handingOver: Promise.resolve(),
        waiting: [],
      };
      watched.set(id, folder);
      tell({ kind: 'open', id, options: { ...plain(options), dataFolder } });
      const close = () => {
        options.signal.removeEventListener('abort', close);
        return ask(id, 'close');
      };
      options.signal.addEventListener('abort', close, { once: true });
      if (options.signal.aborted) void close();
      return {
        pause: () => {
          folder.paused = true;
          return ask(id, 'pause');
        },
        resume: () => {
          folder.paused = false;
          tell({ kind: 'resume', id });
        },
        rescan: () => tell({ kind: 'rescan', id }),
        close,
      };
    },
    close: async () => {
      await Promise.all([...watched.keys()].map((id) => ask(id, 'close')));
      clearTimeout(restart);
      restart = undefined;
    },
  };
}

function settle(folder: Watched, kind: 'paused' | 'closed'): boolean {
  const answered = folder.waiting.filter((waiting) => waiting.kind === kind);
  folder.waiting = folder.waiting.filter((waiting) => waiting.kind !== kind);
  for (const { resolve } of answered) resolve();
  return answered.length > 0;
}

async function failureOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function plain(options: WatchFolderOptions): PlainWatchOptions {
  const { known: _known, onBatch: _onBatch, onState: _onState, log: _log, signal: _signal, ...data } = options;
  return { ...data, exclude: [...data.exclude] };
}
