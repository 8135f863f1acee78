import { MAP_CELLS, MAX_POINTS, NO_COLOUR, PLACE_STEPS } from '../../../contract/schemas/map.ts';
import type { MapMarks, MapWindow } from '../../../core/ports/map.ts';
import type { RowSet } from '../../vectors/row-set.ts';

export interface DrawnRows {
  /** All rows to draw, including those that do not match. */
  shown: RowSet;
  matching: RowSet;
  places: Float32Array;
  colourOf: Uint8Array;
}

export function isWithin({ x: left, y: top, side }: MapWindow, x: number, y: number): boolean {
  return x >= left && y >= top && x <= left + side && y <= top + side;
}

/** Returns the rows in a window as points, or as the density of cells if there are more than `mostPoints` rows. */
export function marksOf(drawn: DrawnRows, window: MapWindow, mostPoints = MAX_POINTS): MapMarks {
  let nInside = 0;
  forEachInside(drawn, window, () => {
    nInside += 1;
  });
  return nInside <= mostPoints ? points(drawn, window, nInside) : cells(drawn, window);
}

function points(drawn: DrawnRows, window: MapWindow, n: number): MapMarks {
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
 * Counts the rows of each cell and finds the majority colour of the matching ones, in one pass: R. Boyer, J. Moore, "MJRTY: A Fast Majority
 * Vote Algorithm" (1991).
 */
function cells(drawn: DrawnRows, window: MapWindow): MapMarks {
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

/** @param use Called with positions as shares of the window's side. */
function forEachInside(
  { shown, places }: DrawnRows,
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
