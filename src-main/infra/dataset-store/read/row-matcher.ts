import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Condition } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { Columns } from './columns.ts';
import type { Facts } from './conditions/executor.ts';
import { decide } from './conditions/executors.ts';
import type { DataVersions } from './data-versions.ts';
import type { IndexReader } from './index-reader.ts';

/** Bitmaps of conditions that are kept: 128 kB each at a million rows. */
const MOST_KEPT = 64;

/** The rows of the published index that meet conditions: a bitmap for each condition, kept while the data stays as it is. */
export class RowMatcher {
  readonly #db: Database.Database;
  readonly #versions: DataVersions;
  readonly #index: IndexReader;
  readonly #columns: Columns;
  /** The least recently used first. */
  readonly #kept = new Map<string, RowSet>();
  #keptOf = '';

  constructor(parts: { db: Database.Database; versions: DataVersions; index: IndexReader; columns: Columns }) {
    this.#db = parts.db;
    this.#versions = parts.versions;
    this.#index = parts.index;
    this.#columns = parts.columns;
  }

  /** Living rows that meet all conditions. */
  match(entityType: EntityType, conditions: readonly Condition[]): RowSet {
    const facts = this.facts(entityType);
    const alive = this.#index.alive(entityType);
    return conditions.reduce((rows, condition) => rows.and(this.#decide(condition, facts)), alive);
  }

  facts(entityType: EntityType): Facts {
    const counts = { IMAGES: this.#index.count('IMAGES'), OBJECTS: this.#index.count('OBJECTS') };
    return {
      db: this.#db,
      entity_type: entityType,
      count: counts[entityType],
      nItems: counts.IMAGES,
      columns: this.#columns.read(counts),
      uniqueness: this.#index.scores(entityType),
    };
  }

  #decide(condition: Condition, facts: Facts): RowSet {
    const state = `${this.#versions.rows} ${this.#versions.said} ${this.#index.state()}`;
    if (state !== this.#keptOf) this.#kept.clear();
    this.#keptOf = state;
    const key = JSON.stringify([facts.entity_type, condition]);
    const rows = this.#kept.get(key) ?? decide(condition, facts);
    this.#kept.delete(key);
    this.#kept.set(key, rows);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    return rows;
  }
}
