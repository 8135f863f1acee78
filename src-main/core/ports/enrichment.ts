import type { EntityType } from '../../contract/schemas/explore.ts';
import type { DescribedObject } from './boxes.ts';
import type { ModelOutput } from './inference.ts';
import type { CropRequest } from './local-jobs.ts';
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

export interface EnrichmentReads {
  /** Number of rows that a pass is done with, and of all rows. */
  progress(pass: PassName, entityType: EntityType): Promise<{ n_done: number; n_rows: number }>;
  /** Lists living items, spread evenly over all of them. */
  sampleImages(limit: number): Promise<ImageToEnrich[]>;
  countFailures(): Promise<number>;
  listFailures(query: { offset: number; limit: number }): Promise<ModelFailureRow[]>;
}

/** Saves the results of models. A pass goes through the rows in order; saved rows are never listed again. */
export interface EnrichmentWrites {
  /** Lists living items after a row, by default after the last row that the pass is done with. */
  listImages(pass: PassName, afterRow: number | null, limit: number): Promise<ImageToEnrich[]>;
  /**
   * Replaces the results of the same models for these items. Objects without a description wait as those of annotations do.
   * @param batchId Null when the models are applied to what was there already.
   * @param nextRow The pass is done with all rows below this one.
   */
  saveImages(pass: PassName, results: EnrichedImage[], nextRow: number, batchId: string | null): Promise<void>;
  listObjects(
    pass: PassName,
    afterRow: number | null,
    limit: number,
  ): Promise<{ images: ObjectsToEnrich[]; last_row: number | null }>;
  saveObjects(pass: PassName, results: EnrichedObject[], nextRow: number): Promise<void>;
  /** Call after the last row: rows without a vector get a zero vector. */
  finish(pass: PassName): Promise<void>;
  /**
   * Starts a space of meaning, or continues one of the same encoder. Reads do not use it before its index is published.
   */
  beginMeaning(made: VectorSpace): Promise<void>;
  /** Removes the space of meaning with all that was computed from it. */
  dropMeaning(): Promise<void>;
  /**
   * Imports vectors of items from a Parquet file, by `media_id` or `filename` (a path, or a name that only one item has).
   * Items without a vector in the file are recorded as failures of the model.
   */
  importVectors(modelId: string, parquetFile: string): Promise<{ n_matched: number }>;
  /** Lists captions without a vector in the order of their ids, after the id `after`; 0 starts at the first. */
  listCaptions(after: number, limit: number): Promise<{ caption_id: number; caption: string }[]>;
  saveCaptionVectors(vectors: { caption_id: number; vector: Float32Array }[]): Promise<void>;
}

/** The batch of boxes that models find on items that were there already. */
export const ENRICHMENT_BATCH = 'enrichment';
