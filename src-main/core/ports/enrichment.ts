import type { Message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { DescribedObject } from './boxes.ts';
import type { FoundLabel, ModelOutput } from './inference.ts';
import type { CropRequest } from './local-jobs.ts';
import type { StoreMethods } from './store-methods.ts';
import type { VectorSpace } from './vector-space.ts';

/** Changes applied to a copy of a generation before the copy becomes visible. */
export interface CopyChanges {
  /** New encoder of the `meaning` space by entity type. Other entity types keep their `meaning` space. All keep their `looks` space. */
  meaning: Partial<Record<EntityType, VectorSpace>>;
  /** Models whose results are not copied, because other models of the same type replace them. */
  forget_models: readonly string[];
  /** Whether to drop the caption vectors, because another sentence encoder computes them again. */
  forget_caption_vectors: boolean;
}

/** An image that models are applied to. */
export interface ImageToEnrich {
  row: number;
  media_id: string;
  /** Absolute path to read. */
  path: string;
}

export interface EnrichedImage {
  row: number;
  media_id: string;
  /** `boxes` describe the objects in `output`, in the same order; undefined if the objects are still to be described. */
  outputs: { model_id: string; output: ModelOutput; boxes?: DescribedObject[] }[];
}

/** An image with objects that models are applied to. Crops are keyed by the object's row. */
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
  reason: Message;
}

/** A tagger that compares vectors with words. `version` changes with the model and with its list of words. */
export interface WordTagger {
  model_id: string;
  version: string;
}

/**
 * `models` applies the models that the dataset is enriched with; `meaning` applies the encoder of a space that is being added. Each pass
 * has its own progress through the rows.
 */
export type PassName = 'models' | 'meaning';

export interface EnrichmentReads {
  /** Returns the number of rows that a pass has processed, and of all rows. */
  progress(pass: PassName, entityType: EntityType): Promise<{ n_done: number; n_rows: number }>;
  /** Lists a sample of living items, evenly spaced over all of them. */
  sampleImages(limit: number): Promise<ImageToEnrich[]>;
  countFailures(): Promise<number>;
  listFailures(query: { offset: number; limit: number }): Promise<ModelFailureRow[]>;
}

/** Saves the results of models. A pass goes through the rows in order; saved rows are never listed again. */
export interface EnrichmentWrites {
  /** Lists living items after a row, by default after the last row that the pass has processed. */
  listImages(pass: PassName, afterRow: number | null, limit: number): Promise<ImageToEnrich[]>;
  /**
   * Replaces the results of the same models for these items. Objects without a description become pending boxes, like those of annotations.
   * @param batchId Null if the models are applied to existing items.
   * @param nextRow The pass has processed all rows below this one.
   */
  saveImages(pass: PassName, results: EnrichedImage[], nextRow: number, batchId: string | null): Promise<void>;
  listObjects(
    pass: PassName,
    afterRow: number | null,
    limit: number,
  ): Promise<{ images: ObjectsToEnrich[]; last_row: number | null }>;
  saveObjects(pass: PassName, results: EnrichedObject[], nextRow: number): Promise<void>;
  /** Call after the last row of these types: rows without a vector get a zero vector. */
  finish(pass: PassName, entityTypes: readonly EntityType[]): Promise<void>;
  /**
   * Adds a `meaning` space, or continues adding one of the same encoder. Reads of items or of objects use it from the publication of its
   * index on.
   */
  beginMeaning(made: VectorSpace): Promise<void>;
  /** Ends the addition of the `meaning` space: later items and objects get vectors in it, also if there are none yet. */
  endMeaning(): Promise<void>;
  /** Removes the `meaning` space and all data computed from it. */
  dropMeaning(): Promise<void>;
  /**
   * Imports vectors of items from a Parquet file, by `media_id` or `filename` (a path, or a file name that is unique among the items).
   * Items without a vector in the file are recorded as failures of the model.
   */
  importVectors(modelId: string, parquetFile: string): Promise<{ n_matched: number }>;
  /** Lists captions without a vector in the order of their ids, after the id `after`; 0 starts at the first. */
  listCaptions(after: number, limit: number): Promise<{ caption_id: number; caption: string }[]>;
  saveCaptionVectors(vectors: { caption_id: number; vector: Float32Array }[]): Promise<void>;
  /**
   * Begins or continues the tags of a tagger: [Note: Word tags]. Tags of another tagger are deleted.
   * @returns The number of rows processed, and of all rows; undefined if the dataset is not tagged, because annotation files label images.
   */
  beginWordTags(tagger: WordTagger): Promise<{ n_done: number; n_rows: number } | undefined>;
  /** Lists the next items without tags and their vectors, concatenated; no items after the last indexed row. */
  listUntagged(limit: number): Promise<{ media_ids: string[]; vectors: Float32Array; next_row: number }>;
  /** Replaces the tags of items. @param nextRow All items below this row are tagged. */
  saveWordTags(modelId: string, tags: { media_id: string; labels: FoundLabel[] }[], nextRow: number): Promise<void>;
  /** Makes the tags visible. Readers do not load labels again for each page. */
  endWordTags(): Promise<void>;
}

export const enrichmentMethods: StoreMethods<EnrichmentReads, EnrichmentWrites> = {
  progress: 'read',
  sampleImages: 'read',
  countFailures: 'read',
  listFailures: 'read',
  listImages: 'write',
  saveImages: 'write',
  listObjects: 'write',
  saveObjects: 'write',
  finish: 'write',
  beginMeaning: 'write',
  endMeaning: 'write',
  dropMeaning: 'write',
  importVectors: 'write',
  listCaptions: 'write',
  saveCaptionVectors: 'write',
  beginWordTags: 'write',
  listUntagged: 'write',
  saveWordTags: 'write',
  endWordTags: 'write',
};

/** Batch id of boxes that models detect on existing items. */
export const ENRICHMENT_BATCH = 'enrichment';
