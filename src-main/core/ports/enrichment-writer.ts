import type { EntityType } from '../../contract/schemas/explore.ts';
import type { DescribedObject } from './boxes.ts';
import type { RecordRow } from './dataset-folders.ts';
import type { ModelOutput } from './inference.ts';
import type { CropRequest } from './local-jobs.ts';
import type { StateFile } from './state-file.ts';
import type { VectorSpace } from './vector-space.ts';

/** What becomes different in a copy of a generation before anybody sees it. */
export interface CopyChanges {
  /** Entity types that get another space of meaning, by which encoder; the others keep what they have, and all keep their looks. */
  meaning: Partial<Record<EntityType, VectorSpace>>;
  /** Models whose statements are not taken along: others of their type take their place. */
  forget_models: readonly string[];
  /** Another sentence encoder makes them anew. */
  forget_caption_vectors: boolean;
}

/** An image to which models are to be applied. */
export interface ImageToEnrich {
  row: number;
  media_id: string;
  /** Absolute path to read. */
  path: string;
}

export interface EnrichedImage {
  row: number;
  media_id: string;
  /** `boxes` are of the objects in `output`, in their order; none where these are still to be described. */
  outputs: { model_id: string; output: ModelOutput; boxes?: DescribedObject[] }[];
}

/** An image with objects to which models are to be applied; crops are keyed by the object's row. */
export interface ObjectsToEnrich {
  path: string;
  width: number;
  height: number;
  crops: CropRequest[];
}

export interface EnrichedObject {
  row: number;
  outputs: { model_id: string; output: ModelOutput }[];
}

export interface ModelFailureRow {
  media_id: string;
  file_path: string;
  model_id: string;
  reason: string;
}

/**
 * `models` applies what a dataset is enriched with, `meaning` the encoder whose space is being added. Each goes through the rows for itself.
 */
export type PassName = 'models' | 'meaning';

/** The part of a writer that takes in what models say. Rows are gone through in order; what is saved is never asked for again. */
export interface EnrichmentWriter {
  /** Writes a whole copy of this generation into an empty folder: rows by copy; thumbnails, vectors and index by hard link. */
  copyTo(folder: string, changes: CopyChanges): Promise<void>;
  /** Puts what is committed into an empty folder: rows by copy, all other files by hard link. @returns Those files. */
  takeState(folder: string): Promise<StateFile[]>;
  /** Creates a snapshot of what is committed. @returns Number of blocks of its database, and how many of them are new. */
  createSnapshot(
    datasetFolder: string,
    snapshotId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }>;
  /** Living items from where models have got to, or after a row. */
  listImagesToEnrich(pass: PassName, afterRow: number | null, limit: number): Promise<ImageToEnrich[]>;
  /**
   * Takes the place of what the same models said of these items before. Objects that are not described wait as those of annotations do.
   * @param batchId Null when the models are applied to what was there already.
   * @param nextRow All rows below are done with.
   */
  saveImages(pass: PassName, results: EnrichedImage[], nextRow: number, batchId: string | null): Promise<void>;
  listObjectsToEnrich(
    pass: PassName,
    afterRow: number | null,
    limit: number,
  ): Promise<{ images: ObjectsToEnrich[]; last_row: number | null }>;
  saveObjects(pass: PassName, results: EnrichedObject[], nextRow: number): Promise<void>;
  /** All rows have been gone through: rows without a vector get one without direction. */
  finishModels(pass: PassName): Promise<void>;
  /**
   * Begins a space of meaning beside what the dataset has, or goes on with one of the same encoder. Nobody sees it before its index is
   * published.
   */
  beginMeaning(made: VectorSpace): Promise<void>;
  /** Leaves the dataset as if it had never had a space of meaning. */
  dropMeaning(): Promise<void>;
  /**
   * Takes vectors of items from a Parquet file, by `media_id` or `filename` (a path, or a name that only one item has).
   * Items that it has none for are noted as failures of the model.
   */
  importVectors(modelId: string, parquetFile: string): Promise<{ n_matched: number }>;
  /** Captions without a vector in the order of their ids, from the one after `after` on; 0 is before the first. */
  listCaptionsToEncode(after: number, limit: number): Promise<{ caption_id: number; caption: string }[]>;
  saveCaptionVectors(vectors: { caption_id: number; vector: Float32Array }[]): Promise<void>;
}

/** The batch of boxes that models find on items that were there already. */
export const ENRICHMENT_BATCH = 'enrichment';
