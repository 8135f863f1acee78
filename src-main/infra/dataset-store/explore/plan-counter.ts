import { LRUCache } from 'lru-cache';
import { type FacetCounts, type FoundSample, MAX_SAMPLED } from '../../../core/ports/explore.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import { type QueryPlan, rowsOf } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { ClusterViews } from '../clusters/cluster-views.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import { dataState } from './condition-bitmaps.ts';
import { countFacets } from './facet-counter.ts';
import type { PlanFinder } from './plan-finder.ts';
import type { Facts, RowFacts } from './row-facts.ts';

interface Parts {
  finder: PlanFinder;
  rowFacts: RowFacts;
  views: ClusterViews;
  tags: TagRepository;
}

/** Maximum number of states of the data of which the last counts are kept. */
const MAX_COUNTED = 4;

/** Counts the matches of plans. */
export class PlanCounter {
  readonly #parts: Parts;
  readonly #counted = new LRUCache<string, { rows: RowSet; counts: FacetCounts }>({ max: MAX_COUNTED });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async countFacets(plan: QueryPlan, limits: IssueLimits, labelConfidence?: number): Promise<FacetCounts> {
    const { rows, facts } = await this.#parts.finder.find(plan);
    const counts = this.#countOnce(rows, facts, limits, labelConfidence);
    if (plan.entity_type !== 'VIDEOS') return counts;
    const { count } = await this.#parts.finder.framesOf(plan);
    return { ...counts, media_types: count === 0 ? [] : [{ name: 'video_frame', count }] };
  }

  /** Counts rows, unless the same rows were counted before and nothing has changed since: each look at Explore counts all items. */
  #countOnce(rows: RowSet, facts: Facts, limits: IssueLimits, labelConfidence: number | undefined): FacetCounts {
    const { entity_type, edits, metadata } = facts;
    const tags = this.#parts.tags.list();
    const fields = metadata.fields().map((field) => [field, metadata.stateOf(field.field_name)]);
    const key = JSON.stringify([dataState(facts), edits.state, tags, fields, entity_type, limits, labelConfidence]);
    const known = this.#counted.get(key);
    if (known?.rows.equals(rows)) return known.counts;
    const counts = {
      ...countFacets(rows, facts, { tags, label_confidence: labelConfidence }),
      issues: facts.issues.count(rows, limits, facts),
    };
    this.#counted.set(key, { rows, counts });
    return counts;
  }

  /** Returns the number of matches by kind, with some of their ids. A video counts by its poster frame. */
  async count(plan: QueryPlan): Promise<FoundSample> {
    const { rows, entityType, facts } = await this.#parts.finder.find(plan);
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

  /** Returns the most frequent labels of the rows that meet the conditions of a plan, regardless of its scores. */
  listLabels(plan: QueryPlan, limit: number): { name: string; count: number }[] {
    const entityType = rowsOf(plan.entity_type);
    return this.#parts.rowFacts.of(entityType).labels.mostFrequent(this.#parts.finder.match(plan), limit);
  }
}
