import { type QueryPlan, rowsOf } from '../../../core/ports/query.ts';
import { kindOf } from './conditions.ts';
import type { RowMatcher } from './row-matcher.ts';
import type { RowRanker } from './row-ranker.ts';

interface Parts {
  matcher: RowMatcher;
  ranker: RowRanker;
}

/** Loads in chunks the data that plans need and that takes long to load: [Note: Needs of a call]. */
export class PlanLoader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether a plan needs such data. */
  isNeeded({ conditions, scores }: QueryPlan): boolean {
    return scores.some(({ name }) => name !== 'words') || conditions.some((condition) => kindOf(condition).load);
  }

  async *load({ entity_type, conditions, scores, from_row: first = 0 }: QueryPlan): AsyncGenerator<void> {
    const { matcher, ranker } = this.#parts;
    const entityType = rowsOf(entity_type);
    const factsOf = () => ({ ...matcher.facts(entityType), first });
    for (const condition of conditions) yield* kindOf(condition).load?.(condition, factsOf) ?? [];
    yield* ranker.bringIn(entityType, scores);
    // These plans compare all vectors.
    if (scores.length > 1 || entity_type === 'VIDEOS') yield* ranker.bringInVectors(entityType, scores, 'now');
  }

  /** Loads the data that similar later searches would otherwise read from files. */
  loadLater({ entity_type, scores }: QueryPlan): AsyncGenerator<void> {
    return this.#parts.ranker.bringInVectors(rowsOf(entity_type), scores, 'later');
  }
}
