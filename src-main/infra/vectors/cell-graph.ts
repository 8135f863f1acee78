import ort from 'onnxruntime-node';
import { graphFile } from '../resources.ts';
import { nearestCentres, trainCentres } from './cell-centres.ts';
import { type GraphSearch, searchExactly } from './exact-graph.ts';
import { emptyGraph, type NeighborGraph, offerNeighbors } from './neighbor-graph.ts';
import { sampleRows } from './rows.ts';

/** What the sample must promise before the whole is searched; above the 0.97 that is asked for, as a sample can flatter. */
const WANTED_RECALL = 0.98;
const SAMPLE = 512;
const SEED = 19_990_401;
/** Past this share of all products, searching everything exactly is the better deal. */
const HIGHEST_COST = 0.4;
const BLOCK_FLOATS = 8_000_000;

export interface CellPlan {
  n_cells: number;
  /** Cells that each row asks; 0 where only an exact search gives the recall wanted. */
  asked: number;
  /** Share of an exact search's products. */
  cost: number;
  /** Promised by the sample. */
  recall: number;
}

/**
 * Nearest neighbours by cells (an inverted file: Sivic & Zisserman 2003; Jégou et al. 2011, section IV): every candidate lies in the cell
 * of its nearest centre, every query asks the few cells that are nearest to it, and a cell answers all its askers in one matrix product.
 *
 * How many cells are asked is decided on a random sample whose true neighbours are searched first: as few as give the recall wanted.
 * Where that would cost nearly as much as an exact search, the search is exact.
 * @returns What was decided; the recall stands in the graph.
 */
export async function searchByCells(search: GraphSearch): Promise<CellPlan> {
  const { graph, vectors, dim, queries, candidates, threads, onProgress, signal } = search;
  const nCells = Math.max(8, Math.round(Math.sqrt(candidates.length)));
  const centres = await trainCentres({ vectors, dim, rows: candidates, n_cells: nCells, threads, signal });
  const home = (await nearestCentres({ vectors, dim, rows: candidates, centres, each: 1, threads })).cells;
  const members = groupByCell(home, candidates, nCells);
  onProgress?.(0.1);

  const plan = await planCells(search, centres, home, members);
  if (plan.asked === 0) {
    await searchExactly({ ...search, onProgress: (fraction) => onProgress?.(0.15 + 0.85 * fraction) });
    return plan;
  }
  const { cells } = await nearestCentres({ vectors, dim, rows: queries, centres, each: plan.asked, threads });
  const askers = groupByCell(cells, queries, nCells, plan.asked);
  onProgress?.(0.2);

  const session = await ort.InferenceSession.create(graphFile('top-k-among'), {
    intraOpNumThreads: threads,
    logSeverityLevel: 3,
  });
  const all = new ort.Tensor('float32', vectors, [graph.count, dim]);
  let answered = 0;
  for (let cell = 0; cell < nCells; cell += 1) {
    signal?.throwIfAborted();
    const answering = rowsOfCell(members, cell);
    const asking = rowsOfCell(askers, cell);
    if (answering.length === 0) continue;
    const wanted = Math.min(graph.k + 1, answering.length);
    const block = Math.max(1, Math.floor(BLOCK_FLOATS / answering.length));
    for (let first = 0; first < asking.length; first += block) {
      const part = asking.subarray(first, first + block);
      const output = await session.run({
        vectors: all,
        queries: new ort.Tensor('int32', part, [part.length]),
        members: new ort.Tensor('int32', answering, [answering.length]),
        k: new ort.Tensor('int64', BigInt64Array.of(BigInt(wanted)), [1]),
      });
      const rows = output.rows?.data as Int32Array;
      const similarities = output.similarities?.data as Float32Array;
      for (let at = 0; at < part.length; at += 1) {
        offerNeighbors(graph, part[at] as number, rows, similarities, at * wanted, wanted);
      }
    }
    answered += asking.length;
    onProgress?.(0.2 + (0.8 * answered) / askers.rows.length);
  }
  await session.release();
  await fillShortLists(search);
  graph.recall = Math.min(graph.recall, await measureRecall(search));
  return plan;
}

/**
 * Searches exactly for the rows whose cells held too few others. With short lists the few rows of a small cell would know each other alone,
 * and no cluster of theirs could ever meet another.
 */
async function fillShortLists(search: GraphSearch): Promise<void> {
  const { graph, candidates } = search;
  const wanted = Math.min(graph.k, candidates.length - 1);
  const queries = search.queries.filter((row) => (graph.rows[row * graph.k + wanted - 1] as number) < 0);
  if (queries.length > 0) await searchExactly({ ...search, queries, onProgress: undefined });
}

/** Share of the true neighbours that the graph's lists hold, on a random sample of the queries. */
export async function measureRecall(search: GraphSearch): Promise<number> {
  const sample = sampleRows(search.queries, SAMPLE, SEED + 1);
  const truth = await trueNeighbors(search, sample);
  const { k } = truth;
  let [found, total] = [0, 0];
  for (const row of sample) {
    const known = new Set(search.graph.rows.subarray(row * k, (row + 1) * k));
    const lowest = search.graph.similarities[row * k + k - 1] as number;
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const neighbor = truth.rows[at] as number;
      if (neighbor < 0) break;
      total += 1;
      // One of several that are equally near is as good as another.
      if (known.has(neighbor) || (truth.similarities[at] as number) <= lowest + 1e-6) found += 1;
    }
  }
  return total === 0 ? 1 : found / total;
}

async function trueNeighbors(search: GraphSearch, sample: Int32Array): Promise<NeighborGraph> {
  const truth = emptyGraph(search.graph.count, search.graph.k);
  await searchExactly({ ...search, graph: truth, queries: sample, onProgress: undefined });
  return truth;
}

async function planCells(
  search: GraphSearch,
  centres: Float32Array,
  home: Int32Array,
  members: CellRows,
): Promise<CellPlan> {
  const { vectors, dim, queries, candidates, threads } = search;
  const nCells = centres.length / dim;
  const sample = sampleRows(queries, SAMPLE, SEED);
  const truth = await trueNeighbors(search, sample);
  const cellOf = new Int32Array(search.graph.count).fill(-1);
  for (let at = 0; at < candidates.length; at += 1) cellOf[candidates[at] as number] = home[at] as number;
  const { cells } = await nearestCentres({ vectors, dim, rows: sample, centres, each: nCells, threads });

  // Neighbours found and products spent in the first, second, … cell that each row of the sample asks.
  const found = new Float64Array(nCells);
  const spent = new Float64Array(nCells);
  let total = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const placeOf = new Int32Array(nCells);
    for (let place = 0; place < nCells; place += 1) {
      const cell = cells[at * nCells + place] as number;
      placeOf[cell] = place;
      spent[place] = (spent[place] as number) + rowsOfCell(members, cell).length;
    }
    const row = sample[at] as number;
    for (const neighbor of truth.rows.subarray(row * truth.k, (row + 1) * truth.k)) {
      if (neighbor < 0) break;
      const place = placeOf[cellOf[neighbor] as number] as number;
      found[place] = (found[place] as number) + 1;
      total += 1;
    }
  }
  let [recall, cost] = [0, 0];
  for (let asked = 1; asked <= nCells; asked += 1) {
    recall += (found[asked - 1] as number) / Math.max(1, total);
    cost += (spent[asked - 1] as number) / (sample.length * candidates.length);
    if (cost > HIGHEST_COST) break;
    if (recall >= WANTED_RECALL) return { n_cells: nCells, asked, cost, recall };
  }
  return { n_cells: nCells, asked: 0, cost: 1, recall: 1 };
}

/** Rows by cell: those of cell c are `rows[offsets[c] … offsets[c + 1]]`. */
interface CellRows {
  offsets: Int32Array;
  rows: Int32Array;
}

/** @param cells `each` cells for every row. */
function groupByCell(cells: Int32Array, rows: Int32Array, nCells: number, each = 1): CellRows {
  const offsets = new Int32Array(nCells + 1);
  for (const cell of cells) offsets[cell + 1] = (offsets[cell + 1] as number) + 1;
  for (let cell = 0; cell < nCells; cell += 1)
    offsets[cell + 1] = (offsets[cell + 1] as number) + (offsets[cell] as number);
  const next = offsets.slice();
  const grouped = new Int32Array(cells.length);
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at] as number;
    grouped[next[cell] as number] = rows[Math.floor(at / each)] as number;
    next[cell] = (next[cell] as number) + 1;
  }
  return { offsets, rows: grouped };
}

function rowsOfCell({ offsets, rows }: CellRows, cell: number): Int32Array {
  return rows.subarray(offsets[cell], offsets[cell + 1]);
}
