import type { BuiltIndex, IndexOptions, RowVectors } from '../../../core/ports/vector-engine.ts';
import { filterNeighbors, type NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { rowsWithoutVector } from '../row-vectors.ts';
import { rowsWhere } from '../rows.ts';
import { buildNeighborGraph, extendNeighborGraph, type GraphOptions } from './build-graph.ts';
import { type BuiltLists, buildLists } from './build-lists.ts';
import { readGraph, writeGraph } from './graph-file.ts';
import { type InvertedLists, nListsOf, noLists } from './inverted-lists.ts';
import { readLists, writeLists } from './lists-file.ts';
import { orderByLists } from './order-by-lists.ts';
import { resizeLists } from './resize-lists.ts';

/** Share of the work for building the inverted lists; for progress only. */
const LISTS_SHARE = 0.3;
/** Centres are trained again when the number of rows has grown by this factor since they were trained. */
const MAX_GROWTH = 2;

export interface IndexFiles {
  graph: string;
  lists: string;
}

interface BuildOptions extends Omit<IndexOptions, 'version' | 'base'> {
  vectors: RowVectors;
  /** Rows that may have no vector, ascending; all rows without one are among them. */
  mayBeBlank: Int32Array;
  /** Maximum number of rows that are searched exactly. */
  exactRows: number;
  files: IndexFiles;
  /** Path of a temporary file for vectors that do not fit into memory; undefined if they do. */
  scratch: string | undefined;
  /** Files of the index to extend. */
  base: IndexFiles | undefined;
}

/**
 * Builds or extends the inverted lists and the neighbour graph of rows 0 … count - 1 and writes their files. Lists of a known index are
 * reused until the number of rows has outgrown them; neighbours that a known graph has are not searched again.
 * @returns The graph, the rows without a vector among those that are not dead, and the order of {@link BuiltIndex}.
 */
export async function buildIndex(
  options: BuildOptions,
): Promise<{ graph: NeighborGraph; blank: Int32Array; order: BuiltIndex['order'] }> {
  const { vectors, mayBeBlank, count, exactRows, threads, files, scratch, base, signal, onProgress } = options;
  const dead = new Set(options.dead_rows.filter((row) => row < count));
  const blank = rowsWithoutVector(
    vectors,
    mayBeBlank.filter((row) => !dead.has(row)),
  );
  for (const row of blank) dead.add(row);
  const shared = { vectors, count, dead, threads, scratch, signal };
  const knownGraph = base && readGraph(base.graph);
  const known = base && count > exactRows ? knownLists(base.lists, count) : undefined;
  const built =
    known || count <= exactRows
      ? undefined
      : await buildLists({
          ...shared,
          alive: rowsWhere(count, (row) => !dead.has(row)),
          onProgress: (fraction) => onProgress?.(fraction * LISTS_SHARE),
        });
  // A known row without neighbours had no vector when it was assigned to a list.
  const unplaced = rowsWhere(knownGraph?.count ?? 0, (row) => knownGraph?.rows[row * knownGraph.k] === -1);
  const lists = built?.lists ?? (known && (await resizeLists(known, unplaced, shared)));
  writeLists(files.lists, lists ?? noLists(vectors.dim, count));
  const graph = await graphOf(knownGraph, {
    ...shared,
    built,
    lists,
    onProgress: (fraction) => onProgress?.(LISTS_SHARE + fraction * (1 - LISTS_SHARE)),
  });
  for (const row of blank) filterNeighbors(graph, row, () => false);
  writeGraph(files.graph, graph);
  return { graph, blank, order: lists && orderOf(lists, { threads, signal }) };
}

/** Creates the function outside of {@link buildIndex}, where it would keep all vectors in memory. */
function orderOf(lists: InvertedLists, options: Parameters<typeof orderByLists>[1]): BuiltIndex['order'] {
  return () => orderByLists(lists, options);
}

/** Lists of a known index, unless the rows have outgrown them. */
function knownLists(file: string, count: number): InvertedLists | undefined {
  const known = readLists(file);
  return nListsOf(known) > 0 && count <= known.trainedCount * MAX_GROWTH ? known : undefined;
}

function graphOf(
  known: NeighborGraph | undefined,
  options: GraphOptions & { built: BuiltLists | undefined; lists: InvertedLists | undefined },
): Promise<NeighborGraph> {
  // Most rows of a graph that has outgrown its lists are new.
  const isOutgrown = options.built !== undefined && known !== undefined && known.count * MAX_GROWTH < options.count;
  return known && !isOutgrown ? extendNeighborGraph(known, options) : buildNeighborGraph(options);
}
