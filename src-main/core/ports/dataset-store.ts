import type { DatasetReader } from './dataset-reader.ts';
import type { DatasetWriter } from './dataset-writer.ts';
import type { CopyChanges } from './enrichment-writer.ts';

/**
 * One dataset's own store: a folder of numbered generations with rows, vectors, thumbnails and clusters. All calls are asynchronous and take
 * plain data.
 */
export interface DatasetStore {
  readonly read: DatasetReader;
  readonly write: DatasetWriter;
}

export interface DatasetStores {
  /** Makes the first generation of a dataset, empty. @returns Its number. */
  create(datasetId: string): Promise<number>;
  /** The store of a dataset's generation, opened when needed and closed when long idle. */
  open(datasetId: string, generation: number): DatasetStore;
  /** Makes a copy of a generation as the next one of another dataset. @returns Its number, for the catalog to point to. */
  copy(from: { dataset_id: string; generation: number }, toDatasetId: string, changes: CopyChanges): Promise<number>;
  /** Closes and deletes the generations of a dataset but one. */
  keepOnly(datasetId: string, generation: number): Promise<void>;
  /** Closes and deletes everything of a dataset, the mark of its deletion last. */
  remove(datasetId: string): Promise<void>;
  close(): Promise<void>;
}
