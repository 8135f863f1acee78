import type { VectorMemories } from '../../vectors/built-in/vector-memories.ts';

/** Where one generation of a dataset is; what its threads are started with. */
export interface StoreLocation {
  dataset_id: string;
  dataFolder: string;
  /** The generation's. */
  folder: string;
  parquetEntryFile: string;
}

/** What a reading thread is started with. */
export interface ReaderStart extends StoreLocation {
  /** Those of all threads that read the generation. */
  memories: VectorMemories;
}
