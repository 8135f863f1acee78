import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { ClusterList } from '../../../core/ports/explore.ts';
import { type Condition, type QueryPlan, rowsOf, type Score } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { duplicateThreshold, withoutDuplicates } from '../duplicates/duplicates.condition.ts';
import type { MediaRepository } from '../items/media.repository.ts';
import { frameOfEachVideo, nearestOfEachVideo } from '../items/video-frames.ts';
import type { RankedRows } from './ranked-rows.ts';
import type { Facts, RowFacts } from './row-facts.ts';
import type { RowMatcher } from './row-matcher.ts';
import type { RowRanker } from './row-ranker.ts';

/** Maximum number of rows that a search by vector returns. */
const SEARCH_ROWS = 1000;

/** Rows by descending similarity. */
export interface RankedPlan {
  rows: RankedRows;
  cut_off: ClusterList['cut_off'];
}

interface Parts {
  media: MediaRepository;
  matcher: RowMatcher;
  rowFacts: RowFacts;
  ranker: RowRanker;
}

/** Finds the rows that match plans: [Note: Plan of a query]. */
export class PlanFinder {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the rows that match a plan, with or without scores. Each video is represented by its poster frame. */
  async find(plan: QueryPlan): Promise<{ entityType: EntityType; facts: Facts; rows: RowSet }> {
    const entityType = rowsOf(plan.entity_type);
    const facts = this.#parts.rowFacts.of(entityType);
    if (plan.scores.length === 0) return { entityType, facts, rows: this.match(plan) };
    const { rows: ranked } = await this.rank(plan);
    return { entityType, facts, rows: RowSet.of(facts.count, ranked.rows) };
  }

  /** Returns all frames that match a plan of videos, of which {@link find} returns one for each video. */
  async framesOf({ conditions, scores, from_row }: QueryPlan): Promise<RowSet> {
    const { matcher, rowFacts, ranker } = this.#parts;
    const ofVideos: Condition = { name: 'media_type', op: 'one_of', value: ['video_frame'] };
    if (scores.length > 0) {
      const frames = matcher.match('IMAGES', [...besideWords(conditions, scores), ofVideos], from_row);
      const ranked = await ranker.rank('IMAGES', scores, frames, frames.count);
      return RowSet.of(frames.size, ranked.rows);
    }
    const frames = matcher.match('IMAGES', [...withoutDuplicates(conditions), ofVideos], from_row);
    const threshold = duplicateThreshold(conditions);
    if (threshold === undefined) return frames;
    const groups = rowFacts.of('IMAGES').duplicates.videos(threshold);
    return frames.and(RowSet.where(frames.size, (row) => groups.clusterOf(row) >= 0));
  }

  /** Returns the rows that meet all conditions of a plan, without its scores. Each video is represented by its poster frame. */
  match({ entity_type, conditions, from_row }: QueryPlan): RowSet {
    const { matcher, rowFacts, media } = this.#parts;
    if (entity_type !== 'VIDEOS') return matcher.match(rowsOf(entity_type), conditions, from_row);
    const threshold = duplicateThreshold(conditions);
    const groups = threshold === undefined ? undefined : rowFacts.of('IMAGES').duplicates.videos(threshold);
    const found = matcher.match('IMAGES', withoutDuplicates(conditions), from_row);
    const rows = groups ? found.and(RowSet.where(found.size, (row) => groups.clusterOf(row) >= 0)) : found;
    return frameOfEachVideo(rows, media.posterRows(), rowFacts.of('IMAGES').columns.items.videoOf);
  }

  /** Returns the rows that match a plan with scores, best first. Each video is represented by its nearest frame. */
  async rank({ entity_type, conditions, scores, within_cut_off, from_row }: QueryPlan): Promise<RankedPlan> {
    const { matcher, rowFacts, ranker } = this.#parts;
    const entityType = rowsOf(entity_type);
    // Similarity has no natural limit, so a search by vector is limited. Words either match or do not, and a plan of the last rows is
    // small.
    const isWhole = from_row !== undefined || scores.every(({ name }) => name === 'words');
    const most = isWhole ? Number.POSITIVE_INFINITY : SEARCH_ROWS;
    const beside = besideWords(conditions, scores);
    if (entity_type !== 'VIDEOS') {
      const rows = matcher.match(entityType, beside, from_row);
      const ranked = await ranker.rank(entityType, scores, rows, Math.min(most, rows.count));
      return cutOff(ranked, await ranker.countOutstanding(entityType, scores, rows, ranked), within_cut_off);
    }
    const ofVideos: Condition[] = [...beside, { name: 'media_type', op: 'one_of', value: ['video_frame'] }];
    const frames = matcher.match(entityType, ofVideos, from_row);
    const ranked = (await ranker.rank(entityType, scores, frames, frames.count)).inOrder();
    const { videoOf } = rowFacts.of(entityType).columns.items;
    const nOutstanding = await ranker.countOutstanding(entityType, scores, frames, ranked);
    const least = nOutstanding === null ? null : (ranked.similarities[nOutstanding - 1] ?? Number.POSITIVE_INFINITY);
    const nearest = nearestOfEachVideo(ranked, videoOf).first(most);
    const nVideos = least === null ? null : nearest.where((_row, similarity) => similarity >= least).count;
    return cutOff(nearest, nVideos, within_cut_off);
  }
}

/** Removes conditions on words that are also a score: the score finds the same rows, and a second search would double the time. */
function besideWords(conditions: readonly Condition[], scores: readonly Score[]): Condition[] {
  const keyOf = ({ query, columns }: Extract<Score, { name: 'words' }>) => JSON.stringify([query, columns]);
  const ranked = new Set(scores.flatMap((score) => (score.name === 'words' ? [keyOf(score)] : [])));
  return conditions.filter((one) => one.name !== 'words' || !ranked.has(JSON.stringify([one.query, one.columns])));
}

/** @param isWithin Removes the rows behind the cut-off. */
function cutOff(rows: RankedRows, nOutstanding: number | null, isWithin = false): RankedPlan {
  if (nOutstanding === null) return { rows, cut_off: null };
  return {
    rows: isWithin ? rows.first(nOutstanding) : rows,
    cut_off: { n_items: nOutstanding, distance: nOutstanding === 0 ? null : rows.distanceAt(nOutstanding - 1) },
  };
}
