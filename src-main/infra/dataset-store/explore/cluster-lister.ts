import { DEFAULT_DUPLICATE_LEVEL } from '../../../contract/schemas/duplicates.ts';
import { CLUSTERS_PER_PAGE, type EntityType } from '../../../contract/schemas/explore.ts';
import type { ClusterItems, ClusterList, ClusterQuery } from '../../../core/ports/explore.ts';
import type { ScoredItem } from '../../../core/ports/items.ts';
import { type Condition, type QueryPlan, rowsOf } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ClusterEdits } from '../clusters/cluster-edits.ts';
import { groupRanked, RowGroups } from '../clusters/cluster-groups.ts';
import { type ClusterIds, type ClusterKey, DUPLICATE_VIDEOS_LEVEL, DUPLICATES_LEVEL } from '../clusters/cluster-ids.ts';
import type { ClusterViews, Grouping } from '../clusters/cluster-views.ts';
import { duplicateThreshold, withoutDuplicates } from '../duplicates/duplicates.condition.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { PlanFinder } from './plan-finder.ts';
import type { RowFacts } from './row-facts.ts';
import type { RowMatcher } from './row-matcher.ts';
import type { RowRanker } from './row-ranker.ts';

interface Parts {
  finder: PlanFinder;
  index: IndexReader;
  matcher: RowMatcher;
  rowFacts: RowFacts;
  ranker: RowRanker;
  views: ClusterViews;
  clusterIds: ClusterIds;
  clusterEdits: ClusterEdits;
}

/** Lists the matches of plans by cluster, or by group of duplicates. */
export class ClusterLister {
  readonly #parts: Parts;
  readonly #groups = new RowGroups();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param query.level 0 is the finest. */
  async list(query: ClusterQuery): Promise<ClusterList> {
    const { plan, level, page_number, hidden: isHidden = false } = query;
    const entityType = rowsOf(plan.entity_type);
    const { finder, rowFacts, views } = this.#parts;
    const grouping = this.#groupingOf(plan, entityType, level);
    const none = {
      clusters: [],
      total_clusters: 0,
      total_singles: 0,
      total_items: 0,
      hidden_clusters: 0,
      cut_off: null,
    };
    if (!grouping) return none;
    const { clusters } = grouping;
    const first = page_number * CLUSTERS_PER_PAGE;
    const ranked = plan.scores.length === 0 ? undefined : await finder.rank(plan);
    const hidden = ranked ? undefined : this.#hiddenIn(grouping, entityType);
    const page = ranked
      ? groupRanked(clusters, ranked.rows, first, CLUSTERS_PER_PAGE)
      : this.#groups.page(clusters, shownOf(finder.match(plan), hidden?.rows, isHidden), first, CLUSTERS_PER_PAGE);
    const frames = plan.entity_type === 'VIDEOS' ? await finder.framesOf(plan) : undefined;
    const shown = views.view(page.groups, grouping, rowFacts.of(entityType), frames);
    return {
      clusters: shown,
      total_clusters: page.total_clusters,
      total_singles: page.total_singles,
      total_items: page.total_items,
      hidden_clusters: hidden?.count ?? 0,
      cut_off: ranked?.cut_off ?? null,
    };
  }

  /** Returns the rows of hidden clusters; undefined for none. */
  #hiddenIn({ clusters, level, duplicates_at }: Grouping, entityType: EntityType) {
    if (duplicates_at !== null) return undefined;
    const hidden = this.#parts.clusterEdits.hidden(entityType, level, clusters);
    if (hidden.size === 0) return undefined;
    const rows = new RowSet(this.#parts.rowFacts.of(entityType).count);
    for (const cluster of hidden.keys()) for (const row of clusters.rows(cluster)) rows.add(row);
    return { rows, count: hidden.size };
  }

  /** Lists the items of a cluster that match a plan: by ascending distance if the plan has a score, otherwise most typical first. */
  async find(query: {
    cluster_id: string;
    plan: Omit<QueryPlan, 'entity_type'>;
    offset: number;
    limit: number;
  }): Promise<ClusterItems | undefined> {
    const found = await this.rowsOf(query.cluster_id, query.plan);
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
    const type = isOfVideos(key) ? ('VIDEOS' as const) : key.entity_type;
    return { type, cluster: view, items: listed, total: rows.length };
  }

  /** Returns the rows of a cluster that match a plan, in the order of {@link find}; undefined if the cluster does not exist. */
  async rowsOf(clusterId: string, { conditions, scores }: Omit<QueryPlan, 'entity_type'>) {
    const { matcher, rowFacts, ranker, clusterIds } = this.#parts;
    const key = clusterIds.decode(clusterId);
    const grouping = key && this.#groupingOfKey(key, conditions);
    if (!key || !grouping) return undefined;
    const { clusters } = grouping;
    const cluster = clusters.clusterOf(key.first_row);
    if (cluster < 0 || clusters.firstRow(cluster) !== key.first_row) return undefined;
    const facts = rowFacts.of(key.entity_type);
    const matching = matcher.match(key.entity_type, isOfVideos(key) ? withoutDuplicates(conditions) : conditions);
    const members = clusters.rows(cluster);
    const rows = key.of_videos
      ? await this.#framesOfVideos(members, { conditions, scores })
      : members.filter((row) => matching.has(row));
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

  /** Returns the matching frames of the videos whose representative frame is among the members of a cluster. */
  async #framesOfVideos(members: Int32Array, query: Omit<QueryPlan, 'entity_type'>): Promise<Int32Array> {
    const { finder, rowFacts } = this.#parts;
    const plan = { ...query, entity_type: 'VIDEOS' as const };
    const { rows: shown } = await finder.find(plan);
    const { videoOf } = rowFacts.of('IMAGES').columns.items;
    const videos = new Set(Array.from(members, (row) => (shown.has(row) ? videoOf[row] : undefined)));
    videos.delete(undefined);
    return (await finder.framesOf(plan)).toRows().filter((row) => videos.has(videoOf[row]));
  }

  /** Returns the clusters of a level, or the groups of duplicates if the plan has a condition on duplicates. */
  #groupingOf(plan: QueryPlan, entityType: EntityType, level: number): Grouping | undefined {
    const threshold = duplicateThreshold(plan.conditions);
    if (threshold !== undefined && entityType === 'IMAGES') {
      return this.#duplicates(plan.entity_type === 'VIDEOS' ? DUPLICATE_VIDEOS_LEVEL : DUPLICATES_LEVEL, threshold);
    }
    const clusters = this.#parts.index.clusters(entityType, level);
    const ofVideos = plan.entity_type === 'VIDEOS' ? { of_videos: true } : {};
    return clusters && { clusters, level, duplicates_at: null, ...ofVideos };
  }

  #duplicates(level: typeof DUPLICATES_LEVEL | typeof DUPLICATE_VIDEOS_LEVEL, threshold: number): Grouping {
    const { duplicates } = this.#parts.rowFacts.of('IMAGES');
    const clusters = level === DUPLICATES_LEVEL ? duplicates.items(threshold) : duplicates.videos(threshold);
    return { clusters, level, duplicates_at: threshold };
  }

  /** Returns the clusters of which an id identifies one. The confidence of a group of duplicates is in its condition, not in its id. */
  #groupingOfKey(
    { entity_type, level, of_videos }: ClusterKey,
    conditions: readonly Condition[],
  ): Grouping | undefined {
    if (level === DUPLICATES_LEVEL || level === DUPLICATE_VIDEOS_LEVEL) {
      return this.#duplicates(level, duplicateThreshold(conditions) ?? DEFAULT_DUPLICATE_LEVEL);
    }
    const clusters = this.#parts.index.clusters(entity_type, level);
    return clusters && { clusters, level, duplicates_at: null, ...(of_videos && { of_videos }) };
  }
}

/** Returns the matching rows of the clusters to list: those that are not hidden, or the hidden ones. */
function shownOf(rows: RowSet, hidden: RowSet | undefined, isHidden: boolean): RowSet {
  if (isHidden) return hidden ? rows.and(hidden) : new RowSet(rows.size);
  return hidden ? rows.without(hidden) : rows;
}

function isOfVideos({ level, of_videos }: ClusterKey): boolean {
  return of_videos === true || level === DUPLICATE_VIDEOS_LEVEL;
}
