import type { EngineConnection } from '../../../core/ports/external-engine.ts';
import type { EngineMemories } from '../../vectors/open-engine.ts';

/** Location of a generation of a dataset. */
interface Place {
  dataset_id: string;
  dataFolder: string;
  /** Folder of the generation. */
  folder: string;
  /** The configured external vector engine; undefined for none. */
  engineConnection?: EngineConnection | undefined;
}

/** Location of the generation that a writer opens. */
export interface StoreLocation extends Place {
  parquetEntryFile: string;
}

/** Data with which a reader opens a generation. */
export interface ReaderStart extends Place {
  /** Vector memories shared by all threads that read the generation. */
  memories: EngineMemories;
}
