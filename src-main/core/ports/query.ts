import type { EntityType, ExploredType } from '../../contract/schemas/explore.ts';
import type { FilterBody, FilterName } from '../../contract/vql/filters.ts';
import type { IssueLimits } from './issue-limits.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/**
 * [Note: Plan of a query]
 * A query to a store: conditions that rows must meet, and scores that rank the rows meeting all conditions. All functions that list, count
 * or select items take a plan, so that every search result can also be counted and selected. In plans of objects, conditions on the folder,
 * media type, size or date are tested on the object's image.
 */
export interface QueryPlan {
  entity_type: ExploredType;
  conditions: readonly Condition[];
  /** Scores to combine: a row must satisfy all of them, and its distance is the largest of its distances. */
  scores: readonly Score[];
  /** Omits rows that do not exceed the noise cut-off; see {@link Score}. */
  within_cut_off?: boolean;
  /** First row to consider. Only this and later rows, which are the newest, are tested and scored. */
  from_row?: number;
}

/** Value that selects items without labels. */
export const UNLABELED = 'Unlabeled';
/** Value that selects items without tags. */
export const UNTAGGED = 'untagged';

/**
 * A condition of a plan: the name and the parsed body of its filter, which `FILTERS` in contract/vql/filters.ts declares. Filters that
 * compare become scores, and texts to find by words become the condition `words`.
 */
export type Condition =
  | ConditionOfFilter<Exclude<FilterName, 'text' | 'similarity' | 'captions' | 'issues'>>
  | ({ name: 'captions' } & Exclude<FilterBody<'captions'>, { op: 'semantic' }>)
  | ({ name: 'issues'; limits: IssueLimits } & FilterBody<'issues'>)
  /** Items whose texts match; see {@link WordQuery}. `max_distance`: as in the score of the same name. */
  | { name: 'words'; query: WordQuery; columns: readonly TextColumn[]; max_distance?: number | null };

type ConditionOfFilter<Name extends FilterName> = Name extends FilterName ? { name: Name } & FilterBody<Name> : never;

/** Excluded items. Plans without a condition on exclusion never return them. */
export const EXCLUDED: Condition = { name: 'excluded', op: 'is', value: true };

export type ConditionName = Condition['name'];

/** Texts of an item that are searched for words. The labels include those of the item's objects; the folder of a frame is its video. */
export const TEXT_COLUMNS = ['caption', 'label', 'file_name', 'folder', 'id'] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** Words to find in texts, in any form with the same stem. Without parts, `and` matches everything and `or` nothing. */
export type WordQuery =
  | { op: 'and' | 'or'; of: readonly WordQuery[] }
  | { op: 'not'; of: WordQuery }
  /** Consecutive words. With `is_prefix` the last one is a prefix of a word. */
  | { op: 'phrase'; text: string; is_prefix: boolean };

export type Score =
  /**
   * Compares with a text's vector, in the space of the items or of their captions. Items above the cut-off exceed the noise. `words`: a
   * caption with these words is as similar as the score of the words says, if that is more.
   */
  | {
      name: 'text';
      of: 'items' | 'captions';
      vector: Float32Array;
      least_similarity: number;
      cut_off: NoiseDistribution | { similarity: number };
      words?: WordQuery;
    }
  /** Compares with an item or object, in the space of the items. `max_distance` is inclusive. */
  | { name: 'like'; media_id: string; max_distance: number | null }
  /**
   * Compares with an external image: in the space of the items if the image has a vector of the same encoder, else in the `looks` space.
   * Items with the same content have distance 0.
   */
  | { name: 'like_image'; vectors: readonly EncodedVector[]; content_hash: string | null; max_distance: number | null }
  /** Ranks by the share and the rarity of the matched words: distance 0 for the best match, up to 0.4. */
  | { name: 'words'; query: WordQuery; columns: readonly TextColumn[]; max_distance: number | null };

/** An L2-normalised vector with its encoder and space. */
export interface EncodedVector {
  space: EmbeddingSpace;
  encoder_id: string;
  vector: Float32Array;
}

/** Part of a selection: items and objects by id, or the matches of a plan in one cluster or in all clusters. */
export type SelectionPart =
  | { media_ids: readonly string[] }
  | { plan: QueryPlan; cluster_id?: string | undefined; exclude_media_ids: readonly string[] };

/** Distribution of the cosine similarities of unrelated texts and items. */
export interface NoiseDistribution {
  mean: number;
  deviation: number;
}

/** Returns a plan that matches all items, objects or videos. */
export function everything(entityType: ExploredType): QueryPlan {
  return { entity_type: entityType, conditions: [], scores: [] };
}

/** Returns the entity type whose rows a plan reads; videos are represented by their frames. */
export function rowsOf(entityType: ExploredType): EntityType {
  return entityType === 'OBJECTS' ? 'OBJECTS' : 'IMAGES';
}
