import { AppError } from '../../../contract/errors.ts';
import { DEFAULT_DUPLICATE_LEVEL } from '../../../contract/schemas/duplicates.ts';
import { CLUSTERS_PER_PAGE, type EntityType } from '../../../contract/schemas/explore.ts';
import {
  type ClusterItems,
  type ClusterList,
  type FacetCounts,
  type FoundSample,
  type ItemQuery,
  MAX_SAMPLED,
} from '../../../core/ports/explore.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import type { ItemList, ScoredItem } from '../../../core/ports/items.ts';
import { type Condition, type QueryPlan, rowsOf, type Score } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import type { TagRepository } from '../rows/tag.repository.ts';
import { groupRanked, RowGroups } from './cluster-groups.ts';
import { type ClusterIds, type ClusterKey, DUPLICATE_VIDEOS_LEVEL, DUPLICATES_LEVEL } from './cluster-ids.ts';
import type { ClusterViews, Grouping } from './cluster-views.ts';
import type { Facts } from './conditions/executor.ts';
import { countFacets } from './facet-counter.ts';
import type { IndexReader } from './index-reader.ts';
import type { RankedRows } from './ranked-rows.ts';
import type { RowMatcher } from './row-matcher.ts';
import type { RowOrders } from './row-orders.ts';
import type { RowRanker } from './row-ranker.ts';
import { frameOfEachVideo, nearestOfEachVideo } from './video-frames.ts';

/** Rows most like what they are compared with that a search looks at. */
const SEARCH_ROWS = 1000;

interface Ranked {
  rows: RankedRows;
  cut_off: ClusterList['cut_off'];
}

interface Parts {
  media: MediaRepository;
  index: IndexReader;
  matcher: RowMatcher;
  ranker: RowRanker;
  views: ClusterViews;
  orders: RowOrders;
  tags: TagRepository;
  clusterIds: ClusterIds;
}

/** Answers plans: [Note: Plan of a query]. */
export class ExploreReader {
  readonly #parts: Parts;
  readonly #groups = new RowGroups();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** See {@link RowRanker.bringIn} and {@link RowMatcher.bringIn}. */
  *bringIn({ entity_type, conditions, scores, from_row }: QueryPlan): Generator<void> {
    const { matcher, ranker } = this.#parts;
    const entityType = rowsOf(entity_type);
    if (from_row === undefined) yield* matcher.bringIn(entityType, conditions);
    yield* ranker.bringIn(entityType, scores);
    // Everything is compared then.
    if (scores.length > 1 || entity_type === 'VIDEOS') yield* ranker.bringInVectors(entityType, scores, 'now');
  }

  /** Brings into memory, piece by piece, what later searches like this one need not read from files then. */
  bringInLater({ entity_type, scores }: QueryPlan): Generator<void> {
    return this.#parts.ranker.bringInVectors(rowsOf(entity_type), scores, 'later');
  }

  /** A page of clusters of what was found at a level, 0 finest. */
  async explore(query: { plan: QueryPlan; level: number; page_number: number }): Promise<ClusterList> {
    const { plan, level, page_number } = query;
    const entityType = rowsOf(plan.entity_type);
    const { matcher, views } = this.#parts;
    const grouping = this.#groupingOf(plan, entityType, level);
    if (!grouping) return { clusters: [], total_clusters: 0, total_singles: 0, total_items: 0, cut_off: null };
    const { clusters } = grouping;
    const first = page_number * CLUSTERS_PER_PAGE;
    const ranked = plan.scores.length === 0 ? undefined : await this.#ranked(plan);
    const page = ranked
      ? groupRanked(clusters, ranked.rows, first, CLUSTERS_PER_PAGE)
      : this.#groups.page(clusters, this.#found(plan), first, CLUSTERS_PER_PAGE);
    const shown = views.view(page.groups, grouping, matcher.facts(entityType));
    return {
      clusters: shown,
      total_clusters: page.total_clusters,
      total_singles: page.total_singles,
      total_items: page.total_items,
      cut_off: ranked?.cut_off ?? null,
    };
  }

  /** Those items of a cluster that a plan finds: the nearest first where it compares, else the most typical. */
  async getCluster(query: {
    cluster_id: string;
    plan: Omit<QueryPlan, 'entity_type'>;
    offset: number;
    limit: number;
  }): Promise<ClusterItems | undefined> {
    const found = await this.#inCluster(query.cluster_id, query.plan);
    if (!found) return undefined;
    const { key, grouping, cluster, facts, rows, distances } = found;
    const { views } = this.#parts;
    const group = { cluster, rows, ...(distances ? { distances } : {}) };
    const [view] = views.view([group], grouping, facts);
    if (!view) return undefined;
    const shown = rows.subarray(query.offset, query.offset + query.limit);
    const items = views.items(facts, [...shown]);
    const listed = [...shown].flatMap((row, at): ScoredItem[] => {
      const item = items.get(row);
      return item ? [{ ...item, distance: distances?.[query.offset + at] ?? null }] : [];
    });
    return { entity_type: key.entity_type, cluster: view, items: listed, total: rows.length };
  }

  /** A page of what a plan finds, one by one. Without an order, the nearest first where it compares, else by similarity. */
  async listItems(query: ItemQuery): Promise<ItemList> {
    const { plan, descending, offset, limit } = query;
    const { matcher, views, orders } = this.#parts;
    const entityType = rowsOf(plan.entity_type);
    const facts = matcher.facts(entityType);
    const sort = query.sort ?? (plan.scores.length > 0 ? 'score' : 'similarity');
    if (sort === 'score') {
      if (plan.scores.length === 0) throw new AppError('invalid_request', 'Only a query that compares sorts by score');
      const { rows: ranked } = await this.#ranked(plan);
      const end = Math.max(0, ranked.count - offset);
      const shown = descending
        ? ranked.nearest(Math.max(0, end - limit), end).reverse()
        : ranked.nearest(offset, offset + limit);
      const items = views.items(
        facts,
        shown.map(({ row }) => row),
      );
      return {
        total: ranked.count,
        items: shown.flatMap(({ row, distance }) => {
          const item = items.get(row);
          return item ? [{ ...item, distance }] : [];
        }),
      };
    }
    const { rows } = await this.find(plan);
    const shown = orders.page(rows, facts, { order: sort, descending }, { offset, limit });
    const items = views.items(facts, shown);
    return { total: rows.count, items: shown.flatMap((row) => items.get(row) ?? []) };
  }

  async countFacets(plan: QueryPlan, limits: IssueLimits): Promise<FacetCounts> {
    const { rows, facts } = await this.find(plan);
    return { ...countFacets(rows, facts, this.#parts.tags), issues: facts.issues.count(rows, limits, facts) };
  }

  /** How much of each kind a plan finds, and a few of it; videos by the frame that stands for each. */
  async count(plan: QueryPlan): Promise<FoundSample> {
    const { rows, entityType, facts } = await this.find(plan);
    const sample = this.#parts.views.items(facts, [...rows.toRows().subarray(0, MAX_SAMPLED)]);
    const mediaIds = [...sample.values()].map(({ object, media_id }) => object?.object_id ?? media_id);
    if (entityType === 'OBJECTS') return { n_images: 0, n_objects: rows.count, n_video_frames: 0, media_ids: mediaIds };
    const { videoOf } = facts.columns.items;
    let nFrames = 0;
    rows.forEach((row) => {
      if ((videoOf[row] ?? -1) >= 0) nFrames += 1;
    });
    return { n_images: rows.count - nFrames, n_objects: 0, n_video_frames: nFrames, media_ids: mediaIds };
  }

  /** All that a plan finds, or what it finds in a cluster; videos with all of their frames. */
  async select(plan: QueryPlan, clusterId: string | undefined): Promise<{ entity_type: EntityType; rows: RowSet }> {
    if (clusterId !== undefined) {
      const found = await this.#inCluster(clusterId, plan);
      if (!found) throw new AppError('not_found', 'Cluster not found');
      return { entity_type: found.key.entity_type, rows: RowSet.of(found.facts.count, found.rows) };
    }
    const { rows: found, entityType, facts } = await this.find(plan);
    if (plan.entity_type !== 'VIDEOS') return { entity_type: entityType, rows: found };
    const { videoOf } = facts.columns.items;
    const videos = new Set(Array.from(found.toRows(), (row) => videoOf[row]));
    const frames = this.#parts.matcher.match(
      entityType,
      plan.conditions.filter(({ name }) => name === 'excluded'),
    );
    return {
      entity_type: entityType,
      rows: RowSet.where(facts.count, (row) => frames.has(row) && videos.has(videoOf[row])),
    };
  }

  /** A page of that: of what is compared, the nearest first; else in order of row. */
  async selectPage(
    plan: QueryPlan,
    clusterId: string | undefined,
    { offset, limit }: { offset: number; limit: number | undefined },
  ): Promise<{ entity_type: EntityType; rows: RowSet }> {
    const end = limit === undefined ? undefined : offset + limit;
    if (plan.scores.length > 0 && clusterId === undefined && plan.entity_type !== 'VIDEOS') {
      const entityType = rowsOf(plan.entity_type);
      const { rows: ranked } = await this.#ranked(plan);
      const { count } = this.#parts.matcher.facts(entityType);
      const page = ranked.nearest(offset, end).map(({ row }) => row);
      return { entity_type: entityType, rows: RowSet.of(count, page) };
    }
    const { entity_type, rows } = await this.select(plan, clusterId);
    if (offset === 0 && end === undefined) return { entity_type, rows };
    return { entity_type, rows: RowSet.of(rows.size, rows.toRows().subarray(offset, end)) };
  }

  /** The most frequent labels of what was found. Scores do not matter to it. */
  listLabels(plan: QueryPlan, limit: number): { name: string; count: number }[] {
    const entityType = rowsOf(plan.entity_type);
    return this.#parts.matcher.facts(entityType).labels.mostFrequent(this.#found(plan), limit);
  }

  /** All rows that a plan finds, ranked or not; of videos, the frame that stands for each. */
  async find(plan: QueryPlan): Promise<{ entityType: EntityType; facts: Facts; rows: RowSet }> {
    const entityType = rowsOf(plan.entity_type);
    const facts = this.#parts.matcher.facts(entityType);
    if (plan.scores.length === 0) return { entityType, facts, rows: this.#found(plan) };
    const { rows: ranked } = await this.#ranked(plan);
    return { entityType, facts, rows: RowSet.of(facts.count, ranked.rows) };
  }

  /** Rows of a cluster that a plan finds, in the order in which they are shown. Undefined where there is no such cluster. */
  async #inCluster(clusterId: string, { conditions, scores }: Omit<QueryPlan, 'entity_type'>) {
    const { matcher, ranker, clusterIds } = this.#parts;
    const key = clusterIds.decode(clusterId);
    const grouping = key && this.#groupingOfKey(key, conditions);
    if (!key || !grouping) return undefined;
    const { clusters } = grouping;
    const cluster = clusters.clusterOf(key.first_row);
    if (cluster < 0 || clusters.firstRow(cluster) !== key.first_row) return undefined;
    const facts = matcher.facts(key.entity_type);
    const isOfVideos = key.level === DUPLICATE_VIDEOS_LEVEL;
    const matching = matcher.match(key.entity_type, isOfVideos ? withoutDuplicates(conditions) : conditions);
    const rows = clusters.rows(cluster).filter((row) => matching.has(row));
    const found = { key, grouping, cluster, facts };
    if (scores.length === 0) return { ...found, rows, distances: undefined };
    const ranked = await ranker.rank(key.entity_type, scores, RowSet.of(matching.size, rows), rows.length);
    const nearest = ranked.nearest();
    return {
      ...found,
      rows: Int32Array.from(nearest, ({ row }) => row),
      distances: nearest.map(({ distance }) => distance),
    };
  }

  /** Clusters at a level, or where duplicates are asked for, their groups. */
  #groupingOf(plan: QueryPlan, entityType: EntityType, level: number): Grouping | undefined {
    const threshold = duplicateThreshold(plan.conditions);
    if (threshold !== undefined && entityType === 'IMAGES') {
      return this.#duplicates(plan.entity_type === 'VIDEOS' ? DUPLICATE_VIDEOS_LEVEL : DUPLICATES_LEVEL, threshold);
    }
    const clusters = this.#parts.index.clusters(entityType, level);
    return clusters && { clusters, level, duplicates_at: null };
  }

  #duplicates(level: typeof DUPLICATES_LEVEL | typeof DUPLICATE_VIDEOS_LEVEL, threshold: number): Grouping {
    const clusters = this.#parts.matcher.duplicates(level === DUPLICATES_LEVEL ? 'items' : 'videos', threshold);
    return { clusters, level, duplicates_at: threshold };
  }

  /** Where an id names a cluster. That of a group of duplicates goes with a condition, which says at what confidence. */
  #groupingOfKey({ entity_type, level }: ClusterKey, conditions: readonly Condition[]): Grouping | undefined {
    if (level === DUPLICATES_LEVEL || level === DUPLICATE_VIDEOS_LEVEL) {
      return this.#duplicates(level, duplicateThreshold(conditions) ?? DEFAULT_DUPLICATE_LEVEL);
    }
    const clusters = this.#parts.index.clusters(entity_type, level);
    return clusters && { clusters, level, duplicates_at: null };
  }

  /** Rows that meet all conditions; of videos, the frame that stands for each. */
  #found({ entity_type, conditions, from_row }: QueryPlan): RowSet {
    const { matcher, media } = this.#parts;
    if (entity_type !== 'VIDEOS') return matcher.match(rowsOf(entity_type), conditions, from_row);
    const threshold = duplicateThreshold(conditions);
    const groups = threshold === undefined ? undefined : matcher.duplicates('videos', threshold);
    const found = matcher.match('IMAGES', withoutDuplicates(conditions), from_row);
    const rows = groups ? found.and(RowSet.where(found.size, (row) => groups.clusterOf(row) >= 0)) : found;
    return frameOfEachVideo(rows, media.posterRows(), matcher.facts('IMAGES').columns.items.videoOf);
  }

  async #ranked({ entity_type, conditions, scores, within_cut_off, from_row }: QueryPlan): Promise<Ranked> {
    const { matcher, ranker } = this.#parts;
    const entityType = rowsOf(entity_type);
    // Everything is more or less like something; words fit or not, and of what came last all counts.
    const isWhole = from_row !== undefined || scores.every(({ name }) => name === 'words');
    const most = isWhole ? Number.POSITIVE_INFINITY : SEARCH_ROWS;
    const beside = besideWords(conditions, scores);
    if (entity_type !== 'VIDEOS') {
      const rows = matcher.match(entityType, beside, from_row);
      const ranked = await ranker.rank(entityType, scores, rows, Math.min(most, rows.count));
      return cutOff(ranked, await ranker.countOutstanding(entityType, scores, rows, ranked), within_cut_off);
    }
    const ofVideos = [...beside, { name: 'media_type', value: ['video_frame'] } as const];
    const frames = matcher.match(entityType, ofVideos, from_row);
    const ranked = (await ranker.rank(entityType, scores, frames, frames.count)).inOrder();
    const { videoOf } = matcher.facts(entityType).columns.items;
    const nOutstanding = await ranker.countOutstanding(entityType, scores, frames, ranked);
    const least = nOutstanding === null ? null : (ranked.similarities[nOutstanding - 1] ?? Number.POSITIVE_INFINITY);
    const nearest = nearestOfEachVideo(ranked, videoOf).first(most);
    const nVideos = least === null ? null : nearest.where((_row, similarity) => similarity >= least).count;
    return cutOff(nearest, nVideos, within_cut_off);
  }
}

/** The confidence that duplicates are asked for with: the highest of several. */
function duplicateThreshold(conditions: readonly Condition[]): number | undefined {
  const thresholds = conditions.flatMap((condition) => (condition.name === 'duplicates' ? [condition.value] : []));
  return thresholds.length === 0 ? undefined : Math.max(...thresholds);
}

/** For videos, which are duplicates as wholes, not by any frame. */
function withoutDuplicates(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ name }) => name !== 'duplicates');
}

/** Conditions without those on words that a score looks for as well: it ranks nothing else. To find them twice takes as long as to rank them. */
function besideWords(conditions: readonly Condition[], scores: readonly Score[]): Condition[] {
  const keyOf = ({ query, columns }: Extract<Score, { name: 'words' }>) => JSON.stringify([query, columns]);
  const ranked = new Set(scores.flatMap((score) => (score.name === 'words' ? [keyOf(score)] : [])));
  return conditions.filter((one) => one.name !== 'words' || !ranked.has(JSON.stringify([one.query, one.columns])));
}

/** Where rows that are ranked best first stop to stand out, and only those before if that is asked for. */
function cutOff(rows: RankedRows, nOutstanding: number | null, isWithin = false): Ranked {
  if (nOutstanding === null) return { rows, cut_off: null };
  return {
    rows: isWithin ? rows.first(nOutstanding) : rows,
    cut_off: { n_items: nOutstanding, distance: nOutstanding === 0 ? null : rows.distanceAt(nOutstanding - 1) },
  };
}
