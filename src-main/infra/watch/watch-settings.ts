import type { Message } from '../../contract/messages.ts';
import type { Log } from '../../core/ports/log.ts';
import type { FileState } from './pending-changes.ts';
import type { RootIdentity } from './watched-root.ts';

export interface WatchedFile extends FileState {
  /** Path relative to the watched folder, with `/` between folders. */
  file_path: string;
}

export interface FolderChanges {
  added_or_changed: WatchedFile[];
  removed: string[];
}

export type WatchState = 'watching' | 'offline' | 'scanning' | 'paused';

export interface WatchFolderOptions {
  /** Absolute, canonical path. */
  root: string;
  /** See {@link compileExcludes}. */
  exclude: readonly string[];
  /** The app's own data folder as a canonical path: skipped when it lies below the root. */
  dataFolder?: string;
  /** Time in ms for which a file must be unchanged before it counts as completely written. */
  settle_ms: number;
  /** Time in ms without events after which a batch is passed on. */
  quiet_ms: number;
  /** Maximum time in ms that settled changes wait while events continue (default 30,000). */
  max_wait_ms?: number;
  /** Interval in ms between checks of the root folder, also while it is missing (default 3,000). */
  root_check_ms?: number;
  /**
   * Minimum pause in ms between two scans when the system gives no events (default 30,000); at least ten times the duration of the last
   * scan.
   */
  poll_ms?: number;
  /** Never uses system events: for network folders, which do not report changes by other machines (default false). */
  poll_only?: boolean;
  /** Pause in ms after `onBatch` failed, doubled for each further failure up to 5 minutes (default 5,000). */
  retry_ms?: number;
  /**
   * Every file that is recorded for the folder, unusable ones included, some hundreds at a time. Read at the start, after the folder was
   * offline, after a pause and on `rescan`. Batches that `onBatch` has accepted must be included.
   */
  known(): AsyncIterable<readonly WatchedFile[]>;
  /**
   * Receives a batch; resolves when the batch is recorded. Calls never overlap. After a failure the changes are sent again with newer ones.
   */
  onBatch(changes: FolderChanges): Promise<void>;
  /** Called when the state or its problem changes. */
  onState(state: WatchState, problem?: Message): void;
  log: Log;
  signal: AbortSignal;
}

export interface KnownFile extends FileState {
  /** Number of the last scan that found the file. */
  scan: number;
}

/** The options with all defaults filled in, and other values that a session needs. */
export interface WatchSettings
  extends Required<Omit<WatchFolderOptions, 'exclude' | 'dataFolder' | 'onState' | 'signal'>> {
  skip(filePath: string): boolean;
  report(state: WatchState, problem?: Message): void;
}

/** State that is kept while the folder goes offline and comes back. */
export interface WatchMemory {
  known: Map<string, KnownFile>;
  scanNumber: number;
  rescanRequested: boolean;
  /** The folder that was last verified as the right one. */
  proven: RootIdentity | undefined;
  /** A folder that was found at the root and cannot be the right one. */
  doubted: { identity: RootIdentity; is_empty: boolean } | undefined;
}
