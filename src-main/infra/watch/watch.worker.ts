import type { Log } from '../../core/ports/log.ts';
import type { Answered } from '../threads/answered.ts';
import { serveThread } from '../threads/serve-thread.ts';
import { serve } from '../threads/thread-port.ts';
import { type FolderWatcher, watchFolder } from './folder-watcher.ts';
import { type PlainWatchOptions, WATCH, WATCH_OWNER, type WatchCalls } from './watch-messages.ts';

/** Maximum number of files per message: the receiver deserializes this many without blocking noticeably. */
const CHANGES_PER_BATCH = 1_000;

/** Entry of the thread that watches folders, so that listing large trees blocks no other work. */
const folders = new Map<number, FolderWatcher>();

const calls: Answered<WatchCalls> = {
  open: (id, options) => void folders.set(id, watch(id, options)),
  pause: (id) => folders.get(id)?.pause(),
  resume: (id) => folders.get(id)?.resume(),
  rescan: (id) => folders.get(id)?.rescan(),
  close: async (id) => {
    await folders.get(id)?.close();
    folders.delete(id);
  },
};

const owner = serveThread({ methods: serve(WATCH, calls), owner: WATCH_OWNER, inOrder: false });

function watch(id: number, options: PlainWatchOptions): FolderWatcher {
  return watchFolder({
    ...options,
    log: remoteLog(id),
    signal: new AbortController().signal,
    known: async function* () {
      for (let fromStart = true; ; fromStart = false) {
        const files = await owner.known(id, fromStart);
        if (files === null) return;
        yield files;
      }
    },
    onBatch: async ({ added_or_changed, removed }) => {
      const end = Math.max(added_or_changed.length, removed.length, 1);
      for (let at = 0; at < end; at += CHANGES_PER_BATCH) {
        const changes = {
          added_or_changed: added_or_changed.slice(at, at + CHANGES_PER_BATCH),
          removed: removed.slice(at, at + CHANGES_PER_BATCH),
        };
        await owner.batch(id, changes, { is_first: at === 0, is_last: at + CHANGES_PER_BATCH >= end });
      }
    },
    onState: (state, problem) => void owner.state(id, state, problem).catch(ignoreLost),
  });
}

function remoteLog(id: number): Log {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    void owner.log(id, level, fields, message).catch(ignoreLost);
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => log,
  };
  return log;
}

function ignoreLost(): void {
  // The folder is no longer watched.
}
