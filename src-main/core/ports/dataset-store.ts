import type { AnnotationReads, AnnotationWrites } from './annotations.ts';
import type { ChangeReads, ChangeWrites } from './changes.ts';
import type { RecordRow } from './dataset-folders.ts';
import type { DuplicateReads, DuplicateWrites } from './duplicates.ts';
import type { EditReads, EditWrites } from './edits.ts';
import type { CopyChanges, EnrichmentReads, EnrichmentWrites } from './enrichment.ts';
import type { ExploreReads } from './explore.ts';
import type { IntakeReads, IntakeWrites } from './intake.ts';
import type { IssueReads } from './issues.ts';
import type { ItemReads } from './items.ts';
import type { MapReads, MapWrites } from './map.ts';
import type { MetadataReads, MetadataWrites } from './metadata.ts';
import type { RepairWrites } from './repairs.ts';
import type { SnapshotWrites } from './snapshots.ts';
import type { StateFile } from './state-file.ts';
import type { VectorReads, VectorWrites } from './vectors.ts';

/** Reads of one dataset, by subject. A call sees everything that was committed before it. Reads never wait for a write. */
export interface StoreReads {
  readonly items: ItemReads;
  readonly explore: ExploreReads;
  readonly edits: EditReads;
  readonly vectors: VectorReads;
  readonly duplicates: DuplicateReads;
  readonly issues: IssueReads;
  readonly map: MapReads;
  readonly intake: IntakeReads;
  readonly changes: ChangeReads;
  readonly annotations: AnnotationReads;
  readonly metadata: MetadataReads;
  readonly enrichment: EnrichmentReads;
}

/**
 * Writes of one dataset, by subject, and lists of pending work. They run one after the other. The changes of a call are committed when it
 * returns.
 */
export interface StoreWrites {
  readonly edits: EditWrites;
  readonly vectors: VectorWrites;
  readonly duplicates: DuplicateWrites;
  readonly map: MapWrites;
  readonly snapshots: SnapshotWrites;
  readonly intake: IntakeWrites;
  readonly changes: ChangeWrites;
  readonly annotations: AnnotationWrites;
  readonly metadata: MetadataWrites;
  readonly enrichment: EnrichmentWrites;
  readonly repairs: RepairWrites;
}

/**
 * The store of one dataset: a folder of numbered generations with rows, vectors, thumbnails and clusters. Arguments and results are plain
 * data.
 */
export type DatasetStore = StoreReads & StoreWrites;

export interface DatasetStores {
  /** Makes the first generation of a dataset, empty. @returns Its number. */
  create(datasetId: string): Promise<number>;
  /** The store of a dataset's generation, opened when needed and closed when long idle. */
  open(datasetId: string, generation: number): DatasetStore;
  /** Makes a copy of a generation as the next one of another dataset. @returns Its number, for the catalog to point to. */
  copy(from: { dataset_id: string; generation: number }, toDatasetId: string, changes: CopyChanges): Promise<number>;
  /**
   * Puts what a generation has committed by now into a folder, which is made: its database by copy, other files by hard link.
   * @returns Those other files.
   */
  takeState(of: { dataset_id: string; generation: number }, folder: string): Promise<StateFile[]>;
  /**
   * Creates a snapshot of a generation's present state. It stores only what no earlier snapshot of the dataset has.
   * @param about The snapshot's row of the catalog, stored with it.
   * @returns Number of blocks of its database, and how many of them are new.
   */
  createSnapshot(
    of: { dataset_id: string; generation: number },
    snapshotId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }>;
  /**
   * Copies a snapshot to another dataset by hard links; the copy takes no space.
   * @throws AppError `not_found`; `storage_failed` when a part of it is missing.
   */
  copySnapshot(
    from: { dataset_id: string; snapshot_id: string },
    to: { dataset_id: string; snapshot_id: string; about: RecordRow },
  ): Promise<void>;
  /**
   * Writes a snapshot as the next generation of its dataset. @returns The generation's number, for the catalog to point to.
   * @param onBytes Receives the bytes of the database that are written, and their total.
   * @throws AppError `not_found`; `storage_failed` when a part of it is missing or damaged.
   */
  restoreSnapshot(
    datasetId: string,
    snapshotId: string,
    onBytes: (done: number, total: number) => void,
  ): Promise<number>;
  /** Deletes a snapshot and the blocks that no other snapshot of the dataset needs. */
  deleteSnapshot(datasetId: string, snapshotId: string): Promise<void>;
  /** Closes and deletes the generations of a dataset but one. */
  keepOnly(datasetId: string, generation: number): Promise<void>;
  /** Closes and deletes everything of a dataset, the mark of its deletion last. */
  remove(datasetId: string): Promise<void>;
  /** Closes what nobody uses: the next call opens it as the settings say now. */
  renew(): void;
  close(): Promise<void>;
}
