import type { FolderChanges, WatchedFile, WatchFolderOptions, WatchState } from './watch-settings.ts';

/** The options that are plain data. */
export type PlainWatchOptions = Omit<WatchFolderOptions, 'known' | 'onBatch' | 'onState' | 'log' | 'signal'>;

/** What the thread is told. `id` names the watched folder. */
export type ToWatchThread =
  | { kind: 'open'; id: number; options: PlainWatchOptions }
  | { kind: 'pause' | 'resume' | 'rescan' | 'close'; id: number }
  /** The next known files; null at the end. */
  | { kind: 'known'; id: number; files: readonly WatchedFile[] | null; failure?: string }
  | { kind: 'taken'; id: number; failure?: string };

/** What the thread tells. */
export type FromWatchThread =
  | { kind: 'state'; id: number; state: WatchState; detail: string | undefined }
  /** A piece of a batch; each is answered with `taken`, the last one when the batch is recorded. */
  | { kind: 'batch'; id: number; changes: FolderChanges; is_first: boolean; is_last: boolean }
  /** Asks for known files, from the first one on or for more. */
  | { kind: 'known'; id: number; from_start: boolean }
  | { kind: 'paused' | 'closed'; id: number }
  | { kind: 'log'; id: number; level: 'debug' | 'info' | 'warn' | 'error'; fields: object; message: string };
