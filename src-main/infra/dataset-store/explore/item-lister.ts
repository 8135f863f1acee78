import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import { DEFAULT_THRESHOLD } from '../../../contract/schemas/explore.ts';
import type { ItemQuery } from '../../../core/ports/explore.ts';
import type { ItemList, ListedItem } from '../../../core/ports/items.ts';
import { rowsOf } from '../../../core/ports/query.ts';
import type { ClusterViews } from '../clusters/cluster-views.ts';
import type { PlanFinder } from './plan-finder.ts';
import type { Facts, RowFacts } from './row-facts.ts';
import type { RowOrders } from './row-orders.ts';
import type { TableFieldsReader } from './table-fields.ts';

interface Parts {
  finder: PlanFinder;
  rowFacts: RowFacts;
  views: ClusterViews;
  orders: RowOrders;
  fields: TableFieldsReader;
}

/** Lists the matches of plans by item. */
export class ItemLister {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Lists a page of items. Default order: ascending distance if the plan has a score, otherwise by similarity.
   * @throws AppError `invalid_request` for a sort by score of a plan without a score.
   */
  async list(query: ItemQuery): Promise<ItemList> {
    const { plan, descending, offset, limit, field, level, limits } = query;
    const { finder, rowFacts, orders } = this.#parts;
    const sort = query.sort ?? (plan.scores.length > 0 ? 'score' : 'similarity');
    if (sort === 'score') return this.#listByScore(query);
    const facts = rowFacts.of(rowsOf(plan.entity_type));
    const { rows } = await finder.find(plan);
    const order = { order: sort, descending, field, limits, ...(level !== undefined && { level }) };
    const shown = orders.page(rows, facts, order, { offset, limit });
    const items = this.#items(query, facts, shown);
    return { total: rows.count, items: shown.flatMap((row) => items.get(row) ?? []) };
  }

  async #listByScore(query: ItemQuery): Promise<ItemList> {
    const { plan, descending, offset, limit } = query;
    const { finder, rowFacts } = this.#parts;
    const facts = rowFacts.of(rowsOf(plan.entity_type));
    if (plan.scores.length === 0) throw new AppError('invalid_request', message('sort_by_score_needs_comparison'));
    const { rows: ranked } = await finder.rank(plan);
    const end = Math.max(0, ranked.count - offset);
    const shown = descending
      ? ranked.nearest(Math.max(0, end - limit), end).reverse()
      : ranked.nearest(offset, offset + limit);
    const items = this.#items(
      query,
      facts,
      shown.map(({ row }) => row),
    );
    return {
      total: ranked.count,
      items: shown.flatMap(({ row, distance }) => {
        const item = items.get(row);
        return item ? [{ ...item, distance }] : [];
      }),
    };
  }

  #items(
    { isTable, limits, level = DEFAULT_THRESHOLD }: ItemQuery,
    facts: Facts,
    rows: readonly number[],
  ): Map<number, ListedItem> {
    const { views, fields } = this.#parts;
    const items = views.items(facts, rows);
    if (!isTable || !limits) return items;
    const found = fields.read(facts, items, { level, limits });
    return new Map(
      Array.from(items, ([row, item]) => {
        const of = found.get(row);
        return [row, of ? { ...item, fields: of } : item];
      }),
    );
  }
}
