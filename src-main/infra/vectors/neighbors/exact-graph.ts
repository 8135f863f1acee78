import { markRows } from '../rows.ts';
import type { BothWays } from './entry-bars.ts';
import { BlockSearch, type GraphSearch } from './graph-search.ts';

/** Number of candidates per block. */
const CANDIDATE_ROWS = 16_384;
/** The same when they are compared with each other: within a block, every two rows are compared twice. */
const MUTUAL_ROWS = 2048;

/**
 * Finds exact nearest neighbours by comparing blocks of queries with blocks of candidates. When all candidates are also queries, every two
 * rows of different blocks are compared once.
 * @param bothWays A query that is also a candidate enters the list of a candidate when it is nearer than the last entry of that list: the
 *   lists are then what a search of all rows would give.
 */
export async function searchExactly(search: GraphSearch, bothWays?: BothWays): Promise<void> {
  const { graph, vectors, queries, candidates, onProgress } = search;
  const isCandidate = markRows(graph.count, candidates);
  const nBoth = queries.reduce((n, row) => n + (isCandidate[row] as number), 0);
  const isMutual = nBoth === candidates.length;
  const blocks = await BlockSearch.open(search, bothWays ?? (isMutual ? { known: 0 } : undefined));
  try {
    // Vectors that are not in memory are read for each block.
    const size = isMutual && vectors.areHeld ? MUTUAL_ROWS : CANDIDATE_ROWS;
    for (let first = 0; first < candidates.length; first += size) {
      const answering = candidates.subarray(first, first + size);
      const firstRow = answering[0] as number;
      // Pairs with earlier candidates were already compared.
      const asking = isMutual ? queries.filter((row) => row >= firstRow || isCandidate[row] === 0) : queries;
      let nDone = 0;
      await blocks.compare(asking, answering, (nQueries) => {
        nDone += nQueries;
        onProgress?.((first + (answering.length * nDone) / asking.length) / candidates.length);
      });
    }
  } finally {
    await blocks.close();
  }
}
