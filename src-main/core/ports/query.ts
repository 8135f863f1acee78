import type { EntityType, ExploredType } from '../../contract/schemas/explore.ts';
import type { IssueChoice } from '../../contract/schemas/issues.ts';
import type { IssueLimits } from './issue-limits.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/**
 * [Note: Plan of a query]
 * What a store is asked: conditions that rows meet or not, and scores that rank the rows which meet them all. Everything that shows,
 * counts or chooses items takes a plan, so what can be found can be counted and chosen. Conditions of objects' images hold for the
 * objects: a folder, a type of media, a size or a date.
 */
export interface QueryPlan {
  entity_type: ExploredType;
  conditions: readonly Condition[];
  /** All must be met; a row is as far off as by the worst of them. */
  scores: readonly Score[];
  /** Leaves out what does not stand out of the noise; see {@link Score}. */
  within_cut_off?: boolean;
  /** Finds only rows from this one on, which came last, and decides conditions and scores for these alone. */
  from_row?: number;
}

/** The choice of items without any label. */
export const UNLABELED = 'Unlabeled';
/** The same of tags. */
export const UNTAGGED = 'untagged';

export type Condition =
  /** `is` has all, `is_not` not all together, `one_of` at least one, `not_one_of` none. An item has the labels of its objects too. */
  | { name: 'labels'; op: 'is' | 'is_not' | 'one_of' | 'not_one_of'; value: readonly string[] }
  /** Without regard to upper and lower case; one of the values must fit. */
  | {
      name: 'folders' | 'files' | 'captions';
      op: 'contains' | 'starts_with' | 'ends_with' | 'one_of';
      value: readonly string[];
    }
  /** As labels; an object has the tags of its image too. */
  | { name: 'tags'; op: 'is' | 'is_not' | 'one_of' | 'not_one_of'; value: readonly string[] }
  /** Items, or objects, by their ids. */
  | { name: 'media'; value: readonly string[] }
  /** What was left out of the dataset; without this condition a plan finds none of it. */
  | { name: 'excluded' }
  | { name: 'media_type'; value: readonly ('image' | 'video_frame')[] }
  /** In pixels of the upright image, bounds included. */
  | { name: 'width' | 'height'; from?: number | undefined; to?: number | undefined }
  /** ISO 8601, bounds included. */
  | { name: 'created'; from?: string | undefined; to?: string | undefined }
  /** As surely as `from` … `to`; `normal` has no issue. Left out, `from` is where an item counts as having one. */
  | {
      name: 'issues';
      value: IssueChoice;
      mode: 'in' | 'out';
      from?: number | undefined;
      to?: number | undefined;
      limits: IssueLimits;
    }
  /** Items that show the same as another, by at least this confidence: 1 is equal bytes. Clusters are then groups of those. */
  | { name: 'duplicates'; value: number }
  /** Items in an area of the map: the corners of a polygon. `map_id` names the layout that it was drawn on. */
  | { name: 'map'; map_id?: string | undefined; value: readonly (readonly [number, number])[] }
  /** Items by a custom field of theirs: see {@link MetadataTest}. */
  | ({ name: 'metadata'; field: string } & MetadataTest)
  /** Items of clusters, by their ids. */
  | { name: 'clusters'; value: readonly string[] }
  /** Items whose uniqueness is above the value. */
  | { name: 'uniqueness'; value: number }
  /** What an item's texts say: see {@link WordQuery}. */
  | { name: 'words'; query: WordQuery; columns: readonly TextColumn[] };

/**
 * What the value of a custom field must be. Strings and links: `is` and `one_of` the whole text, `contains` a part. Enums: `is` has all of
 * the options, `one_of` at least one. Floats and datetimes: bounds included.
 */
export type MetadataTest =
  | { op: 'is' | 'contains' | 'one_of'; value: readonly (string | number)[] }
  | { op: 'gt' | 'lt' | 'eq'; value: number }
  | { op: 'range'; from?: string | number | undefined; to?: string | number | undefined };

export type ConditionName = Condition['name'];

/** Texts of an item that words are looked for in. Labels are those of its objects too; a frame's folder is its video. */
export const TEXT_COLUMNS = ['caption', 'label', 'file_name', 'folder', 'id'] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** Words that texts have, in any form that has the same stem. No parts at all: `and` is met by everything, `or` by nothing. */
export type WordQuery =
  | { op: 'and' | 'or'; of: readonly WordQuery[] }
  | { op: 'not'; of: WordQuery }
  /** Words one after the other; with `is_prefix` the last is the beginning of one. */
  | { op: 'phrase'; text: string; is_prefix: boolean };

export type Score =
  /** Compares with a text's vector, in the items' space or in that of their captions. What is above the cut-off stands out. */
  | {
      name: 'text';
      of: 'items' | 'captions';
      vector: Float32Array;
      least_similarity: number;
      cut_off: NoiseDistribution | { similarity: number };
    }
  /** Compares with an item or object, in the items' own space; `max_distance` is included. */
  | { name: 'like'; media_id: string; max_distance: number | null }
  /**
   * Compares with an image from elsewhere, in the items' own space where it has a vector of the same encoder, else by looks. Items of the
   * same content are at distance 0.
   */
  | { name: 'like_image'; vectors: readonly EncodedVector[]; content_hash: string | null; max_distance: number | null }
  /** How much the texts have of the words, and how rare these are: 0 for the best that there is … 0.4. */
  | { name: 'words'; query: WordQuery; columns: readonly TextColumn[]; max_distance: number | null };

/** An L2-normalised vector, and what made it for which space. */
export interface EncodedVector {
  space: EmbeddingSpace;
  encoder_id: string;
  vector: Float32Array;
}

/** Part of a selection: items and objects by their ids, or what a plan finds, in one cluster or in all. */
export type SelectionPart =
  | { media_ids: readonly string[] }
  | { plan: QueryPlan; cluster_id?: string | undefined; exclude_media_ids: readonly string[] };

/** Cosines of texts and items that have nothing to do with each other. */
export interface NoiseDistribution {
  mean: number;
  deviation: number;
}

/** All items, objects or videos. */
export function everything(entityType: ExploredType): QueryPlan {
  return { entity_type: entityType, conditions: [], scores: [] };
}

/** The entity type whose rows a plan is about: videos are shown by frames. */
export function rowsOf(entityType: ExploredType): EntityType {
  return entityType === 'OBJECTS' ? 'OBJECTS' : 'IMAGES';
}
