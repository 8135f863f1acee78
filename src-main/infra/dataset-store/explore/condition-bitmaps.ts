import { LRUCache } from 'lru-cache';
import type { Condition } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { conditionKind } from './conditions.ts';
import type { Facts } from './row-facts.ts';

/** Maximum number of cached bitmaps: 128 kB each at a million rows. */
const MAX_CACHED = 64;

/** The rows that meet each condition, as bitmaps that are cached until the data changes. */
export class ConditionBitmaps {
  readonly #cached = new LRUCache<string, RowSet>({ max: MAX_CACHED });
  #cachedState = '';

  rows(condition: Condition, facts: Facts): RowSet {
    const kind = conditionKind(condition);
    const state = dataState(facts);
    if (state !== this.#cachedState) this.#cached.clear();
    this.#cachedState = state;
    const key = JSON.stringify([facts.entity_type, condition, kind.stateOf?.(condition, facts)]);
    const known = this.#cached.get(key);
    if (known) return known;
    const rows = kind.rows(condition, facts);
    // A result for part of the rows is used only once, so it is not cached.
    if (facts.first === 0) this.#cached.set(key, rows);
    return rows;
  }
}

/** Changes with the data that results of any condition depend on; conditions name further data themselves. */
export function dataState({ versions: { rows, annotations, duplicates }, index, projections }: Facts): string {
  return `${rows} ${annotations} ${duplicates} ${index.state()} ${projections.state()}`;
}
