import type { EntityType, ExploredType } from '../../contract/schemas/explore.ts';
import type { Facets, ItemSort } from '../../contract/schemas/facets.ts';
import type { SelectedRows } from './edits.ts';
import type { ChosenItems } from './exports.ts';
import type { IssueLimits } from './issue-limits.ts';
import type { ItemList, ScoredItem } from './items.ts';
import type { Condition, QueryPlan, SelectionPart } from './query.ts';
import type { StoreMethods } from './store-methods.ts';

export interface ClusterView {
  cluster_id: string;
  level: number;
  /** For a group of duplicates, the confidence from which pairs are connected; null for a cluster. */
  duplicates_at: number | null;
  /** For a cluster of objects: the number of images with these objects. */
  n_images: number;
  n_objects: number;
  n_frames: number;
  n_videos: number;
  /** The most frequent labels of the cluster's items (maximum 3). */
  labels: string[];
  /** The most frequent tags of the cluster's items (maximum 3). */
  tags: string[];
  /** Name that a user gave to the cluster. */
  name: string | null;
  /** Name proposed from the cluster's labels, captions or tags by words. */
  suggested_name: string | null;
  /** Whether users merged several clusters into this one. */
  is_merged: boolean;
  distance: number | null;
  previews: ScoredItem[];
}

export interface ClusterList {
  clusters: ClusterView[];
  total_clusters: number;
  /** Number of clusters with a single matching item. These clusters come last, unless the query has a score. */
  total_singles: number;
  total_items: number;
  /** Number of hidden clusters of the level. */
  hidden_clusters: number;
  /** For a search by text: number of items above the noise cut-off, and the distance of the last such item. */
  cut_off: { n_items: number; distance: number | null } | null;
}

export interface ClusterItems {
  /** A cluster of videos is listed by its frames. */
  type: ExploredType;
  cluster: ClusterView;
  items: ScoredItem[];
  total: number;
}

/** Requests a page of the clusters with items that match a plan. */
export interface ClusterQuery {
  plan: QueryPlan;
  level: number;
  page_number: number;
  /** Lists the clusters that people hid, instead of the others. Plans with a score list all clusters. */
  hidden?: boolean;
}

/** Requests a page of the items that match a plan. */
export interface ItemQuery {
  plan: QueryPlan;
  sort: ItemSort | undefined;
  descending: boolean;
  offset: number;
  limit: number;
  /** Name of the custom field to sort by, for the order `metadata`. */
  field?: string | undefined;
  /** Level of the clusters to sort by or to describe; default: `DEFAULT_THRESHOLD` of the contract. */
  level?: number;
  /** Limits of issues, for orders by issues and for `isTable`. */
  limits?: IssueLimits;
  /** Whether each item has all {@link TableFields}. */
  isTable?: boolean;
}

/** Number of matches by kind. */
export interface FoundCounts {
  n_images: number;
  n_objects: number;
  n_video_frames: number;
}

/** Number of matches by kind, with the ids of up to {@link MAX_SAMPLED} matches. */
export interface FoundSample extends FoundCounts {
  /** Ids of items or objects. */
  media_ids: string[];
}
export const MAX_SAMPLED = 4;

/** Facet counts, in the shape of the contract. */
export type FacetCounts = Facets;

/** Runs query plans: [Note: Plan of a query]. */
export interface ExploreReads {
  /**
   * Lists a page of the items that match a plan. Default order: ascending distance if the plan has a score, else by similarity.
   * @throws AppError as {@link listClusters}; `invalid_request` for a sort by score of a plan without a score, and by a custom field that is
   * missing or unknown.
   */
  list(query: ItemQuery): Promise<ItemList>;
  /**
   * Lists a page of the matching items, grouped by the clusters of a level: ascending distance if the plan has a score, else large clusters
   * first. A video belongs to the clusters of its poster frame; in a search, to the cluster of its nearest frame.
   * @throws AppError `not_found` for an unknown item to compare with; `invalid_request` for an item that cannot be compared.
   */
  listClusters(query: ClusterQuery): Promise<ClusterList>;
  /** Lists the items of a cluster that match a plan. @returns Undefined if the cluster does not exist or no longer exists. */
  findCluster(query: {
    cluster_id: string;
    plan: Omit<QueryPlan, 'entity_type'>;
    offset: number;
    limit: number;
  }): Promise<ClusterItems | undefined>;
  /** Describes the clustering levels, finest first; there are none before the first index. */
  describeLevels(entityType: EntityType): Promise<{
    levels: { n_items: number; n_clusters: number; n_singles: number }[];
    /** Level that is shown first. */
    default_level: number | undefined;
  }>;
  /** Counts the matches by kind; a video counts by its poster frame. @throws AppError as {@link listClusters}. */
  count(plan: QueryPlan): Promise<FoundSample>;
  /** Counts the matches for each value of each facet. */
  countFacets(plan: QueryPlan, limits: IssueLimits, labelConfidence?: number): Promise<FacetCounts>;
  /** Lists the most frequent labels of the rows that meet the conditions of a plan. */
  listLabels(plan: QueryPlan, limit: number): Promise<{ name: string; count: number }[]>;
  /**
   * Returns the rows of the given parts that meet all conditions. A video stands for all of its frames.
   * @throws AppError `not_found` for an unknown id or cluster; `conflict` for an item that is not indexed yet.
   */
  select(parts: readonly SelectionPart[], conditions: readonly Condition[]): Promise<SelectedRows>;
  /**
   * Returns a page of the matches of a plan for export, in one cluster or in all clusters.
   * @throws AppError `not_found` for an unknown cluster.
   */
  choosePage(
    part: { plan: QueryPlan; cluster_id: string | undefined },
    page: { offset: number; limit: number | undefined },
  ): Promise<ChosenItems>;
  /** Returns the items and objects of a selection for export. @throws AppError as {@link select}. */
  chooseItems(parts: readonly SelectionPart[]): Promise<ChosenItems>;
}

export const exploreMethods: StoreMethods<ExploreReads> = {
  list: 'read',
  listClusters: 'read',
  findCluster: 'read',
  describeLevels: 'read',
  count: 'read',
  countFacets: 'read',
  listLabels: 'read',
  select: 'read',
  choosePage: 'read',
  chooseItems: 'read',
};
