import type { Message } from '../../contract/messages.ts';
import { threadPort } from '../threads/thread-port.ts';
import type { FolderChanges, WatchedFile, WatchFolderOptions, WatchState } from './watch-settings.ts';

/** The watch options that can be sent to a thread. */
export type PlainWatchOptions = Omit<WatchFolderOptions, 'known' | 'onBatch' | 'onState' | 'log' | 'signal'>;

/** Calls that the thread answers. `id` identifies the watched folder. */
export interface WatchCalls {
  open(id: number, options: PlainWatchOptions): Promise<void>;
  /** Resolves when the folder has no running work. */
  pause(id: number): Promise<void>;
  resume(id: number): Promise<void>;
  rescan(id: number): Promise<void>;
  close(id: number): Promise<void>;
}

/** Calls that the thread makes to its owner. */
export interface WatchOwner {
  /** Known files, from the first page or the next; null at the end. */
  known(id: number, fromStart: boolean): Promise<readonly WatchedFile[] | null>;
  /** Sends one chunk of a batch; the last chunk is answered when the batch is recorded. */
  batch(id: number, changes: FolderChanges, piece: { is_first: boolean; is_last: boolean }): Promise<void>;
  state(id: number, state: WatchState, problem: Message | undefined): Promise<void>;
  log(id: number, level: 'debug' | 'info' | 'warn' | 'error', fields: object, message: string): Promise<void>;
}

export const WATCH = threadPort<WatchCalls>('watch', {
  open: true,
  pause: true,
  resume: true,
  rescan: true,
  close: true,
});

export const WATCH_OWNER = threadPort<WatchOwner>('watch_owner', { known: true, batch: true, state: true, log: true });
