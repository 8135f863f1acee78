import type { EntityType } from '../../contract/schemas/explore.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/** Files that an index job reads and writes, and what it must cover. */
export interface IndexFiles {
  vectors_folder: string;
  dim: number;
  count: number;
  dead_rows: number[];
  graph_file: string;
  clusters_file: string;
  uniqueness_file: string;
  lists_file: string;
  /** The index that reads use now; undefined before the first. */
  published:
    | {
        graph_file: string;
        clusters_file: string;
        /** Undefined of an index of a former version. */
        lists_file: string | undefined;
        count: number;
        linkage_thresholds: number[] | undefined;
      }
    | undefined;
}

/** An index that a job has finished. */
export interface IndexEntry {
  space: EmbeddingSpace;
  entity_type: EntityType;
  files: IndexFiles;
  linkage_thresholds: readonly number[];
}
