import type { EntityType } from '../../../contract/schemas/explore.ts';
import { type Condition, EXCLUDED } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { ConditionBitmaps } from './condition-bitmaps.ts';
import type { Facts, RowFacts } from './row-facts.ts';

/** Finds the rows of the published index that meet conditions. */
export class RowMatcher {
  readonly #rowFacts: RowFacts;
  readonly #bitmaps = new ConditionBitmaps();

  constructor(rowFacts: RowFacts) {
    this.#rowFacts = rowFacts;
  }

  /**
   * Returns the living rows that meet all conditions. Excluded rows are included only if a condition asks for them.
   * @param first The first requested row.
   */
  match(entityType: EntityType, conditions: readonly Condition[], first = 0): RowSet {
    const facts = this.#rowFacts.of(entityType, first);
    const alive = facts.index.alive(entityType).from(first);
    const isAboutExcluded = conditions.some(({ name }) => name === 'excluded');
    return this.#narrow(
      isAboutExcluded ? alive : alive.without(this.#bitmaps.rows(EXCLUDED, facts)),
      conditions,
      facts,
    );
  }

  /** Returns those of `rows` that meet all conditions. */
  narrow(entityType: EntityType, rows: RowSet, conditions: readonly Condition[]): RowSet {
    return this.#narrow(rows, conditions, this.#rowFacts.of(entityType));
  }

  #narrow(rows: RowSet, conditions: readonly Condition[], facts: Facts): RowSet {
    return conditions.reduce((left, condition) => left.and(this.#bitmaps.rows(condition, facts)), rows);
  }
}
