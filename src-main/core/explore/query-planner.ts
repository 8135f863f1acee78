import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ExploredType } from '../../contract/schemas/explore.ts';
import type { FilterBody } from '../../contract/vql/filters.ts';
import { printVql } from '../../contract/vql/print-vql.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { TextQueryService } from '../enrichment/text-query.service.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import type { ShownScore } from '../ports/pages.ts';
import { type QueryPlan, rowsOf, type Score } from '../ports/query.ts';
import type { QueryImages } from './query-images.ts';
import { type QueryParameters, readQuery } from './read-query.ts';
import { sortFilters } from './sort-filters.ts';

export type ExploreQuery = QueryParameters & { entity_type: ExploredType; within_cut_off?: boolean };

/** Dataset to query, and the signal that cancels the query. */
export type AskingContext = Pick<DatasetContext, 'dataset' | 'signal'>;

/** A query plan for the dataset's store, and how to show its distances. */
export interface PlannedQuery {
  plan: QueryPlan;
  /** The whole query as VQL, including its other parameters. */
  vql: string;
  shown: ShownScore;
}

/** Turns the parameters of Explore into plans. */
export class QueryPlanner {
  readonly #texts: TextQueryService;
  readonly #images: QueryImages;
  readonly #issueLimits: () => IssueLimits;

  constructor(texts: TextQueryService, images: QueryImages, issueLimits: () => IssueLimits) {
    this.#texts = texts;
    this.#images = images;
    this.#issueLimits = issueLimits;
  }

  /**
   * @throws AppError `invalid_request` for anchors combined with texts, because their distances are not comparable; `not_found` for a query
   * image that does not exist or has expired.
   */
  async plan({ dataset, signal }: AskingContext, store: StoreReads, input: ExploreQuery): Promise<PlannedQuery> {
    const filters = readQuery(input);
    const { conditions, likes, texts } = sortFilters(filters, this.#issueLimits());
    if (likes.length > 0 && texts.some(({ of }) => of !== 'words')) {
      throw new AppError('invalid_request', message('anchor_and_text'));
    }
    const { entity_type } = input;
    const query = await this.#texts.toPlan(dataset.dataset_id, store, rowsOf(entity_type), texts, signal);
    const anchors = likes.map((like) => this.#anchor(dataset.dataset_id, like));
    const scored =
      anchors.length > 0 ? { scores: anchors, shown: { type: 'cosine_distance', scale: 'unchanged' } as const } : query;
    const { within_cut_off = false } = input;
    const plan = {
      entity_type,
      conditions: [...conditions, ...query.conditions],
      scores: scored.scores,
      within_cut_off,
    };
    return { plan, vql: printVql(filters), shown: scored.shown };
  }

  #anchor(datasetId: string, { op, value, threshold }: FilterBody<'similarity'>): Score {
    const maxDistance = threshold ?? null;
    if (op === 'media') return { name: 'like', media_id: value, max_distance: maxDistance };
    const { vectors, content_hash } = this.#images.get(datasetId, value);
    return { name: 'like_image', vectors, content_hash, max_distance: maxDistance };
  }
}
