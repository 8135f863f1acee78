import type { SnapshotChange, SnapshotChangeKind } from '../../contract/schemas/snapshot.ts';

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
