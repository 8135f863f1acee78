import type { AnnotationReads, AnnotationWrites } from './annotations.ts';
import type { ChangeReads, ChangeWrites } from './changes.ts';
import type { ChartReads } from './charts.ts';
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
import type { PageReads } from './pages.ts';
import type { RepairWrites } from './repairs.ts';
import type { ResultWrites } from './results.ts';
import type { ReviewReads } from './reviews.ts';
import type { SnapshotWrites } from './snapshots.ts';
import type { StateFile } from './state-file.ts';
import type { VectorReads, VectorWrites } from './vectors.ts';

/** Reads of one dataset, grouped by subject. A call sees all changes that were committed before it. Reads never wait for writes. */
export interface StoreReads {
  readonly items: ItemReads;
  readonly explore: ExploreReads;
  readonly pages: PageReads;
  readonly edits: EditReads;
  readonly vectors: VectorReads;
  readonly duplicates: DuplicateReads;
  readonly issues: IssueReads;
  readonly reviews: ReviewReads;
  readonly charts: ChartReads;
  readonly map: MapReads;
  readonly intake: IntakeReads;
  readonly changes: ChangeReads;
  readonly annotations: AnnotationReads;
  readonly metadata: MetadataReads;
  readonly enrichment: EnrichmentReads;
}

/**
 * Writes of one dataset, grouped by subject, and lists of pending work. Calls run one at a time. The changes of a call are committed when
 * it returns.
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
  readonly results: ResultWrites;
  readonly repairs: RepairWrites;
}

/**
 * The store of one dataset: a folder of numbered generations with rows, vectors, thumbnails and clusters. Arguments and results are plain
 * data.
 */
export type DatasetStore = StoreReads & StoreWrites;

export interface DatasetStores {
  /** Creates the first, empty generation of a dataset. @returns The generation's number. */
  create(datasetId: string): Promise<number>;
  /** Returns the store of a dataset's generation. The store opens on first use and closes when idle. */
  open(datasetId: string, generation: number): DatasetStore;
  /** Copies a generation as the next generation of another dataset. @returns The new generation's number, to be stored in the catalog. */
  copy(from: { dataset_id: string; generation: number }, toDatasetId: string, changes: CopyChanges): Promise<number>;
  /**
   * Creates a folder with the committed state of a generation: a copy of its database and hard links to its other files.
   * @returns The hard-linked files.
   */
  takeState(of: { dataset_id: string; generation: number }, folder: string): Promise<StateFile[]>;
  /**
   * Creates a snapshot of a generation's present state. Only data that no earlier snapshot of the dataset contains is written.
   * @param about The snapshot's row of the catalog, stored with it.
   * @returns Number of blocks of its database, and number of blocks written for this snapshot.
   */
  createSnapshot(
    of: { dataset_id: string; generation: number },
    snapshotId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }>;
  /**
   * Copies a snapshot to another dataset by hard links, without using disk space for the data.
   * @throws AppError `not_found`; `storage_failed` when a part of the snapshot is missing.
   */
  copySnapshot(
    from: { dataset_id: string; snapshot_id: string },
    to: { dataset_id: string; snapshot_id: string; about: RecordRow },
  ): Promise<void>;
  /**
   * Writes a snapshot as the next generation of its dataset.
   * @returns The generation's number, to be stored in the catalog.
   * @param onBytes Receives the number of database bytes written so far, and their total.
   * @throws AppError `not_found`; `storage_failed` when a part of the snapshot is missing or damaged.
   */
  restoreSnapshot(
    datasetId: string,
    snapshotId: string,
    onBytes: (done: number, total: number) => void,
  ): Promise<number>;
  /** Deletes a snapshot and the blocks that no other snapshot of the dataset uses. */
  deleteSnapshot(datasetId: string, snapshotId: string): Promise<void>;
  /**
   * Runs work that reads one generation. The generation is deleted after the work if it was replaced meanwhile; until then reads that name it
   * see it.
   * @throws AppError `conflict` if the generation is already deleted.
   */
  whileReading<T>(of: { dataset_id: string; generation: number }, work: () => Promise<T>): Promise<T>;
  /**
   * Closes and deletes the generations of a dataset before the present one, except those that work or waiting tasks still read. Later ones
   * may be in the making.
   */
  deleteReplaced(datasetId: string, present: number): Promise<void>;
  /** Closes and deletes all files of a dataset. The deletion mark is removed last. */
  remove(datasetId: string): Promise<void>;
  /** Makes the next call of each store open it again, with the current settings. */
  renew(): void;
  close(): Promise<void>;
}
