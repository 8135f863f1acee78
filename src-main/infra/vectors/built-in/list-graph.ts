import { searchExactly } from '../neighbors/exact-graph.ts';
import { BlockSearch, type BothWays, type GraphSearch } from '../neighbors/graph-search.ts';
import { groupByList, type InvertedLists, nListsOf, rowsOfList } from './inverted-lists.ts';
import { nearestCentres } from './list-centres.ts';

/** Share of the work for finding the nearest centres; for progress only. */
const CENTRES_SHARE = 0.2;

/**
 * Finds nearest neighbours by inverted lists: every query probes the lists whose centres are nearest to it, and each list is compared with
 * all queries that probe it in one matrix product.
 * @param options.nProbes Number of lists that each query probes.
 * @param options.nearest The lists that each query probes, if they are known.
 */
export async function searchByLists(
  search: GraphSearch,
  {
    lists,
    nProbes,
    nearest,
    bothWays,
  }: { lists: InvertedLists; nProbes: number; nearest?: Int32Array; bothWays?: BothWays | undefined },
): Promise<void> {
  const { graph, vectors, dim, queries, candidates, onProgress, signal } = search;
  const isCandidate = new Uint8Array(graph.count);
  for (const row of candidates) isCandidate[row] = 1;
  const blocks = await BlockSearch.open(search, bothWays);
  try {
    const { centres } = lists;
    const { products } = blocks;
    const probed =
      nearest ?? (await nearestCentres({ vectors, dim, rows: queries, centres, each: nProbes, products, signal }));
    const probing = groupByList(probed, queries, nListsOf(lists), nProbes);
    let nAnswered = 0;
    for (let list = 0; list < nListsOf(lists); list += 1) {
      const asking = rowsOfList(probing, list);
      const answering = rowsOfList(lists, list).filter((row) => isCandidate[row] === 1);
      await blocks.compare(asking, answering);
      nAnswered += asking.length;
      onProgress?.(CENTRES_SHARE + ((1 - CENTRES_SHARE) * nAnswered) / probed.length);
    }
  } finally {
    await blocks.close();
  }
  await fillShortLists(search);
}

/**
 * Searches exactly for the rows whose probed lists contained too few others. With short lists, the few rows of a small list would be
 * connected only to each other, and their cluster could never merge with another.
 */
async function fillShortLists(search: GraphSearch): Promise<void> {
  const { graph, candidates } = search;
  const wanted = Math.min(graph.k, candidates.length - 1);
  const queries = search.queries.filter((row) => (graph.rows[row * graph.k + wanted - 1] as number) < 0);
  if (queries.length > 0) await searchExactly({ ...search, queries, onProgress: undefined });
}
