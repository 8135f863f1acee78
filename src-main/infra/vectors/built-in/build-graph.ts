import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { searchExactly } from '../neighbors/exact-graph.ts';
import type { GraphSearch } from '../neighbors/graph-search.ts';
import {
  emptyGraph,
  filterNeighbors,
  NEIGHBORS,
  type NeighborGraph,
  narrowGraph,
  resizeGraph,
} from '../neighbors/neighbor-graph.ts';
import { rowsWhere } from '../rows.ts';
import type { BuiltLists } from './build-lists.ts';
import { areFew } from './compare-in-order.ts';
import { type InvertedLists, nListsOf, probesFor, recallFor } from './inverted-lists.ts';
import { searchAmongAll, searchByLists } from './list-graph.ts';
import { GraphRefiner } from './refine-graph.ts';
import { recallOf } from './sampled-truth.ts';
import { searchInOrder } from './sorted-vectors.ts';

/** Recall at which refining ends; above the required 0.97, because a sample can overestimate. */
const REQUIRED_RECALL = 0.98;
/** Length of the lists while a graph is refined, relative to their final length. */
const LONGER = 4 / 3;
/** Refining stops after a round that gained less than this share of the missing recall. */
const LEAST_GAIN = 0.2;
/** Minimum recall of a refined graph; below it, all rows are searched exactly. */
const LEAST_RECALL = 0.97;

export interface GraphOptions {
  vectors: RowVectors;
  count: number;
  /** Rows that are not neighbours of others. They have lists of their own, so that they can be used again. */
  dead?: ReadonlySet<number>;
  threads: number;
  /** Path of a temporary file for vectors that do not fit into memory; undefined if they do. */
  scratch?: string | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The nearest neighbours of all rows among each other; exact without lists to search in. */
export async function buildNeighborGraph(
  options: GraphOptions & { k?: number; built?: BuiltLists | undefined },
): Promise<NeighborGraph> {
  const { count, built, k = NEIGHBORS } = options;
  if (!built) return searchAll(options, k);
  if (built.plan.by === 'comparing_all') return searchAll(options, k);
  if (built.plan.by === 'refining') return (await searchAndRefine(options, k, built)) ?? searchAll(options, k);
  const graph = emptyGraph(count, k);
  const search = toSearch(options, graph);
  const { lists, probed } = built;
  const probing = { lists, nProbes: probed.lists.length, scratch: options.scratch };
  await searchInOrder(search, probing, (one) => searchAmongAll(one, built));
  graph.recall = recallOf(graph, built.truth);
  return graph;
}

async function searchAll(options: GraphOptions, k: number): Promise<NeighborGraph> {
  const graph = emptyGraph(options.count, k);
  await searchExactly(toSearch(options, graph));
  return graph;
}

/**
 * Builds an approximate graph by a few probes, and refines it until its recall is sufficient. The lists are longer than in the result: more
 * paths connect rows, and most missed neighbours are at the end of lists.
 * @returns Undefined when the recall stays too low.
 */
async function searchAndRefine(
  options: GraphOptions,
  k: number,
  built: BuiltLists,
): Promise<NeighborGraph | undefined> {
  const { onProgress } = options;
  const graph = emptyGraph(options.count, Math.ceil(k * LONGER));
  const search = { ...toSearch(options, graph), onProgress: (fraction: number) => onProgress?.(fraction / 2) };
  const { lists, truth } = built;
  await searchAmongAll(search, built);
  const refiner = new GraphRefiner(search, lists.rows);
  graph.recall = recallOf(graph, truth, k);
  for (let done = 0.5; graph.recall < REQUIRED_RECALL; done += (1 - done) / 2) {
    refiner.round((fraction) => onProgress?.(done + (fraction * (1 - done)) / 2));
    const recall = recallOf(graph, truth, k);
    const isStalled = recall - graph.recall < (REQUIRED_RECALL - graph.recall) * LEAST_GAIN;
    graph.recall = recall;
    if (isStalled) break;
  }
  return graph.recall < LEAST_RECALL ? undefined : narrowGraph(graph, k);
}

/**
 * Extends a graph to `count` rows: only the new rows are searched, and they enter the lists of known rows where they are nearer. Without
 * inverted lists the cost is new × all rows, and the result is as exact as the known graph. Rows with less than half a list, because
 * neighbours died or a vector was lost, are searched again.
 */
export async function extendNeighborGraph(
  known: NeighborGraph,
  options: GraphOptions & { lists?: InvertedLists | undefined },
): Promise<NeighborGraph> {
  const { count, dead, lists } = options;
  const graph = resizeGraph(known, count);
  const full = Math.min(graph.k, count - (dead?.size ?? 0) - 1);
  const wanting = new Set<number>();
  for (let row = 0; row < known.count && row < count; row += 1) {
    if (dead?.has(row)) continue;
    if (dead && dead.size > 0) filterNeighbors(graph, row, (neighbor) => !dead.has(neighbor));
    if (countsBelow(graph, row, full / 2)) wanting.add(row);
  }
  const nKnown = rowsWhere(Math.min(count, known.count), (row) => !dead?.has(row)).length;
  const queries = rowsWhere(count, (row) => row >= known.count || wanting.has(row));
  if (queries.length === 0) return graph;
  const search = { ...toSearch(options, graph), queries };
  const bothWays = { known: nKnown };
  const nProbes = lists ? probesFor(lists, graph.k) : 0;
  if (!lists || nProbes > nListsOf(lists) / 2) await searchExactly(search, bothWays);
  else {
    const nProbed = queries.length * nProbes;
    if (!search.vectors.areHeld && areFew(lists, nProbed))
      await searchByLists(search, { lists, nProbes, bothWays, inOrder: true });
    else {
      const probing = { lists, nProbes: nProbed, scratch: options.scratch };
      await searchInOrder(search, probing, (one) => searchByLists(one, { lists, nProbes, bothWays }));
    }
    graph.recall = Math.min(graph.recall, recallFor(lists, graph.k));
  }
  return graph;
}

/** Whether a row's list is shorter than `length`. */
function countsBelow({ k, rows }: NeighborGraph, row: number, length: number): boolean {
  return length > 0 && rows[row * k + Math.ceil(length) - 1] === -1;
}

/** A search for the neighbours of all rows. */
function toSearch(options: GraphOptions, graph: NeighborGraph): GraphSearch {
  const { vectors, count, dead, threads, onProgress, signal } = options;
  const queries = rowsWhere(count, () => true);
  const candidates = rowsWhere(count, (row) => !dead?.has(row));
  return { graph, vectors, queries, candidates, threads, onProgress, signal };
}
