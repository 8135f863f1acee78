import { CLUSTERS_PER_PAGE } from '../../../contract/schemas/explore.ts';
import type { ClusterItems, ClusterList, ScoredItem } from '../../../core/ports/explored.ts';
import { type QueryPlan, rowsOf } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import { groupRanked, groupRows } from './cluster-groups.ts';
import type { ClusterIds } from './cluster-ids.ts';
import type { ClusterViews } from './cluster-views.ts';
import type { IndexReader } from './index-reader.ts';
import type { RowMatcher } from './row-matcher.ts';
import type { RankedRow, RowRanker } from './row-ranker.ts';
import { frameOfEachVideo, nearestOfEachVideo } from './video-frames.ts';

/** Rows most like what they are compared with that a search looks at. */
const SEARCH_ROWS = 1000;

interface Parts {
  media: MediaRepository;
  index: IndexReader;
  matcher: RowMatcher;
  ranker: RowRanker;
  views: ClusterViews;
  clusterIds: ClusterIds;
}

/** Answers plans: [Note: Plan of a query]. */
export class ExploreReader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A page of clusters of what was found at a level, 0 finest. */
  async explore(query: { plan: QueryPlan; level: number; page_number: number }): Promise<ClusterList> {
    const { plan, level, page_number } = query;
    const entityType = rowsOf(plan.entity_type);
    const { index, matcher, views } = this.#parts;
    const clusters = index.clusters(entityType, level);
    if (!clusters) return { clusters: [], total_clusters: 0, total_items: 0 };
    const first = page_number * CLUSTERS_PER_PAGE;
    const page =
      plan.scores.length === 0
        ? groupRows(clusters, this.#found(plan), first, CLUSTERS_PER_PAGE)
        : groupRanked(clusters, await this.#ranked(plan), first, CLUSTERS_PER_PAGE);
    const shown = views.view(page.groups, level, clusters, matcher.facts(entityType));
    return { clusters: shown, total_clusters: page.total_clusters, total_items: page.total_items };
  }

  /** Those items of a cluster that a plan finds: the nearest first where it compares, else the most typical. */
  async getCluster(query: {
    cluster_id: string;
    plan: Omit<QueryPlan, 'entity_type'>;
    offset: number;
    limit: number;
  }): Promise<ClusterItems | undefined> {
    const { index, matcher, ranker, views, clusterIds } = this.#parts;
    const key = clusterIds.decode(query.cluster_id);
    const clusters = key && index.clusters(key.entity_type, key.level);
    if (!key || !clusters) return undefined;
    const cluster = clusters.clusterOf(key.first_row);
    if (cluster < 0 || clusters.firstRow(cluster) !== key.first_row) return undefined;

    const { conditions, scores } = query.plan;
    const matching = matcher.match(key.entity_type, conditions);
    let rows = clusters.rows(cluster).filter((row) => matching.has(row));
    let distances: number[] | undefined;
    if (scores.length > 0) {
      const ranked = await ranker.rank(key.entity_type, scores, RowSet.of(matching.size, rows), rows.length);
      rows = Int32Array.from(ranked, ({ row }) => row);
      distances = ranked.map(({ distance }) => distance);
    }
    const group = { cluster, rows, ...(distances ? { distances } : {}) };
    const [view] = views.view([group], key.level, clusters, matcher.facts(key.entity_type));
    if (!view) return undefined;
    const shown = rows.subarray(query.offset, query.offset + query.limit);
    const items = views.items(key.entity_type, [...shown]);
    const listed = [...shown].flatMap((row, at): ScoredItem[] => {
      const item = items.get(row);
      return item ? [{ ...item, distance: distances?.[query.offset + at] ?? null }] : [];
    });
    return { entity_type: key.entity_type, cluster: view, items: listed, total: rows.length };
  }

  /** The most frequent labels of what was found. Scores do not matter to it. */
  listLabels(plan: QueryPlan, limit: number): { name: string; count: number }[] {
    const entityType = rowsOf(plan.entity_type);
    const { columns } = this.#parts.matcher.facts(entityType);
    return columns.labels[entityType].mostFrequent(this.#found(plan).toRows(), limit);
  }

  /** Rows that meet all conditions; of videos, the frame that stands for each. */
  #found({ entity_type, conditions }: QueryPlan): RowSet {
    const { matcher, media } = this.#parts;
    const rows = matcher.match(rowsOf(entity_type), conditions);
    if (entity_type !== 'VIDEOS') return rows;
    return frameOfEachVideo(rows, media.posterRows(), matcher.facts('IMAGES').columns.items.videoOf);
  }

  async #ranked({ entity_type, conditions, scores }: QueryPlan): Promise<RankedRow[]> {
    const { matcher, ranker } = this.#parts;
    const entityType = rowsOf(entity_type);
    // Everything is more or less like something; words fit or not.
    const most = scores.every(({ name }) => name === 'words') ? Number.POSITIVE_INFINITY : SEARCH_ROWS;
    if (entity_type !== 'VIDEOS') {
      const rows = matcher.match(entityType, conditions);
      return ranker.rank(entityType, scores, rows, Math.min(most, rows.count));
    }
    const ofVideos = [...conditions, { name: 'media_type', value: ['video_frame'] } as const];
    const frames = matcher.match(entityType, ofVideos);
    const ranked = await ranker.rank(entityType, scores, frames, frames.count);
    const { videoOf } = matcher.facts(entityType).columns.items;
    return nearestOfEachVideo(ranked, videoOf).slice(0, most);
  }
}
