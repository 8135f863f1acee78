import type { EntityType, ExploredType } from '../../contract/schemas/explore.ts';
import { STRONG_MATCH } from '../../contract/schemas/view.ts';
import { printVql } from '../../contract/vql/print-vql.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { isNeverIndexed } from '../datasets/dataset-row.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { FoundSample } from '../ports/explore.ts';
import { type QueryPlan, rowsOf, type Score } from '../ports/query.ts';
import { printQueryImage } from './query-image.ts';
import type { QueryImages } from './query-images.ts';
import type { AskingContext, QueryPlanner } from './query-planner.ts';
import { readQuery } from './read-query.ts';

/** A query that is stored to be run again. */
export interface SavedQuery {
  entity_type: ExploredType;
  caption: string | null;
  /** The parsed filters, as a JSON array. */
  vql: string;
}

/** A row number larger than every existing or future row. */
const NO_ROW = 2 ** 31 - 1;

/** Reads saved queries, and counts the new items that match them. */
export class SavedQueryService {
  readonly #datasets: DatasetCatalog;
  readonly #planner: QueryPlanner;
  readonly #images: QueryImages;

  constructor(parts: { datasets: DatasetCatalog; planner: QueryPlanner; images: QueryImages }) {
    this.#datasets = parts.datasets;
    this.#planner = parts.planner;
    this.#images = parts.images;
  }

  /**
   * Parses a query. If the dataset is indexed, also checks that the query can be run.
   * @returns The query, and its serialised query images by id.
   * @throws AppError `invalid_input` that names the problem and its place; errors of Explore.
   */
  async read(
    context: DatasetContext,
    input: { entity_type: ExploredType; caption?: string | undefined; vql?: string | undefined },
  ): Promise<{ query: SavedQuery; images: ReadonlyMap<string, string> }> {
    const { dataset } = context;
    const filters = readQuery({ vql: input.vql });
    readQuery({ caption: input.caption });
    const images = new Map<string, string>();
    for (const { name, body } of filters) {
      if (name !== 'similarity' || body.op !== 'upload') continue;
      images.set(body.value, printQueryImage(this.#images.get(dataset.dataset_id, body.value)));
    }
    if (!isNeverIndexed(dataset)) {
      const store = this.#datasets.browsable(dataset);
      const { plan } = await this.#planner.plan(context, store, input);
      await store.explore.count({ ...plan, from_row: NO_ROW });
    }
    const { entity_type, caption = null } = input;
    return { query: { entity_type, caption, vql: printVql(filters) }, images };
  }

  /**
   * Counts the new rows that match a query, and returns a few of them. Without a threshold, texts match above the noise cut-off, and images
   * match if the match is strong.
   * @param firstRows The first new row of each type.
   */
  async countNew(
    context: AskingContext,
    store: StoreReads,
    { entity_type, caption, vql }: SavedQuery,
    firstRows: Record<EntityType, number>,
  ): Promise<FoundSample> {
    const query = { entity_type, caption: caption ?? undefined, vql };
    const { plan } = await this.#planner.plan(context, store, query);
    return store.explore.count({ ...limited(plan), from_row: firstRows[rowsOf(entity_type)] });
  }
}

/** Limits the scores of a plan, so that it finds only matching rows instead of ranking all rows. */
function limited(plan: QueryPlan): QueryPlan {
  const isWithinCutOff = plan.scores.some(
    (score) => score.name === 'text' && score.least_similarity === Number.NEGATIVE_INFINITY,
  );
  return { ...plan, scores: plan.scores.flatMap(limitedScore), within_cut_off: isWithinCutOff };
}

function limitedScore(score: Score): Score[] {
  // The words are conditions of the plan too.
  if (score.name === 'words' && score.max_distance === null) return [];
  if (score.name === 'like' || score.name === 'like_image') {
    return [{ ...score, max_distance: score.max_distance ?? STRONG_MATCH }];
  }
  return [score];
}
