import { BlockSearch, type BothWays, type GraphSearch } from './graph-search.ts';

/** Candidates of a block. */
const CANDIDATE_ROWS = 16_384;

/**
 * Exact nearest neighbours, by blocks of queries against blocks of candidates. Where all candidates are queries too, each two rows are
 * compared once.
 * @param bothWays A query that is nearer to a candidate than the last of that one's list also goes into it, if it is a candidate itself: the
 *   lists are then what a search of everything would give.
 */
export async function searchExactly(search: GraphSearch, bothWays?: BothWays): Promise<void> {
  const { graph, queries, candidates, onProgress } = search;
  const isCandidate = new Uint8Array(graph.count);
  for (const row of candidates) isCandidate[row] = 1;
  const nBoth = queries.reduce((n, row) => n + (isCandidate[row] as number), 0);
  const isMutual = nBoth === candidates.length;
  const blocks = await BlockSearch.open(search, bothWays ?? (isMutual ? { known: 0 } : undefined));
  try {
    for (let first = 0; first < candidates.length; first += CANDIDATE_ROWS) {
      const answering = candidates.subarray(first, first + CANDIDATE_ROWS);
      const firstRow = answering[0] as number;
      // Earlier ones have answered these already.
      const asking = isMutual ? queries.filter((row) => row >= firstRow || isCandidate[row] === 0) : queries;
      let nAsked = 0;
      await blocks.compare(asking, answering, (nQueries) => {
        nAsked += nQueries;
        onProgress?.((first + (answering.length * nAsked) / asking.length) / candidates.length);
      });
    }
  } finally {
    await blocks.close();
  }
}
