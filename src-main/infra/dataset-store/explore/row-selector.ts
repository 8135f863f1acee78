import type Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { RowBits, SelectedRows } from '../../../core/ports/edits.ts';
import type { ChosenItems } from '../../../core/ports/exports.ts';
import { type Condition, type QueryPlan, rowsOf, type SelectionPart } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { ClusterLister } from './cluster-lister.ts';
import type { PlanFinder } from './plan-finder.ts';
import type { RowFacts } from './row-facts.ts';
import type { RowMatcher } from './row-matcher.ts';

const FIND = `SELECT 'IMAGES' AS entity_type, row, media_id AS id FROM media WHERE media_id IN (SELECT value FROM json_each(:ids))
  UNION ALL SELECT 'OBJECTS', row, object_id FROM object WHERE object_id IN (SELECT value FROM json_each(:ids))`;

interface Parts {
  db: Database.Database;
  matcher: RowMatcher;
  rowFacts: RowFacts;
  index: IndexReader;
  finder: PlanFinder;
  clusters: ClusterLister;
}

/** Finds the rows of selections: of ids, clusters and queries. */
export class RowSelector {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * @param conditions Conditions that all selected rows must meet.
   * @throws AppError `not_found` for an unknown id or cluster, `conflict` for an item that is not indexed yet.
   */
  async select(parts: readonly SelectionPart[], conditions: readonly Condition[]): Promise<SelectedRows> {
    const selected: Partial<Record<EntityType, RowSet>> = {};
    const add = (entityType: EntityType, rows: RowSet) => {
      selected[entityType] = selected[entityType]?.or(rows) ?? rows;
    };
    for (const part of parts) {
      if ('media_ids' in part) {
        for (const [entityType, rows] of this.#find(part.media_ids)) {
          add(entityType, this.#parts.matcher.narrow(entityType, rows, conditions));
        }
        continue;
      }
      const { plan, cluster_id, exclude_media_ids } = part;
      const narrowed = { ...plan, conditions: [...plan.conditions, ...conditions] };
      const { entity_type, rows } = await this.#selectPlan(narrowed, cluster_id);
      const left = this.#find(exclude_media_ids).get(entity_type);
      add(entity_type, left ? rows.without(left) : rows);
    }
    return Object.fromEntries(Object.entries(selected).map(([entityType, rows]) => [entityType, rows.words]));
  }

  /** Selects a page of the matches of a query, in the form of {@link chooseItems}. */
  async choosePage(
    part: { plan: QueryPlan; cluster_id: string | undefined },
    page: { offset: number; limit: number | undefined },
  ): Promise<ChosenItems> {
    const { entity_type, rows } = await this.#selectPage(part.plan, part.cluster_id, page);
    return this.#choose({ [entity_type]: rows.words });
  }

  /** Returns the living items of a selection. An item of which only objects are selected is returned with these objects only. */
  async chooseItems(parts: readonly SelectionPart[]): Promise<ChosenItems> {
    return this.#choose(await this.select(parts, []));
  }

  /** Selects all matches of a plan, in one cluster or in all; videos with all of their frames. */
  async #selectPlan(
    plan: QueryPlan,
    clusterId: string | undefined,
  ): Promise<{ entity_type: EntityType; rows: RowSet }> {
    if (clusterId !== undefined) {
      const found = await this.#parts.clusters.rowsOf(clusterId, plan);
      if (!found) throw new AppError('not_found', message('cluster_not_found'));
      return { entity_type: found.key.entity_type, rows: RowSet.of(found.facts.count, found.rows) };
    }
    const { rows: found, entityType, facts } = await this.#parts.finder.find(plan);
    if (plan.entity_type !== 'VIDEOS') return { entity_type: entityType, rows: found };
    const { videoOf } = facts.columns.items;
    const videos = new Set(Array.from(found.toRows(), (row) => videoOf[row]));
    const frames = this.#parts.matcher.match(
      entityType,
      plan.conditions.filter(({ name }) => name === 'excluded'),
    );
    return {
      entity_type: entityType,
      rows: RowSet.where(facts.count, (row) => frames.has(row) && videos.has(videoOf[row])),
    };
  }

  /** Selects a page of {@link #selectPlan}: by ascending distance if the plan has a score, otherwise by row. */
  async #selectPage(
    plan: QueryPlan,
    clusterId: string | undefined,
    { offset, limit }: { offset: number; limit: number | undefined },
  ): Promise<{ entity_type: EntityType; rows: RowSet }> {
    const end = limit === undefined ? undefined : offset + limit;
    if (plan.scores.length > 0 && clusterId === undefined && plan.entity_type !== 'VIDEOS') {
      const entityType = rowsOf(plan.entity_type);
      const { rows: ranked } = await this.#parts.finder.rank(plan);
      const { count } = this.#parts.rowFacts.of(entityType);
      const page = ranked.nearest(offset, end).map(({ row }) => row);
      return { entity_type: entityType, rows: RowSet.of(count, page) };
    }
    const { entity_type, rows } = await this.#selectPlan(plan, clusterId);
    if (offset === 0 && end === undefined) return { entity_type, rows };
    return { entity_type, rows: RowSet.of(rows.size, rows.toRows().subarray(offset, end)) };
  }

  #choose(selected: SelectedRows): ChosenItems {
    const { rowFacts, index } = this.#parts;
    const whole = rowSet(rowFacts.of('IMAGES').count, selected.IMAGES).and(index.alive('IMAGES'));
    if (!selected.OBJECTS) return { items: whole.words, objects: null, n_items: whole.count };
    const { count, columns } = rowFacts.of('OBJECTS');
    const { imageOf } = columns;
    const alive = index.alive('OBJECTS');
    const chosen = rowSet(count, selected.OBJECTS).and(alive);
    const items = whole.or(new RowSet(whole.size));
    chosen.forEach((row) => {
      items.add(imageOf[row] as number);
    });
    const objects = RowSet.where(count, (row) => alive.has(row) && (chosen.has(row) || whole.has(imageOf[row] ?? -1)));
    return { items: items.words, objects: objects.words, n_items: items.count };
  }

  /** Returns the rows of ids, including excluded ones. */
  #find(ids: readonly string[]): Map<EntityType, RowSet> {
    const { db, rowFacts } = this.#parts;
    if (ids.length === 0) return new Map();
    const sizes = new Map(ENTITY_TYPES.map((entityType) => [entityType, rowFacts.of(entityType).count]));
    const found = new Map<EntityType, RowSet>();
    const missing = new Set(ids);
    const rows = db
      .prepare<{ ids: string }, { entity_type: EntityType; row: number; id: string }>(FIND)
      .iterate({ ids: JSON.stringify(ids) });
    for (const { entity_type, row, id } of rows) {
      const size = sizes.get(entity_type) ?? 0;
      if (row >= size) throw new AppError('conflict', message('item_not_indexed', { item: id }));
      const set = found.get(entity_type) ?? new RowSet(size);
      set.add(row);
      found.set(entity_type, set);
      missing.delete(id);
    }
    const [unknown] = missing;
    if (unknown !== undefined) throw new AppError('not_found', message('item_not_found', { item: unknown }));
    return found;
  }
}

function rowSet(size: number, bits: RowBits = new Uint32Array()): RowSet {
  const words = new Uint32Array(Math.ceil(size / 32));
  words.set(bits);
  return new RowSet(size, words);
}
