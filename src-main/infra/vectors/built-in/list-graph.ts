import type { BothWays } from '../neighbors/entry-bars.ts';
import { searchExactly } from '../neighbors/exact-graph.ts';
import { BlockSearch, type GraphSearch } from '../neighbors/graph-search.ts';
import { groupByList, markRows, type RowsByList, rowsOfList } from '../rows.ts';
import { compareInOrder } from './compare-in-order.ts';
import { type InvertedLists, nListsOf } from './inverted-lists.ts';
import { nearestCentres } from './list-centres.ts';
import type { ProbedLists } from './probed-lists.ts';

/** Share of the work for finding the nearest centres; for progress only. */
const CENTRES_SHARE = 0.2;

/** Rows that found too few others probe this many times as many lists. */
const MORE_PROBES = 8;

interface Probing {
  lists: InvertedLists;
  /** Number of lists that each query probes. */
  nProbes: number;
  bothWays?: BothWays | undefined;
  /** Whether the rows of lists are read in their order; for few queries and vectors in files. */
  inOrder?: boolean;
}

/**
 * Finds nearest neighbours by inverted lists: every query probes the lists whose centres are nearest to it, and each list is compared with
 * all queries that probe it in one matrix product.
 */
export async function searchByLists(search: GraphSearch, probing: Probing): Promise<void> {
  const { vectors, queries, signal } = search;
  const { lists, nProbes, bothWays, inOrder = false } = probing;
  const { centres } = lists;
  const blocks = await BlockSearch.open(search, bothWays);
  try {
    const { products } = blocks;
    const probed = await nearestCentres({ vectors, rows: queries, centres, each: nProbes, products, signal });
    const asking = groupByList(probed, queries, nListsOf(lists), nProbes);
    if (inOrder) await compareInOrder(search, { lists, asking, bothWays });
    else await compareLists(search, lists, asking, (rows, answering) => blocks.compare(rows, answering), CENTRES_SHARE);
  } finally {
    await blocks.close();
  }
  await fillShortLists(search, { lists, nProbes, bothWays });
}

/**
 * Finds the nearest neighbours of all rows among each other by inverted lists. Each list is first compared with itself: then every row has
 * neighbours, which the rows of other lists have to surpass, and a row finds another when one of them probes the other's list.
 * @param search Of all rows of the lists.
 */
export async function searchAmongAll(
  search: GraphSearch,
  { lists, probed }: { lists: InvertedLists; probed: ProbedLists },
): Promise<void> {
  const blocks = await BlockSearch.open(search);
  try {
    const nOwn = lists.count / Math.max(1, probed.lists.length);
    await compareLists(search, lists, lists, (rows, answering) => blocks.fill(rows, answering), 0, nOwn);
    const visiting = groupVisits(probed, nListsOf(lists));
    await compareLists(search, lists, visiting, (rows, answering) => blocks.compare(rows, answering), nOwn);
  } finally {
    await blocks.close();
  }
  await fillShortLists(search, { lists, nProbes: 1 });
}

/** Compares the rows of each list with the rows that ask it. @param from Progress at the start, and at the end. */
async function compareLists(
  { graph, candidates, onProgress }: GraphSearch,
  lists: InvertedLists,
  asking: RowsByList,
  compare: (asking: Int32Array, answering: Int32Array) => Promise<void>,
  from: number,
  to = 1,
): Promise<void> {
  const isCandidate = markRows(graph.count, candidates);
  for (let list = 0; list < nListsOf(lists); list += 1) {
    const answering = rowsOfList(lists, list).filter((row) => isCandidate[row] === 1);
    await compare(rowsOfList(asking, list), answering);
    onProgress?.(from + ((to - from) * (asking.offsets[list + 1] as number)) / asking.rows.length);
  }
}

/** Groups the rows that probe lists other than their own by list. The rows are those from 0 on. */
function groupVisits({ offsets, lists }: ProbedLists, nLists: number): RowsByList {
  const nRows = offsets.length - 1;
  const visitors = new Int32Array(lists.length - nRows);
  const visited = new Int32Array(visitors.length);
  let n = 0;
  for (let row = 0; row < nRows; row += 1) {
    for (let at = (offsets[row] as number) + 1; at < (offsets[row + 1] as number); at += 1) {
      visitors[n] = row;
      visited[n] = lists[at] as number;
      n += 1;
    }
  }
  return groupByList(visited, visitors, nLists);
}

/**
 * Searches again for the rows whose probed lists contained too few others, in more lists each time. With short lists of neighbours, the few rows
 * of a small list would be connected only to each other, and their cluster could never merge with another.
 */
async function fillShortLists(search: GraphSearch, { lists, nProbes, bothWays }: Probing): Promise<void> {
  const { graph, candidates } = search;
  const needed = Math.min(graph.k, candidates.length - 1);
  const queries = search.queries.filter((row) => (graph.rows[row * graph.k + needed - 1] as number) < 0);
  if (queries.length === 0) return;
  const again = { ...search, queries, onProgress: undefined };
  const more = nProbes * MORE_PROBES;
  if (more < nListsOf(lists)) await searchByLists(again, { lists, nProbes: more, bothWays });
  else await searchExactly(again, bothWays);
}
