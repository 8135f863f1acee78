import { parentPort } from 'node:worker_threads';
import type { Log } from '../../core/ports/log.ts';
import { type FolderWatcher, watchFolder } from './folder-watcher.ts';
import type { FromWatchThread, PlainWatchOptions, ToWatchThread } from './watch-messages.ts';
import type { WatchedFile } from './watch-settings.ts';

/** The thread's entry: watches folders so that the listing of large trees holds up nobody else. */
const port = parentPort;
if (!port) throw new Error('runs as a worker thread only');
const tell = (message: FromWatchThread) => port.postMessage(message);

/** Files in one message: what the other side unpacks without being held up. */
const PIECE = 1_000;

interface Opened {
  watcher: FolderWatcher;
  /** What is asked of the other side, one question of a kind at a time. */
  known: (files: readonly WatchedFile[] | null, failure: string | undefined) => void;
  taken: (failure: string | undefined) => void;
}

const folders = new Map<number, Opened>();

port.on('message', (message: ToWatchThread) => {
  if (message.kind === 'open') {
    open(message.id, message.options);
    return;
  }
  const folder = folders.get(message.id);
  if (!folder) return;
  if (message.kind === 'known') folder.known(message.files, message.failure);
  else if (message.kind === 'taken') folder.taken(message.failure);
  else if (message.kind === 'pause') void folder.watcher.pause().then(() => tell({ kind: 'paused', id: message.id }));
  else if (message.kind === 'resume') folder.watcher.resume();
  else if (message.kind === 'rescan') folder.watcher.rescan();
  else void close(message.id, folder);
});

async function close(id: number, folder: Opened): Promise<void> {
  await folder.watcher.close();
  folders.delete(id);
  tell({ kind: 'closed', id });
}

function open(id: number, options: PlainWatchOptions): void {
  const opened: Pick<Opened, 'known' | 'taken'> = { known: () => undefined, taken: () => undefined };
  const watcher = watchFolder({
    ...options,
    log: remoteLog(id),
    signal: new AbortController().signal,
    known: async function* () {
      for (let fromStart = true; ; fromStart = false) {
        const files = await new Promise<readonly WatchedFile[] | null>((resolve, reject) => {
          opened.known = (found, failure) => (failure === undefined ? resolve(found) : reject(new Error(failure)));
          tell({ kind: 'known', id, from_start: fromStart });
        });
        if (files === null) return;
        yield files;
      }
    },
    onBatch: async ({ added_or_changed, removed }) => {
      const end = Math.max(added_or_changed.length, removed.length, 1);
      for (let at = 0; at < end; at += PIECE) {
        const changes = {
          added_or_changed: added_or_changed.slice(at, at + PIECE),
          removed: removed.slice(at, at + PIECE),
        };
        await new Promise<void>((resolve, reject) => {
          opened.taken = (failure) => (failure === undefined ? resolve() : reject(new Error(failure)));
          tell({ kind: 'batch', id, changes, is_first: at === 0, is_last: at + PIECE >= end });
        });
      }
    },
    onState: (state, detail) => tell({ kind: 'state', id, state, detail }),
  });
  folders.set(id, Object.assign(opened, { watcher }));
}

function remoteLog(id: number): Log {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    tell({ kind: 'log', id, level, fields, message });
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => log,
  };
  return log;
}
