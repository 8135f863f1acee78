import type { Message } from '../../contract/messages.ts';
import type { SeenFile } from './changes.ts';
import type { Log } from './log.ts';

export interface SeenChanges {
  added_or_changed: SeenFile[];
  removed: string[];
}

export type FolderState = 'watching' | 'offline' | 'scanning' | 'paused';

export interface FolderWatch {
  /** Stops watching and discards changes that were not reported yet. {@link resume} compares the whole folder again. */
  pause(): Promise<void>;
  resume(): void;
  /** Compares the whole folder with the recorded files. */
  rescan(): void;
  /** Stops watching. Resolves when everything is closed and a running `onBatch` is finished. */
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Absolute canonical path. */
  root: string;
  exclude: readonly string[];
  /** Time in milliseconds that a file must be unchanged to count as completely written. */
  settle_ms: number;
  /** Time in milliseconds without changes after which a batch is reported. */
  quiet_ms: number;
  /** Maximum time in milliseconds until settled files are reported, even if changes continue. */
  max_wait_ms: number;
  /** Interval in milliseconds at which the existence of the root folder is checked. */
  root_check_ms: number;
  /** Yields all files that are recorded as present in the folder, including unusable files. */
  known(): AsyncIterable<readonly SeenFile[]>;
  /**
   * Receives a batch of changes and resolves when they are recorded. Calls never overlap. If a call rejects, its changes are reported again
   * with the next ones.
   */
  onBatch(changes: SeenChanges): Promise<void>;
  /** Receives the state of the folder. */
  onState(state: FolderState, problem?: Message): void;
  log: Log;
  signal: AbortSignal;
}

/**
 * Watches the media and annotation files of folders on this machine. A missing folder is offline; its files are not reported as removed.
 */
export interface FolderWatchers {
  watch(options: WatchOptions): FolderWatch;
  /** Stops all watches. */
  close(): Promise<void>;
}
