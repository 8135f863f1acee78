import type { SeenFile } from './changes.ts';
import type { Log } from './log.ts';

export interface SeenChanges {
  added_or_changed: SeenFile[];
  removed: string[];
}

export type FolderState = 'watching' | 'offline' | 'scanning' | 'paused';

export interface FolderWatch {
  /** Stops watching and forgets what was not handed over; resuming compares the whole folder again. */
  pause(): Promise<void>;
  resume(): void;
  /** Compares the whole folder with what is known. */
  rescan(): void;
  /** Resolves when everything is closed, a running `onBatch` included. */
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Absolute and canonical. */
  root: string;
  exclude: readonly string[];
  /** How long a file must stand still before it counts as written. */
  settle_ms: number;
  /** How long nothing may happen before a batch is handed over. */
  quiet_ms: number;
  /** What has settled is handed over after this time even though there is no quiet. */
  max_wait_ms: number;
  /** How often the folder itself is looked at, and looked for while it is away. */
  root_check_ms: number;
  /** Every file that is recorded as being in the folder, unusable ones too. */
  known(): AsyncIterable<readonly SeenFile[]>;
  /** Takes a batch; resolves when it is recorded. Never called twice at once. When it fails the changes come again with what is new. */
  onBatch(changes: SeenChanges): Promise<void>;
  /** `detail` is for people. */
  onState(state: FolderState, detail?: string): void;
  log: Log;
  signal: AbortSignal;
}

/** Watches the media and annotation files of folders on this machine. A folder that is away is offline; nothing of it is reported as removed. */
export interface FolderWatchers {
  watch(options: WatchOptions): FolderWatch;
  /** Closes every watch. */
  close(): Promise<void>;
}
