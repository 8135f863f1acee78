import type { ProjectionJob } from '../../core/ports/projection.ts';
import type { IndexVersion, SpaceAddress, VectorCollection } from '../../core/ports/vector-engine.ts';
import { highestFirst } from '../vectors/highest-first.ts';
import { type EngineLocation, openVectorEngine } from '../vectors/open-engine.ts';
import { rowsWhere, seededRandom } from '../vectors/rows.ts';
import { type FuzzyEdges, fuzzyEdges } from './fuzzy-edges.ts';
import { optimisePlaces } from './optimise-places.ts';
import { type Projection, readProjection, writeProjection } from './projection-file.ts';
import { startPlaces, straighten } from './start-places.ts';

/** Standard deviation of the initial positions, in units of the layout: rows of one neighbourhood end up some units apart. */
const START_DEVIATION = 5;
/** Random offset of initial positions, so that no two rows have the same. */
const JITTER = 0.05;
/** Number of pulls of a whole layout; with more rows, each has fewer. */
const PULLS = 100_000_000;
const [MIN_EPOCHS, MAX_EPOCHS] = [60, 400];
/** Epochs for rows that are placed beside others. */
const JOINING_EPOCHS = 60;
/** Maximum number of passes that place rows whose neighbours have no position yet. */
const PLACING_PASSES = 8;
/** All positions are computed again when the number of rows has grown by this factor. */
const OUTGROWN = 1.5;
/** Maximum length of a gap in a layout, in its units. */
const LONGEST_GAP = 1;
/** Margin around the outermost rows, as a share of the map. */
const MARGIN = 0.02;

/** Input of a projection job, as the store prepares it. */
export type ProjectionInput = {
  engine: EngineLocation;
  vectors: SpaceAddress;
  index: IndexVersion;
  /** Rows without an item; they have no position. */
  dead_rows: readonly number[];
  /** Number of the layout, if all positions are computed again. */
  layout: number;
  /** File of the projection that is used now; it lacks some rows. */
  known_file: string | undefined;
  /** File that the job writes. */
  file: string;
};

type Options = {
  signal?: AbortSignal | undefined;
  /** Awaited between slices of work. */
  turn?: () => Promise<void>;
  onProgress?: ((fraction: number) => void) | undefined;
};

/** Runs a projection job: [Note: Projection]. It only reads the engine and files and writes one, so a job that was killed can run again. */
export async function projectRows(job: ProjectionJob, options: Options): Promise<void> {
  const { count } = job;
  const { engine: location, vectors, index, dead_rows, layout, known_file, file } = job.input as ProjectionInput;
  const engine = openVectorEngine(location);
  try {
    const collection = engine.open(vectors);
    const dead = new Set(dead_rows);
    const rows = rowsWhere(count, (row) => !dead.has(row));
    const edges = await fuzzyEdges(collection.neighbors(index), count, (row) => !dead.has(row));
    const known = known_file === undefined ? undefined : readProjection(known_file);
    const isOutgrown = known !== undefined && count > known.layoutCount * OUTGROWN;
    const projection =
      known && !isOutgrown
        ? await addRows(known, { edges, rows }, options)
        : await computeLayout(collection, layout, { edges, rows, known }, options);
    for (const row of dead) if (row < count) projection.places.fill(Number.NaN, row * 2, row * 2 + 2);
    writeProjection(file, projection);
  } finally {
    await engine.close();
  }
}

interface Parts {
  edges: FuzzyEdges;
  /** Living rows, ascending. */
  rows: Int32Array;
}

/** Computes the positions of all rows, starting from the known ones. */
async function computeLayout(
  collection: VectorCollection,
  layout: number,
  { edges, rows, known }: Parts & { known: Projection | undefined },
  { signal, turn, onProgress }: Options,
): Promise<Projection> {
  const { count } = edges;
  let places: Float32Array;
  if (known) {
    places = extended(known, edges, new Uint8Array(count));
    straighten(places, rows);
  } else {
    places = await startPlaces(collection, edges, rows);
  }
  const random = seededRandom(count);
  for (let at = 0; at < places.length; at += 1) {
    places[at] = START_DEVIATION * (places[at] as number) + JITTER * (random() - 0.5);
  }
  const pulls = edges.weights.reduce((sum, weight) => sum + weight, 0);
  const epochs = Math.round(Math.min(MAX_EPOCHS, Math.max(MIN_EPOCHS, PULLS / Math.max(1, pulls))));
  await optimisePlaces(places, edges, { epochs, rows, signal, turn, ...(onProgress ? { onProgress } : {}) });
  closeGaps(places, rows);
  const scale = fitIntoSquare(places, rows);
  return { count, layoutCount: count, layout, scale, places };
}

/** Places rows without a position beside their neighbours; other rows retain theirs. */
async function addRows(
  known: Projection,
  { edges, rows }: Parts,
  { signal, turn, onProgress }: Options,
): Promise<Projection> {
  const { layoutCount, layout, scale } = known;
  const fixed = Uint8Array.from({ length: edges.count }, (_, row) => (Number.isFinite(known.places[row * 2]) ? 1 : 0));
  const places = extended(known, edges, fixed).map((place) => place * scale);
  await optimisePlaces(places, edges, {
    epochs: JOINING_EPOCHS,
    rows,
    fixed,
    signal,
    turn,
    ...(onProgress ? { onProgress } : {}),
  });
  for (let at = 0; at < places.length; at += 1) {
    places[at] =
      fixed[at >> 1] === 1 ? (known.places[at] as number) : Math.min(1, Math.max(0, (places[at] as number) / scale));
  }
  return { count: edges.count, layoutCount, layout, scale, places };
}

/**
 * Extends a projection: rows without a position get the mean of their neighbours' positions.
 * @param isKnown By row: 1 if it has a position.
 */
function extended(known: Projection, { count, k, ends, weights }: FuzzyEdges, isKnown: Uint8Array): Float32Array {
  const places = new Float32Array(count * 2).fill(Number.NaN);
  places.set(known.places.subarray(0, count * 2));
  const random = seededRandom(count);
  const sums = new Float32Array(count * 3);
  const add = (row: number, other: number, weight: number) => {
    const [x, y] = [places[other * 2] as number, places[other * 2 + 1] as number];
    if (isKnown[row] === 1 || Number.isNaN(x)) return;
    sums[row * 3] = (sums[row * 3] as number) + weight * x;
    sums[row * 3 + 1] = (sums[row * 3 + 1] as number) + weight * y;
    sums[row * 3 + 2] = (sums[row * 3 + 2] as number) + weight;
  };
  for (let pass = 0; pass < PLACING_PASSES; pass += 1) {
    sums.fill(0);
    for (let row = 0; row < count; row += 1) {
      for (let at = row * k; at < (row + 1) * k; at += 1) {
        const end = ends[at] as number;
        if (end < 0) continue;
        add(row, end, weights[at] as number);
        add(end, row, weights[at] as number);
      }
    }
    for (let row = 0; row < count; row += 1) {
      const weight = sums[row * 3 + 2] as number;
      if (weight === 0 || !Number.isNaN(places[row * 2])) continue;
      for (let axis = 0; axis < 2; axis += 1) {
        const mean = (sums[row * 3 + axis] as number) / weight;
        places[row * 2 + axis] = mean + (JITTER * (random() - 0.5)) / known.scale;
      }
    }
  }
  // Rows without a neighbour on the map get random positions.
  for (let at = 0; at < places.length; at += 1) if (Number.isNaN(places[at])) places[at] = random();
  return places;
}

/**
 * Shortens the gaps along both axes: the distance between groups that no edge connects means nothing, and groups far outside would leave the
 * others only a corner of the map.
 */
function closeGaps(places: Float32Array, rows: Int32Array): void {
  for (let axis = 0; axis < 2; axis += 1) {
    const rising = highestFirst(Float32Array.from(rows, (row) => -(places[row * 2 + axis] as number)));
    let [before, shift] = [Number.POSITIVE_INFINITY, 0];
    for (const nth of rising) {
      const at = (rows[nth] as number) * 2 + axis;
      const value = places[at] as number;
      shift += Math.max(0, value - before - LONGEST_GAP);
      before = value;
      places[at] = value - shift;
    }
  }
}

/** Moves and scales positions, by one factor for both axes, into a square of side 1. @returns Length of a side before. */
function fitIntoSquare(places: Float32Array, rows: Int32Array): number {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    for (let axis = 0; axis < 2; axis += 1) {
      const value = places[row * 2 + axis] as number;
      low[axis] = Math.min(low[axis] as number, value);
      high[axis] = Math.max(high[axis] as number, value);
    }
  }
  const [left = 0, top = 0] = low;
  const [right = 0, bottom = 0] = high;
  const extent = Math.max(right - left, bottom - top);
  const scale = extent > 0 ? extent * (1 + 2 * MARGIN) : 1;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  for (const row of rows) {
    places[row * 2] = ((places[row * 2] as number) - x) / scale + 0.5;
    places[row * 2 + 1] = ((places[row * 2 + 1] as number) - y) / scale + 0.5;
  }
  return scale;
}
