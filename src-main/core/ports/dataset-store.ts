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
  /** Makes the folder of a dataset's first generation. */
  create(datasetId: string): Promise<DatasetStore>;
  /** The store of a dataset's generation, opened when needed and closed when long idle. */
  open(datasetId: string, generation: number): DatasetStore;
  /** Makes generation `to.generation` of another dataset as a copy of this one's; what an earlier try left is made again. */
  copy(
    from: { dataset_id: string; generation: number },
    to: { dataset_id: string; generation: number },
    changes: CopyChanges,
  ): Promise<void>;
  /** Closes and deletes the generations of a dataset but one. */
  keepOnly(datasetId: string, generation: number): Promise<void>;
  /** Closes and deletes everything of a dataset. */
  remove(datasetId: string): Promise<void>;
  /** Deletes folders that no dataset row names. */
  sweep(knownDatasetIds: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}
