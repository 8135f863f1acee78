import type { FoundMap, FoundMapItems, MapMarks, MapQuery, MapReads, MapWindow } from '../../../core/ports/map.ts';
import { type QueryPlan, rowsOf } from '../../../core/ports/query.ts';
import type { Answered } from '../../threads/answered.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ClusterViews } from '../clusters/cluster-views.ts';
import type { PlanFinder } from '../explore/plan-finder.ts';
import type { RowMatcher } from '../explore/row-matcher.ts';
import { type NeedsOf, needsOfPlan, needsOfPlanAndIssues } from '../thread/needs.ts';
import { withPlaces } from './legend-places.ts';
import type { MapColours } from './map-colours.ts';
import { isWithin, marksOf } from './map-marks.ts';

interface Parts {
  colours: MapColours;
  finder: PlanFinder;
  matcher: RowMatcher;
  views: ClusterViews;
}

const NO_MARKS: MapMarks = {
  marks: 'points',
  x: new Uint16Array(),
  y: new Uint16Array(),
  counts: new Uint32Array(),
  matching: new Uint32Array(),
  colours: new Uint8Array(),
};

export class LocalMapReads implements Answered<MapReads> {
  static readonly needs: NeedsOf<MapReads> = {
    read: ({ plan, colour, limits }) => (colour === 'issue' ? needsOfPlanAndIssues(plan, limits) : needsOfPlan(plan)),
    listItems: ({ plan }) => needsOfPlan(plan),
  };

  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async read({ plan, window, colour, by, level, limits }: MapQuery): Promise<FoundMap> {
    const { colours, finder, matcher } = this.#parts;
    const entityType = rowsOf(plan.entity_type);
    const { rows: matching, facts } = await finder.find(plan);
    const shown = matcher.match(entityType, []).or(matching);
    const map = facts.projections.shown(entityType);
    if (!map) {
      const counts = { placed_items: 0, waiting_items: shown.count, matching_items: 0 };
      return { map_id: null, ...counts, marks: NO_MARKS, level: null, legend: [] };
    }
    const { places } = map;
    const placed = RowSet.where(facts.count, (row) => Number.isFinite(places[row * 2]));
    const [onMap, fitting] = [shown.and(placed), matching.and(placed)];
    const painted = colours.paint(fitting, facts, { colour, by, level, limits });
    return {
      map_id: map.id,
      placed_items: onMap.count,
      waiting_items: shown.count - onMap.count,
      matching_items: fitting.count,
      marks: marksOf({ shown: onMap, matching, places, colourOf: painted.colourOf }, window),
      level: painted.level,
      legend: painted.isRange ? painted.legend : withPlaces(painted, fitting, places),
    };
  }

  /** Lists items in a window that match a plan, the nearest to the centre of the window first. */
  async listItems(query: { plan: QueryPlan; window: MapWindow; limit: number }): Promise<FoundMapItems> {
    const { finder, views } = this.#parts;
    const { plan, window, limit } = query;
    const { rows: matching, facts } = await finder.find(plan);
    const places = facts.projections.shown(facts.entity_type)?.places ?? new Float32Array();
    const [middleX, middleY] = [window.x + window.side / 2, window.y + window.side / 2];
    const inside: { row: number; distance: number }[] = [];
    matching.forEach((row) => {
      const [x, y] = [places[row * 2] ?? Number.NaN, places[row * 2 + 1] ?? Number.NaN];
      if (isWithin(window, x, y)) inside.push({ row, distance: Math.hypot(x - middleX, y - middleY) });
    });
    inside.sort((a, b) => a.distance - b.distance || a.row - b.row);
    const rows = inside.slice(0, limit).map(({ row }) => row);
    const items = views.items(facts, rows);
    return {
      total: inside.length,
      items: rows.flatMap((row) => {
        const item = items.get(row);
        return item ? [{ ...item, x: places[row * 2] as number, y: places[row * 2 + 1] as number }] : [];
      }),
    };
  }
}
