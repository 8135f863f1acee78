import type { FolderChanges, WatchedFile, WatchFolderOptions, WatchState } from './watch-settings.ts';

/** The options that are plain data. */
export type PlainWatchOptions = Omit<WatchFolderOptions, 'known' | 'onBatch' | 'onState' | 'log' | 'signal'>;

/** What the thread answers. `id` names the watched folder. */
export interface WatchCalls {
  open(id: number, options: PlainWatchOptions): Promise<void>;
  /** Answered when the folder rests. */
  pause(id: number): Promise<void>;
  resume(id: number): Promise<void>;
  rescan(id: number): Promise<void>;
  close(id: number): Promise<void>;
}

/** What the thread asks of its owner. */
export interface WatchOwner {
  /** Known files, from the first ones on or the next; null at the end. */
  known(id: number, fromStart: boolean): Promise<readonly WatchedFile[] | null>;
  /** A piece of a batch; the last is answered when the batch is recorded. */
  batch(id: number, changes: FolderChanges, piece: { is_first: boolean; is_last: boolean }): Promise<void>;
  state(id: number, state: WatchState, detail: string | undefined): Promise<void>;
  log(id: number, level: 'debug' | 'info' | 'warn' | 'error', fields: object, message: string): Promise<void>;
}
