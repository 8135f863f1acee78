import ort from 'onnxruntime-node';
import { graphFile } from '../resources.ts';
import { type NeighborGraph, offerNeighbor, offerNeighbors } from './neighbor-graph.ts';
import { gatherRows } from './rows.ts';

export interface GraphSearch {
  /** The lists of `queries` are filled with neighbours out of `candidates`. */
  graph: NeighborGraph;
  vectors: Float32Array;
  dim: number;
  /** Row numbers, ascending. */
  queries: Int32Array;
  candidates: Int32Array;
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Rows of a block of queries and of candidates; their products are 16 MB. */
const QUERY_ROWS = 256;
const CANDIDATE_ROWS = 16_384;
/** No inner product of unit vectors is so high, and none so low. */
const [UNREACHABLE, ANYTHING] = [2, -2];

/**
 * Exact nearest neighbours, by blocks of queries against blocks of candidates: however many there are, and with whatever gaps between them,
 * no more is held beside the vectors than one block of each.
 * @param options.both_ways A query that is nearer to a candidate than the last of that one's list also goes into it, if it is a candidate
 *   itself. Both come out of the same product, so the lists are what a search of everything would give.
 * @param options.known With `both_ways`: how many rows the candidates that are no queries were searched among. A list that is shorter than
 *   it could be has lost some; far rows must not take the places of those.
 */
export async function searchExactly(
  search: GraphSearch,
  { both_ways = false, known = 0 }: { both_ways?: boolean; known?: number } = {},
): Promise<void> {
  const { graph, vectors, dim, queries, candidates, threads, onProgress, signal } = search;
  const session = await ort.InferenceSession.create(graphFile(both_ways ? 'top-k-entrants' : 'top-k'), {
    intraOpNumThreads: threads,
    logSeverityLevel: 3,
  });
  const isQuery = marksOf(queries, graph.count);
  const isCandidate = marksOf(candidates, graph.count);
  let nDone = 0;
  try {
    for (let from = 0; from < candidates.length; from += CANDIDATE_ROWS) {
      const answering = candidates.subarray(from, from + CANDIDATE_ROWS);
      const answers = tensorOf(vectors, dim, answering);
      const wanted = Math.min(graph.k + 1, answering.length);
      const k = new ort.Tensor('int64', BigInt64Array.of(BigInt(wanted)), [1]);
      for (let first = 0; first < queries.length; first += QUERY_ROWS) {
        signal?.throwIfAborted();
        const asking = queries.subarray(first, first + QUERY_ROWS);
        const output = await session.run({
          queries: tensorOf(vectors, dim, asking),
          vectors: answers,
          k,
          ...(both_ways && { bars: barsOf(graph, answering, isQuery, known) }),
        });
        takeAnswers(graph, asking, answering, output);
        if (both_ways) takeEntrants(graph, asking, answering, isCandidate, output);
        nDone += asking.length * answering.length;
        onProgress?.(nDone / (queries.length * candidates.length));
      }
    }
  } finally {
    await session.release();
  }
}

type Output = ort.InferenceSession.ReturnType;

function takeAnswers(graph: NeighborGraph, asking: Int32Array, answering: Int32Array, output: Output): void {
  const places = output.rows?.data as Int32Array;
  const similarities = output.similarities?.data as Float32Array;
  const rows = places.map((place) => answering[place] as number);
  const each = places.length / asking.length;
  for (let at = 0; at < asking.length; at += 1)
    offerNeighbors(graph, asking[at] as number, rows, similarities, at * each, each);
}

function takeEntrants(
  graph: NeighborGraph,
  asking: Int32Array,
  answering: Int32Array,
  isCandidate: Uint8Array,
  output: Output,
): void {
  const hits = output.hits?.data as Int32Array;
  const scores = output.hit_scores?.data as Float32Array;
  for (let hit = 0; hit < scores.length; hit += 1) {
    const query = asking[hits[2 * hit] as number] as number;
    if (isCandidate[query] === 0) continue;
    offerNeighbor(graph, answering[hits[2 * hit + 1] as number] as number, query, scores[hit] as number);
  }
}

/** What a query must pass to enter each row's list; lists of queries themselves are filled from their own side. */
function barsOf(graph: NeighborGraph, rows: Int32Array, isQuery: Uint8Array, known: number): ort.Tensor {
  const bars = Float32Array.from(rows, (row) => (isQuery[row] === 1 ? UNREACHABLE : barOf(graph, row, known)));
  return new ort.Tensor('float32', bars, [rows.length]);
}

function barOf({ k, rows, similarities }: NeighborGraph, row: number, known: number): number {
  let length = k;
  while (length > 0 && (rows[row * k + length - 1] as number) < 0) length -= 1;
  const hasAll = length < k && length >= known - 1;
  return length === 0 || hasAll ? ANYTHING : (similarities[row * k + length - 1] as number);
}

function marksOf(rows: Int32Array, count: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (const row of rows) marks[row] = 1;
  return marks;
}

/** The rows' vectors; without a copy where the rows follow each other. */
function tensorOf(vectors: Float32Array, dim: number, rows: Int32Array): ort.Tensor {
  const [first = 0, last = -1] = [rows[0], rows.at(-1)];
  const follow = last - first + 1 === rows.length;
  const data = follow ? vectors.subarray(first * dim, (last + 1) * dim) : gatherRows(vectors, dim, rows);
  return new ort.Tensor('float32', data, [rows.length, dim]);
}
