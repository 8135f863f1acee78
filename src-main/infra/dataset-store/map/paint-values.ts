import { MAX_COLOURS, MUTED_COLOURS, NO_COLOUR } from '../../../contract/schemas/map.ts';
import type { LegendEntry } from '../../../core/ports/map.ts';
import type { RowSet } from '../../vectors/row-set.ts';

export interface PaintedRows {
  /** Position in the legend, by row; from MUTED_COLOURS on for values beyond the legend; NO_COLOUR for none. */
  colourOf: Uint8Array;
  legend: LegendEntry[];
  /** Whether the entries are ranges of numbers or times, in ascending order. */
  isRange: boolean;
  level: number | null;
}

/** Number of ranges, each with about as many of the matching items. */
const RANGES = 8;

export function entryOf(entry: Pick<LegendEntry, 'value' | 'count'> & Partial<LegendEntry>): LegendEntry {
  return { name: null, from: null, to: null, x: null, y: null, ...entry };
}

/** Muted colour of a value beyond the legend. */
export function mutedColour(nth: number): number {
  return MUTED_COLOURS + (nth % MUTED_COLOURS);
}

/**
 * Colours sets of rows, which may overlap. The legend lists the largest sets first. A row in several sets has the colour of the smallest, which
 * is the most specific; a set beyond the legend colours only the rows that no other set has.
 */
export function paintSets(
  sets: readonly { value: string; name?: string; rows: RowSet }[],
  matching: RowSet,
  count: number,
): PaintedRows {
  const colourOf = new Uint8Array(count).fill(NO_COLOUR);
  const counted = sets
    .map((set) => ({ ...set, count: set.rows.and(matching).count }))
    .filter((set) => set.count > 0)
    .sort((a, b) => b.count - a.count);
  for (const [at, { rows }] of counted.slice(MAX_COLOURS).entries()) {
    rows.forEach((row) => {
      colourOf[row] = mutedColour(at);
    });
  }
  const shown = counted.slice(0, MAX_COLOURS);
  for (const [at, { rows }] of shown.entries()) {
    rows.forEach((row) => {
      colourOf[row] = at;
    });
  }
  const legend = shown.map((set) => entryOf({ value: set.value, name: set.name ?? null, count: set.count }));
  return { colourOf, legend, isRange: false, level: null };
}

/** Colours rows that have one value each. @param codeOf Number of the value of a row, -1 for none. */
export function paintCodes(
  codeOf: (row: number) => number,
  names: readonly string[],
  matching: RowSet,
  count: number,
): PaintedRows {
  const sizes = new Int32Array(names.length);
  matching.forEach((row) => {
    const code = codeOf(row);
    if (code >= 0) sizes[code] = (sizes[code] as number) + 1;
  });
  const ranked = [...sizes.keys()].filter((code) => (sizes[code] as number) > 0);
  ranked.sort((a, b) => (sizes[b] as number) - (sizes[a] as number) || a - b);
  const colours = new Uint8Array(names.length).fill(NO_COLOUR);
  for (const [at, code] of ranked.entries()) colours[code] = at < MAX_COLOURS ? at : mutedColour(at);
  const colourOf = new Uint8Array(count);
  for (let row = 0; row < count; row += 1) colourOf[row] = colours[codeOf(row)] ?? NO_COLOUR;
  const legend = ranked
    .slice(0, MAX_COLOURS)
    .map((code) => entryOf({ value: names[code] ?? '', count: sizes[code] as number }));
  return { colourOf, legend, isRange: false, level: null };
}

/**
 * Colours ranges of a number, by quantiles of the matching rows.
 * @param numberOf NaN for rows without a value.
 * @param shown Converts a bound for the legend.
 */
export function paintNumbers(
  numberOf: (row: number) => number,
  matching: RowSet,
  count: number,
  shown: (bound: number) => number | string = (bound) => bound,
): PaintedRows {
  const found = new Float64Array(matching.count);
  let n = 0;
  matching.forEach((row) => {
    const number = numberOf(row);
    if (Number.isNaN(number)) return;
    found[n] = number;
    n += 1;
  });
  const sorted = found.subarray(0, n).sort();
  const ranges: { from: number; to: number; count: number }[] = [];
  for (let at = 0; at < n; ) {
    const left = RANGES - ranges.length;
    let end = Math.max(at + 1, at + Math.round((n - at) / left));
    // Equal values are in one range.
    while (end < n && sorted[end] === sorted[end - 1]) end += 1;
    ranges.push({ from: sorted[at] as number, to: sorted[end - 1] as number, count: end - at });
    at = end;
  }
  const colourOf = new Uint8Array(count).fill(NO_COLOUR);
  for (let row = 0; row < count; row += 1) {
    const number = numberOf(row);
    if (Number.isNaN(number) || ranges.length === 0) continue;
    const above = ranges.findIndex(({ to }) => number <= to);
    colourOf[row] = above < 0 ? ranges.length - 1 : above;
  }
  const legend = ranges.map((range, at) =>
    entryOf({ value: String(at + 1), from: shown(range.from), to: shown(range.to), count: range.count }),
  );
  return { colourOf, legend, isRange: true, level: null };
}
