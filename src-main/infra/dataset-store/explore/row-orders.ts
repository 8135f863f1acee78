import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { ItemSort } from '../../../contract/schemas/facets.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { Facts } from './row-facts.ts';

/** Orders of all rows that do not depend on a query. */
export type RowOrder = Exclude<ItemSort, 'score'>;

/** Level of the coarse clusters, by which similar items are placed together. */
const COARSEST = 4;
/** Maximum number of cached orders: 4 MB each at a million rows. */
const MAX_CACHED = 8;

/** Orders of all rows, cached until the data changes. A page of the matches of a query is read by a pass over its order. */
export class RowOrders {
  readonly #db: Database.Database;
  readonly #index: IndexReader;
  readonly #versions: DataVersions;
  readonly #kept = new LRUCache<string, Int32Array, () => Int32Array>({
    max: MAX_CACHED,
    memoMethod: (_key, _stale, { context: make }) => make(),
  });

  constructor(parts: { db: Database.Database; index: IndexReader; versions: DataVersions }) {
    this.#db = parts.db;
    this.#index = parts.index;
    this.#versions = parts.versions;
  }

  /** Returns a page of some rows in an order. */
  page(
    rows: RowSet,
    facts: Facts,
    { order, descending }: { order: RowOrder; descending: boolean },
    page: { offset: number; limit: number },
  ): number[] {
    const ordered = this.all(order, facts);
    const found: number[] = [];
    let passed = 0;
    for (let at = 0; at < ordered.length && found.length < page.limit; at += 1) {
      const row = ordered[descending ? ordered.length - 1 - at : at] as number;
      if (!rows.has(row)) continue;
      if (passed >= page.offset) found.push(row);
      passed += 1;
    }
    return found;
  }

  /** Returns all rows in an order. */
  all(order: RowOrder, facts: Facts): Int32Array {
    const key = `${order} ${facts.entity_type} ${facts.count} ${this.#versions.rows} ${this.#index.state()}`;
    return this.#kept.memo(key, { context: () => this.#make(order, facts) });
  }

  #make(order: RowOrder, facts: Facts): Int32Array {
    if (order === 'similarity') return this.#bySimilarity(facts.entity_type);
    if (order === 'uniqueness') return sorted(facts.count, (row) => facts.uniqueness[row] ?? 0);
    const places = this.#placesOfItems(order, facts);
    const { imageOf } = facts.columns;
    return sorted(
      facts.count,
      facts.entity_type === 'IMAGES' ? (row) => places[row] ?? 0 : (row) => places[imageOf[row] ?? -1] ?? 0,
    );
  }

  /** Returns the sort keys of items, by row. Objects are sorted by the keys of their images. */
  #placesOfItems(order: Exclude<RowOrder, 'similarity' | 'uniqueness'>, { columns, nItems }: Facts): ArrayLike<number> {
    const { items } = columns;
    if (order === 'created') return items.created;
    if (order === 'size')
      return Float64Array.from({ length: nItems }, (_, row) => (items.widths[row] ?? 0) * (items.heights[row] ?? 0));
    const places = new Float64Array(nItems);
    if (order === 'quality') {
      const all = this.#db
        .prepare<[], { row: number; sharpness: number }>('SELECT row, sharpness FROM media')
        .iterate();
      for (const { row, sharpness } of all) if (row < nItems) places[row] = sharpness;
      return places;
    }
    let place = 0;
    const byPath = this.#db
      .prepare<[], number>('SELECT row FROM file JOIN media USING (file_id) ORDER BY file_path, row')
      .pluck()
      .iterate();
    for (const row of byPath) {
      if (row < nItems) places[row] = place;
      place += 1;
    }
    return places;
  }

  #bySimilarity(entityType: EntityType): Int32Array {
    const clusters = this.#index.clusters(entityType, COARSEST);
    if (!clusters) return new Int32Array();
    return clusters.allRows;
  }
}

/** Returns the rows sorted by a key, equal ones ascending. */
function sorted(count: number, keyOf: (row: number) => number): Int32Array {
  const keys = Float64Array.from({ length: count }, (_, row) => keyOf(row));
  const rows = Int32Array.from({ length: count }, (_, row) => row);
  return rows.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
}
