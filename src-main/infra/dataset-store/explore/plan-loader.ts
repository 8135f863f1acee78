import { type QueryPlan, rowsOf, type Score } from '../../../core/ports/query.ts';
import type { VectorCollection } from '../../../core/ports/vector-engine.ts';
import type { NeededIssues } from '../thread/needs.ts';
import { conditionKind } from './conditions.ts';
import type { Facts, RowFacts } from './row-facts.ts';
import { scoreKind } from './scores.ts';

/** Loads in chunks the data that plans need and that takes long to load: [Note: Needs of a call]. */
export class PlanLoader {
  readonly #rowFacts: RowFacts;
  /** Collections that are loaded for later searches. */
  readonly #loading = new Set<VectorCollection>();

  constructor(rowFacts: RowFacts) {
    this.#rowFacts = rowFacts;
  }

  /** Whether a plan needs such data. */
  isNeeded({ conditions, scores }: QueryPlan): boolean {
    const isLoading = (score: Score) => scoreKind(score).vectorsOf ?? scoreKind(score).load;
    return scores.some(isLoading) || conditions.some((condition) => conditionKind(condition).load);
  }

  async *load({ entity_type, conditions, scores, from_row }: QueryPlan): AsyncGenerator<void> {
    const factsOf = () => this.#rowFacts.of(rowsOf(entity_type), from_row);
    for (const condition of conditions) yield* conditionKind(condition).load?.(condition, factsOf) ?? [];
    for (const score of scores) {
      yield* vectorsOf(score, factsOf())?.load('first_search') ?? [];
      yield* scoreKind(score).load?.(score, factsOf()) ?? [];
    }
    // Other plans search the index, without all vectors.
    if (scores.length < 2 && entity_type !== 'VIDEOS') return;
    for (const score of scores) yield* vectorsOf(score, factsOf())?.load('vectors') ?? [];
  }

  async *loadIssues({ entity_type, issues, limits }: NeededIssues): AsyncGenerator<void> {
    const factsOf = () => this.#rowFacts.of(entity_type);
    yield* factsOf().issues.make(issues, limits, factsOf);
  }

  /** Loads data that similar later searches would otherwise read from files. */
  async *loadLater({ entity_type, scores }: QueryPlan): AsyncGenerator<void> {
    for (const score of scores) {
      const collection = vectorsOf(score, this.#rowFacts.of(rowsOf(entity_type)));
      if (!collection || this.#loading.has(collection)) continue;
      this.#loading.add(collection);
      try {
        yield* collection.load('search');
      } finally {
        this.#loading.delete(collection);
      }
    }
  }
}

function vectorsOf(score: Score, facts: Facts): VectorCollection | undefined {
  return scoreKind(score).vectorsOf?.(score, facts);
}
