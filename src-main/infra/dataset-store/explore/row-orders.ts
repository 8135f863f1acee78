import { LRUCache } from 'lru-cache';
import { DEFAULT_THRESHOLD } from '../../../contract/schemas/explore.ts';
import type { ItemSort } from '../../../contract/schemas/facets.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import { type OrderContext, type OrderOptions, orderOf } from './order-keys.ts';
import type { Facts } from './row-facts.ts';
import { type SortedRows, sortRows } from './sort-rows.ts';

/** Orders of all rows that do not depend on a query. */
export type RowOrder = Exclude<ItemSort, 'score'>;

/** Level of the coarse clusters, by which similar items are placed together. */
const COARSEST = 4;
/** Maximum number of cached orders: 4 MB each at a million rows. */
const MAX_CACHED = 8;

/** Orders of all rows, cached until the data changes. A page of the matches of a query is read by a pass over its order. */
export class RowOrders {
  readonly #tags: TagRepository;
  readonly #kept = new LRUCache<string, SortedRows, () => SortedRows>({
    max: MAX_CACHED,
    memoMethod: (_key, _stale, { context: make }) => make(),
  });

  constructor({ tags }: { tags: TagRepository }) {
    this.#tags = tags;
  }

  /** Returns a page of some rows in an order. Rows without a value are last in both directions. */
  page(
    rows: RowSet,
    facts: Facts,
    { order, descending, ...options }: { order: RowOrder; descending: boolean } & Partial<OrderOptions>,
    page: { offset: number; limit: number },
  ): number[] {
    const ordered = this.#sorted(order, facts, options);
    const { nKnown } = ordered;
    const found: number[] = [];
    let passed = 0;
    for (let at = 0; at < ordered.rows.length && found.length < page.limit; at += 1) {
      const row = ordered.rows[descending && at < nKnown ? nKnown - 1 - at : at] as number;
      if (!rows.has(row)) continue;
      if (passed >= page.offset) found.push(row);
      passed += 1;
    }
    return found;
  }

  /** Returns all rows in an order. */
  all(order: RowOrder, facts: Facts): Int32Array {
    return this.#sorted(order, facts, {}).rows;
  }

  #sorted(sort: RowOrder, facts: Facts, options: Partial<OrderOptions>): SortedRows {
    const base = `${sort} ${facts.entity_type} ${facts.count} ${facts.versions.rows} ${facts.index.state()}`;
    if (sort === 'similarity') return this.#kept.memo(base, { context: () => bySimilarity(facts) });
    const order = orderOf(sort);
    const context: OrderContext = { level: DEFAULT_THRESHOLD, ...options, facts, tags: this.#tags };
    const key = `${base} ${order.state?.(context) ?? ''}`;
    return this.#kept.memo(key, { context: () => sortRows(keysOfRows(order, context)) });
  }
}

/** Returns the key of each row of the entity type. Objects are sorted by the keys of their images if the order is one of items. */
function keysOfRows(order: ReturnType<typeof orderOf>, context: OrderContext): Float64Array {
  const { count, entity_type, columns } = context.facts;
  const keys = order.keys(context);
  const isOfImage = order.of === 'items' && entity_type === 'OBJECTS';
  const keyOf = (row: number) => keys[isOfImage ? (columns.imageOf[row] ?? -1) : row] ?? Number.NaN;
  return Float64Array.from({ length: count }, (_, row) => keyOf(row));
}

function bySimilarity({ index, entity_type }: Facts): SortedRows {
  const rows = index.clusters(entity_type, COARSEST)?.allRows ?? new Int32Array();
  return { rows, nKnown: rows.length };
}
