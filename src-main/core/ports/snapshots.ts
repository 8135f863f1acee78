import type { SnapshotChange, SnapshotChangeKind } from '../../contract/schemas/snapshot.ts';
import type { RecordRow } from './dataset-folders.ts';
import type { CopyChanges } from './enrichment.ts';
import type { StateFile } from './state-file.ts';

/** Two states of a dataset, and the requested page of their differences. */
export interface ChangesQuery {
  /** Id of a snapshot. */
  before: string;
  /** Id of another snapshot; null is the dataset's present state. */
  after: string | null;
  /** All kinds when null. */
  kind: SnapshotChangeKind | null;
  offset: number;
  limit: number;
}

export interface FoundChanges {
  /** Only kinds with changes. */
  counts: Partial<Record<SnapshotChangeKind, number>>;
  changes: SnapshotChange[];
  /** Of the requested kind. */
  total: number;
}

/** Compares states of datasets in a thread of its own. */
export interface SnapshotComparer {
  /**
   * @param of Must have been opened, so that its schema is up to date.
   * @throws AppError `not_found` for an unknown snapshot; `storage_failed` when a part of one is missing or damaged.
   */
  list(of: { dataset_id: string; generation: number }, query: ChangesQuery): Promise<FoundChanges>;
  close(): Promise<void>;
}

/** Copies the committed state of a generation. */
export interface SnapshotWrites {
  /** Writes a whole copy of this generation into an empty folder: rows by copy; thumbnails, vectors and index by hard link. */
  copyTo(folder: string, changes: CopyChanges): Promise<void>;
  /** Writes the committed state into an empty folder: rows by copy, all other files by hard link. @returns Those files. */
  takeState(folder: string): Promise<StateFile[]>;
  /** Creates a snapshot of the committed state. @returns Number of blocks of its database, and how many of them are new. */
  create(
    datasetFolder: string,
    snapshotId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }>;
}
