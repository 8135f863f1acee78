import { realpathSync } from 'node:fs';
import type { Log } from '../../core/ports/log.ts';
import { SEMI_SPACE_LIMIT } from '../semi-space.ts';
import type { Answered } from '../threads/answered.ts';
import { Thread } from '../threads/thread.ts';
import { callsOf, serve } from '../threads/thread-port.ts';
import type { FolderWatcher } from './folder-watcher.ts';
import { type PlainWatchOptions, WATCH, WATCH_OWNER, type WatchOwner } from './watch-messages.ts';
import type { FolderChanges, WatchedFile, WatchFolderOptions } from './watch-settings.ts';

/** Watches all folders in one thread, which runs while any folder is watched. */
export interface WatchThread {
  /**
   * Watches a folder like {@link watchFolder}, but outside the caller's event loop. A thread that dies is restarted and its folders are
   * scanned.
   */
  watch(options: WatchFolderOptions): FolderWatcher;
  /** Closes all watchers. */
  close(): Promise<void>;
}

interface Watched {
  options: WatchFolderOptions;
  paused: boolean;
  known: AsyncIterator<readonly WatchedFile[]> | undefined;
  /** Chunks of a batch received so far. */
  batch: FolderChanges;
  /** Settles when the last batch was processed. A new thread's first batch waits for the last batch of a thread that died. */
  handingOver: Promise<unknown>;
}

const RESTART_MS = 2_000;

/** @param parts `dataFolder`: the app's own data folder, which is skipped when it lies in a watched folder. */
export function createWatchThread(parts: { entryFile: string; dataFolder: string; log: Log }): WatchThread {
  const { entryFile, log } = parts;
  const dataFolder = realpathSync(parts.dataFolder);
  const watched = new Map<number, Watched>();
  let restart: NodeJS.Timeout | undefined;
  let nextId = 1;

  const owner: Answered<WatchOwner> = {
    known: async (id, fromStart) => {
      const folder = getWatched(id);
      if (fromStart || !folder.known) folder.known = folder.options.known()[Symbol.asyncIterator]();
      const step = await folder.known.next();
      return step.done ? null : step.value;
    },
    batch: async (id, changes, { is_first, is_last }) => {
      const folder = getWatched(id);
      if (is_first) folder.batch = { added_or_changed: [], removed: [] };
      const batch = folder.batch;
      for (const file of changes.added_or_changed) batch.added_or_changed.push(file);
      for (const filePath of changes.removed) batch.removed.push(filePath);
      if (!is_last) return;
      folder.batch = { added_or_changed: [], removed: [] };
      const handedOver = folder.handingOver.then(() => folder.options.onBatch(batch));
      folder.handingOver = handedOver.catch(() => undefined);
      await handedOver;
    },
    state: async (id, state, problem) => getWatched(id).options.onState(state, problem),
    log: (id, level, fields, message) => getWatched(id).options.log[level](fields, message),
  };

  const thread = new Thread({
    entryFile,
    name: 'watch',
    resourceLimits: SEMI_SPACE_LIMIT,
    methods: serve(WATCH_OWNER, owner),
    onFailure: (error) => {
      log.error({ error }, 'the thread that watches folders failed');
      if (watched.size > 0) restart = setTimeout(reopenAll, RESTART_MS);
    },
  });

  const calls = callsOf(WATCH, thread);

  function getWatched(id: number): Watched {
    const folder = watched.get(id);
    if (!folder) throw new Error('the folder is not watched any more');
    return folder;
  }

  function reopenAll(): void {
    restart = undefined;
    for (const [id, { options, paused }] of watched) {
      void callThread(() => calls.open(id, { ...plain(options), dataFolder }));
      if (paused) void callThread(() => calls.pause(id));
    }
  }

  /**
   * Makes a call and ignores its failure. A restarted thread opens every folder in its current state, so calls before the restart are
   * skipped.
   */
  async function callThread(call: () => Promise<void>): Promise<void> {
    if (!restart) await call().catch(() => undefined);
  }

  async function close(id: number): Promise<void> {
    if (!watched.has(id)) return;
    await callThread(() => calls.close(id));
    watched.delete(id);
    if (watched.size === 0) await thread.end();
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
      };
      watched.set(id, folder);
      void callThread(() => calls.open(id, { ...plain(options), dataFolder }));
      const stop = () => {
        options.signal.removeEventListener('abort', stop);
        return close(id);
      };
      options.signal.addEventListener('abort', stop, { once: true });
      if (options.signal.aborted) void stop();
      return {
        pause: () => {
          folder.paused = true;
          return callThread(() => calls.pause(id));
        },
        resume: () => {
          folder.paused = false;
          void callThread(() => calls.resume(id));
        },
        rescan: () => void callThread(() => calls.rescan(id)),
        close: stop,
      };
    },
    close: async () => {
      await Promise.all([...watched.keys()].map(close));
      clearTimeout(restart);
      restart = undefined;
    },
  };
}

function plain(options: WatchFolderOptions): PlainWatchOptions {
  const { known: _known, onBatch: _onBatch, onState: _onState, log: _log, signal: _signal, ...data } = options;
  return { ...data, exclude: [...data.exclude] };
}
