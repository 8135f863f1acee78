import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { ItemQuery } from '../../../core/ports/explore.ts';
import type { ItemList } from '../../../core/ports/items.ts';
import { rowsOf } from '../../../core/ports/query.ts';
import type { ClusterViews } from '../clusters/cluster-views.ts';
import type { PlanFinder } from './plan-finder.ts';
import type { RowFacts } from './row-facts.ts';
import type { RowOrders } from './row-orders.ts';

interface Parts {
  finder: PlanFinder;
  rowFacts: RowFacts;
  views: ClusterViews;
  orders: RowOrders;
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
    const { plan, descending, offset, limit } = query;
    const { finder, rowFacts, views, orders } = this.#parts;
    const sort = query.sort ?? (plan.scores.length > 0 ? 'score' : 'similarity');
    if (sort === 'score') return this.#listByScore(query);
    const facts = rowFacts.of(rowsOf(plan.entity_type));
    const { rows } = await finder.find(plan);
    const shown = orders.page(rows, facts, { order: sort, descending }, { offset, limit });
    const items = views.items(facts, shown);
    return { total: rows.count, items: shown.flatMap((row) => items.get(row) ?? []) };
  }

  async #listByScore({ plan, descending, offset, limit }: ItemQuery): Promise<ItemList> {
    const { finder, rowFacts, views } = this.#parts;
    const facts = rowFacts.of(rowsOf(plan.entity_type));
    if (plan.scores.length === 0) throw new AppError('invalid_request', message('sort_by_score_needs_comparison'));
    const { rows: ranked } = await finder.rank(plan);
    const end = Math.max(0, ranked.count - offset);
    const shown = descending
      ? ranked.nearest(Math.max(0, end - limit), end).reverse()
      : ranked.nearest(offset, offset + limit);
    const items = views.items(
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
}
