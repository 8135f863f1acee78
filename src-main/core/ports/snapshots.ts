import type { SnapshotChange, SnapshotChangeKind } from '../../contract/schemas/snapshot.ts';
import type { RecordRow } from './dataset-folders.ts';
import type { CopyChanges } from './enrichment.ts';
import type { StateFile } from './state-file.ts';
import type { StoreMethods } from './store-methods.ts';

/** Requests a page of the differences between two states of a dataset. */
export interface ChangesQuery {
  /** Id of a snapshot. */
  before: string;
  /** Id of another snapshot; null for the dataset's present state. */
  after: string | null;
  /** Kind of changes to list; null for all kinds. */
  kind: SnapshotChangeKind | null;
  offset: number;
  limit: number;
}

export interface FoundChanges {
  /** Number of changes by kind; kinds without changes are omitted. */
  counts: Partial<Record<SnapshotChangeKind, number>>;
  changes: SnapshotChange[];
  /** Number of changes of the requested kind. */
  total: number;
}

/** Compares states of datasets in a separate thread. */
export interface SnapshotComparer {
  /**
   * @param of A generation that was opened before, so that its schema is up to date.
   * @throws AppError `not_found` for an unknown snapshot; `storage_failed` when a part of a snapshot is missing or damaged.
   */
  list(of: { dataset_id: string; generation: number }, query: ChangesQuery): Promise<FoundChanges>;
  close(): Promise<void>;
}

/** Copies the committed state of a generation. */
export interface SnapshotWrites {
  /** Writes a complete copy of this generation into an empty folder: copies rows; hard-links thumbnails, vectors and index. */
  copyTo(folder: string, changes: CopyChanges): Promise<void>;
  /** Writes the committed state into an empty folder: copies rows, hard-links all other files. @returns The hard-linked files. */
  takeState(folder: string): Promise<StateFile[]>;
  /**
   * Creates a snapshot of the committed state.
   * @returns Number of blocks of its database, and number of blocks written for this snapshot.
   */
  create(
    datasetFolder: string,
    snapshotId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }>;
}

export const snapshotMethods: StoreMethods<object, SnapshotWrites> = {
  copyTo: 'write',
  takeState: 'write',
  create: 'write',
};
