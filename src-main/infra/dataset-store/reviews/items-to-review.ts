import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { FoundIssue } from '../../../core/ports/issues.ts';
import type { DoubtfulItem, ItemQueue, ItemSuggestions, QueueCounts, QueuePage } from '../../../core/ports/reviews.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { TopRows } from '../../vectors/top-rows.ts';
import type { ClusterViews } from '../clusters/cluster-views.ts';
import type { PlanFinder } from '../explore/plan-finder.ts';
import type { Facts, RowFacts } from '../explore/row-facts.ts';
import type { RowOrders } from '../explore/row-orders.ts';
import { decidedBy } from './decided-by.ts';

const ROWS: Record<EntityType, string> = {
  IMAGES: 'SELECT row FROM media WHERE media_id IN (SELECT value FROM json_each(?))',
  OBJECTS: 'SELECT row FROM object WHERE object_id IN (SELECT value FROM json_each(?))',
};

interface Parts {
  db: Database.Database;
  finder: PlanFinder;
  rowFacts: RowFacts;
  views: ClusterViews;
  orders: RowOrders;
}

/** Items and objects to review: [Note: Review]. */
export class ItemsToReview {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(queue: ItemQueue, page: QueuePage): Promise<QueueCounts & { entries: DoubtfulItem[] }> {
    const { views } = this.#parts;
    const { facts, rows } = await this.#parts.finder.find(queue.plan);
    const shown = await this.#first(queue, facts, rows, page);
    const items = views.items(facts, shown);
    const issueOf = this.#issueReader(queue, facts);
    const entries = shown.flatMap((row): DoubtfulItem[] => {
      const item = items.get(row);
      const { confidence = null, instead = null, by_appearance = false } = issueOf(row) ?? {};
      return item ? [{ item, confidence, instead, by_appearance }] : [];
    });
    return { entries, left: rows.count, done: decidedBy(facts, queue.queue_id) };
  }

  async suggest(queue: ItemQueue, suggestedLabel: string | undefined): Promise<ItemSuggestions> {
    const { facts, rows: found } = await this.#parts.finder.find(queue.plan);
    const { entity_type, labels, count } = facts;
    if (queue.issue?.name !== 'mislabels') {
      return {
        rows: { [entity_type]: found.words },
        relabelled: [],
        n_entries: found.count,
        size_bytes: entity_type === 'IMAGES' ? this.#sizeOf(found) : 0,
      };
    }
    const issueOf = this.#issueReader(queue, facts);
    const rows = new RowSet(count);
    const relabelled = new Map<string, { add: string; remove: string[]; rows: RowSet }>();
    found.forEach((row) => {
      const add = issueOf(row)?.instead ?? null;
      if (add === null || (suggestedLabel !== undefined && add !== suggestedLabel)) return;
      const present = labels.labelsOf(row);
      const remove = present.length === 1 ? present : [];
      const key = JSON.stringify([add, remove]);
      const change = relabelled.get(key) ?? { add, remove, rows: new RowSet(count) };
      relabelled.set(key, change);
      change.rows.add(row);
      rows.add(row);
    });
    return {
      rows: { [entity_type]: rows.words },
      relabelled: Array.from(relabelled.values(), (one) => ({ ...one, rows: { [entity_type]: one.rows.words } })),
      n_entries: rows.count,
      size_bytes: 0,
    };
  }

  /** Returns the first rows of a queue without the skipped ones. */
  async #first({ plan, issue }: ItemQueue, facts: Facts, rows: RowSet, { skip, limit }: QueuePage): Promise<number[]> {
    const { db, finder, orders } = this.#parts;
    const ofIds = db.prepare<[string], number>(ROWS[facts.entity_type]).pluck();
    const left = skip.length === 0 ? rows : rows.without(RowSet.of(facts.count, ofIds.iterate(JSON.stringify(skip))));
    if (issue) {
      const confidences = facts.issues.of(issue.name, issue.limits, facts);
      const top = new TopRows(limit);
      left.forEach((row) => {
        top.offer(row, confidences[row] ?? 0);
      });
      return top.best().map(({ row }) => row);
    }
    if (plan.scores.length === 0) {
      return orders.page(left, facts, { order: 'similarity', descending: false }, { offset: 0, limit });
    }
    const { rows: ranked } = await finder.rank(plan);
    return ranked
      .where((row) => left.has(row))
      .nearest(0, limit)
      .map(({ row }) => row);
  }

  /** Returns a function that returns the doubt of a row. */
  #issueReader({ issue }: ItemQueue, facts: Facts): (row: number) => Partial<FoundIssue> | undefined {
    if (!issue) return () => undefined;
    const confidences = facts.issues.of(issue.name, issue.limits, facts);
    const issuesOf = facts.issues.ofRows(issue.limits, facts, [issue.name]);
    // Below the usual minimum an item does not count as having the issue, but a queue may ask for it.
    return (row) => issuesOf(row)[0] ?? { confidence: confidences[row] ?? 0 };
  }

  #sizeOf(rows: RowSet): number {
    const sum = this.#parts.db
      .prepare<[string], number | null>(
        'SELECT sum(size_bytes) FROM media JOIN file USING (file_id) WHERE row IN (SELECT value FROM json_each(?))',
      )
      .pluck();
    return sum.get(JSON.stringify([...rows.toRows()])) ?? 0;
  }
}
