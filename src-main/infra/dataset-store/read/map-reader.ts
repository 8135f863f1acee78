import { MAP_CELLS, MOST_POINTS, NO_COLOUR, PLACE_STEPS } from '../../../contract/schemas/map.ts';
import type { FoundMap, FoundMapItems, MapMarks, MapQuery, MapWindow } from '../../../core/ports/map.ts';
import { type QueryPlan, rowsOf } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ClusterViews } from './cluster-views.ts';
import type { ExploreReader } from './explore-reader.ts';
import type { MapColours } from './map-colours.ts';
import type { RowMatcher } from './row-matcher.ts';

interface Parts {
  colours: MapColours;
  explore: ExploreReader;
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

/** Tells where items are on the map: [Note: Projection]. */
export class MapReader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async read({ plan, window, colour, level, limits }: MapQuery): Promise<FoundMap> {
    const { colours, explore, matcher } = this.#parts;
    const entityType = rowsOf(plan.entity_type);
    const { rows: matching, facts } = await explore.find(plan);
    const shown = matcher.match(entityType, []).or(matching);
    const map = facts.map();
    if (!map) {
      const counts = { placed_items: 0, waiting_items: shown.count, matching_items: 0 };
      return { map_id: null, ...counts, marks: NO_MARKS, legend: [] };
    }
    const { places } = map;
    const placed = RowSet.where(facts.count, (row) => Number.isFinite(places[row * 2]));
    const [onMap, fitting] = [shown.and(placed), matching.and(placed)];
    const painted = colours.paint(fitting, facts, { colour, level, limits });
    return {
      map_id: map.id,
      placed_items: onMap.count,
      waiting_items: shown.count - onMap.count,
      matching_items: fitting.count,
      marks: marksOf({ shown: onMap, matching, places, colourOf: painted.colourOf }, window),
      legend: painted.legend,
    };
  }

  /** Items that a plan finds in a window, the nearest to its middle first. */
  async listItems(query: { plan: QueryPlan; window: MapWindow; limit: number }): Promise<FoundMapItems> {
    const { explore, views } = this.#parts;
    const { plan, window, limit } = query;
    const { rows: matching, facts } = await explore.find(plan);
    const places = facts.map()?.places ?? new Float32Array();
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

interface Drawn {
  /** All that is drawn; what does not fit too. */
  shown: RowSet;
  matching: RowSet;
  places: Float32Array;
  colourOf: Uint8Array;
}

function isWithin({ x: left, y: top, side }: MapWindow, x: number, y: number): boolean {
  return x >= left && y >= top && x <= left + side && y <= top + side;
}

function marksOf(drawn: Drawn, window: MapWindow): MapMarks {
  let nInside = 0;
  forEachInside(drawn, window, () => {
    nInside += 1;
  });
  return nInside <= MOST_POINTS ? points(drawn, window, nInside) : cells(drawn, window);
}

function points(drawn: Drawn, window: MapWindow, n: number): MapMarks {
  const marks: MapMarks = { marks: 'points', ...emptyMarks(n) };
  let at = 0;
  forEachInside(drawn, window, (row, x, y) => {
    marks.x[at] = Math.round(x * PLACE_STEPS);
    marks.y[at] = Math.round(y * PLACE_STEPS);
    marks.counts[at] = 1;
    marks.matching[at] = drawn.matching.has(row) ? 1 : 0;
    marks.colours[at] = drawn.colourOf[row] as number;
    at += 1;
  });
  return marks;
}

/**
 * Counts the rows of each cell; those that fit vote on its colour, in one pass: R. Boyer, J. Moore, "MJRTY: A Fast Majority Vote Algorithm"
 * (1991).
 */
function cells(drawn: Drawn, window: MapWindow): MapMarks {
  const counts = new Uint32Array(MAP_CELLS * MAP_CELLS);
  const matching = new Uint32Array(MAP_CELLS * MAP_CELLS);
  const colours = new Uint8Array(MAP_CELLS * MAP_CELLS).fill(NO_COLOUR);
  const votes = new Int32Array(MAP_CELLS * MAP_CELLS);
  let n = 0;
  forEachInside(drawn, window, (row, x, y) => {
    const cell = cellOf(y) * MAP_CELLS + cellOf(x);
    if (counts[cell] === 0) n += 1;
    counts[cell] = (counts[cell] as number) + 1;
    if (!drawn.matching.has(row)) return;
    matching[cell] = (matching[cell] as number) + 1;
    const colour = drawn.colourOf[row] as number;
    if (votes[cell] === 0) colours[cell] = colour;
    votes[cell] = (votes[cell] as number) + (colours[cell] === colour ? 1 : -1);
  });
  const marks: MapMarks = { marks: 'cells', ...emptyMarks(n) };
  let at = 0;
  for (let cell = 0; cell < counts.length; cell += 1) {
    if (counts[cell] === 0) continue;
    marks.x[at] = Math.round((((cell % MAP_CELLS) + 0.5) / MAP_CELLS) * PLACE_STEPS);
    marks.y[at] = Math.round(((Math.floor(cell / MAP_CELLS) + 0.5) / MAP_CELLS) * PLACE_STEPS);
    marks.counts[at] = counts[cell] as number;
    marks.matching[at] = matching[cell] as number;
    marks.colours[at] = colours[cell] as number;
    at += 1;
  }
  return marks;
}

function cellOf(share: number): number {
  return Math.min(MAP_CELLS - 1, Math.floor(share * MAP_CELLS));
}

/** @param use Takes places as shares of the window's side. */
function forEachInside(
  { shown, places }: Drawn,
  window: MapWindow,
  use: (row: number, x: number, y: number) => void,
): void {
  shown.forEach((row) => {
    const [x, y] = [places[row * 2] as number, places[row * 2 + 1] as number];
    if (isWithin(window, x, y)) use(row, (x - window.x) / window.side, (y - window.y) / window.side);
  });
}

function emptyMarks(n: number): Omit<MapMarks, 'marks'> {
  return {
    x: new Uint16Array(n),
    y: new Uint16Array(n),
    counts: new Uint32Array(n),
    matching: new Uint32Array(n),
    colours: new Uint8Array(n),
  };
}
