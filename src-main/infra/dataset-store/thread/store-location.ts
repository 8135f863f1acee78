import type { VectorMemories } from '../../vectors/built-in/vector-memories.ts';

/** Where a generation of a dataset is. */
interface Place {
  dataset_id: string;
  dataFolder: string;
  /** The folder of the generation. */
  folder: string;
}

/** What a writing thread is started with. */
export interface StoreLocation extends Place {
  parquetEntryFile: string;
}

/** What a generation is opened with for reading. */
export interface ReaderStart extends Place {
  /** Shared by all threads that read the generation. */
  memories: VectorMemories;
}
