import type { Log } from '../../core/ports/log.ts';
import type { FileState } from './pending-changes.ts';
import type { RootIdentity } from './watched-root.ts';

export interface WatchedFile extends FileState {
  /** Relative to the watched folder, `/` between folders. */
  file_path: string;
}

export interface FolderChanges {
  added_or_changed: WatchedFile[];
  removed: string[];
}

export type WatchState = 'watching' | 'offline' | 'scanning' | 'paused';

export interface WatchFolderOptions {
  /** Absolute and canonical. */
  root: string;
  /** See {@link compileExcludes}. */
  exclude: readonly string[];
  /** The app's own folder, canonical: passed over where it lies below the root. */
  dataFolder?: string;
  /** How long a file must stand still before it counts as written. */
  settle_ms: number;
  /** How long nothing may happen before a batch is handed over. */
  quiet_ms: number;
  /** What has settled is handed over after this time even though there is no quiet. Default 30,000. */
  max_wait_ms?: number;
  /** How often the folder itself is looked at, and looked for while it is away. Default 3,000. */
  root_check_ms?: number;
  /** Pause between two scans where the system gives no events; at least ten times as long as the last one took. Default 30,000. */
  poll_ms?: number;
  /** Never asks the system for events: for network folders, which do not tell what other machines write. Default false. */
  poll_only?: boolean;
  /** Pause after `onBatch` failed, doubled for each further failure up to 5 minutes. Default 5,000. */
  retry_ms?: number;
  /**
   * Every file that is recorded as being in the folder, unusable ones too, some hundreds at a time. Asked at the start, after the folder
   * was away, after a pause and on `rescan`; what `onBatch` took has to be in it.
   */
  known(): AsyncIterable<readonly WatchedFile[]>;
  /** Takes a batch; resolves when it is recorded. Never called twice at once. When it fails the changes come again with what is new. */
  onBatch(changes: FolderChanges): Promise<void>;
  /** Called when the state or its detail changes. `detail` is for people. */
  onState(state: WatchState, detail?: string): void;
  log: Log;
  signal: AbortSignal;
}

export interface KnownFile extends FileState {
  /** Number of the last scan that saw the file. */
  scan: number;
}

/** The options with every default filled in, and what a session needs besides. */
export interface WatchSettings
  extends Required<Omit<WatchFolderOptions, 'exclude' | 'dataFolder' | 'onState' | 'signal'>> {
  skip(filePath: string): boolean;
  report(state: WatchState, detail?: string): void;
}

/** What outlives the folder's going and coming. */
export interface WatchMemory {
  known: Map<string, KnownFile>;
  scanNumber: number;
  rescanAsked: boolean;
  /** The folder that was last found to be the right one. */
  proven: RootIdentity | undefined;
  /** A folder that was found at the root and cannot be the right one. */
  doubted: { identity: RootIdentity; is_empty: boolean } | undefined;
}
