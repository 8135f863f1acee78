import type { SnapshotChange, SnapshotChangeKind } from '../../contract/schemas/snapshot.ts';

/** Two states of a dataset, and the page of what differs that is asked for. */
export interface ChangesQuery {
  /** A kept version. */
  former: string;
  /** Another one; null is what the dataset holds now. */
  latter: string | null;
  /** All kinds when null. */
  kind: SnapshotChangeKind | null;
  offset: number;
  limit: number;
}

export interface FoundChanges {
  /** Of the kinds that there are. */
  counts: Partial<Record<SnapshotChangeKind, number>>;
  changes: SnapshotChange[];
  /** Of the kind that is asked for. */
  total: number;
}

/** Compares states of datasets, beside everything else. */
export interface SnapshotComparer {
  /**
   * @param of Has been opened, so that its files are those of this version of the program.
   * @throws AppError `not_found` for an unknown version; `storage_failed` where a part of one is missing or damaged.
   */
  list(of: { dataset_id: string; generation: number }, query: ChangesQuery): Promise<FoundChanges>;
  close(): Promise<void>;
}
