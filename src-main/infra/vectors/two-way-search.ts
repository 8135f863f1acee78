import ort from 'onnxruntime-node';
import { buildOnnxModel } from '../models/onnx-writer.ts';
import { type GraphSearch, rowsOf } from './exact-graph.ts';
import { ExactIndex } from './exact-index.ts';
import { offerNeighbor } from './neighbor-graph.ts';
import { gatherRows } from './rows.ts';

/**
 * Exact neighbours of the queries among the candidates, and the other way round: a query that is nearer to a candidate than the last of
 * that one's list goes into it, if it is a candidate itself. Both come out of the same matrix product, so the lists are what a search of everything would give.
 */
export async function searchTwoWays(search: GraphSearch): Promise<void> {
  const { graph, vectors, dim, queries, candidates, threads, onProgress, signal } = search;
  const session = await ort.InferenceSession.create(twoWayModel(dim), {
    intraOpNumThreads: threads,
    logSeverityLevel: 3,
  });
  const index = new ort.Tensor('float32', gatherRows(vectors, dim, candidates), [candidates.length, dim]);
  const wanted = Math.min(graph.k + 1, candidates.length);
  const k = new ort.Tensor('int64', BigInt64Array.of(BigInt(wanted)), [1]);
  const is_candidate = new Uint8Array(graph.count);
  for (const row of candidates) is_candidate[row] = 1;
  const block = ExactIndex.blockRows(candidates.length);
  for (let first = 0; first < queries.length; first += block) {
    signal?.throwIfAborted();
    const asked = queries.subarray(first, first + block);
    const output = await session.run({
      queries: new ort.Tensor('float32', rowsOf(vectors, dim, asked), [asked.length, dim]),
      vectors: index,
      k,
      bars: new ort.Tensor('float32', lowestOfLists(search), [candidates.length]),
    });
    const rows = output.rows?.data as Int32Array;
    const similarities = output.similarities?.data as Float32Array;
    for (let at = 0; at < rows.length; at += 1) {
      const neighbor = candidates[rows[at] as number] as number;
      const query = asked[Math.floor(at / wanted)] as number;
      if (neighbor !== query) offerNeighbor(graph, query, neighbor, similarities[at] as number);
    }
    const hits = output.hits?.data as Int32Array;
    const scores = output.hit_scores?.data as Float32Array;
    for (let hit = 0; hit < scores.length; hit += 1) {
      const query = asked[hits[2 * hit] as number] as number;
      if (is_candidate[query] === 0) continue;
      offerNeighbor(graph, candidates[hits[2 * hit + 1] as number] as number, query, scores[hit] as number);
    }
    onProgress?.((first + asked.length) / queries.length);
  }
  await session.release();
}

/** What a query must reach to enter each candidate's list; lists of queries themselves are filled from their own side. */
function lowestOfLists({ graph, queries, candidates }: GraphSearch): Float32Array {
  const bars = new Float32Array(candidates.length);
  const asking = new Set(queries);
  for (let at = 0; at < candidates.length; at += 1) {
    const row = candidates[at] as number;
    const last = (row + 1) * graph.k - 1;
    if (asking.has(row)) bars[at] = 2;
    else bars[at] = (graph.rows[last] as number) < 0 ? -2 : (graph.similarities[last] as number);
  }
  return bars;
}

function twoWayModel(dim: number): Uint8Array {
  return buildOnnxModel({
    name: 'two-way-search',
    opset: 17,
    inputs: [
      { name: 'queries', type: 'float32', shape: ['m', dim] },
      { name: 'vectors', type: 'float32', shape: ['n', dim] },
      { name: 'k', type: 'int64', shape: [1] },
      { name: 'bars', type: 'float32', shape: ['n'] },
    ],
    outputs: [
      { name: 'similarities', type: 'float32', shape: ['m', 'k'] },
      { name: 'rows', type: 'int32', shape: ['m', 'k'] },
      { name: 'hits', type: 'int32', shape: ['h', 2] },
      { name: 'hit_scores', type: 'float32', shape: ['h'] },
    ],
    nodes: [
      { op: 'Transpose', inputs: ['vectors'], outputs: ['columns'], attributes: { perm: { ints: [1, 0] } } },
      { op: 'MatMul', inputs: ['queries', 'columns'], outputs: ['scores'] },
      {
        op: 'TopK',
        inputs: ['scores', 'k'],
        outputs: ['similarities', 'places'],
        attributes: { axis: { int: -1 }, largest: { int: 1 }, sorted: { int: 1 } },
      },
      { op: 'Cast', inputs: ['places'], outputs: ['rows'], attributes: { to: { int: 6 } } },
      { op: 'Greater', inputs: ['scores', 'bars'], outputs: ['enters'] },
      { op: 'NonZero', inputs: ['enters'], outputs: ['entering'] },
      { op: 'Transpose', inputs: ['entering'], outputs: ['pairs'], attributes: { perm: { ints: [1, 0] } } },
      { op: 'GatherND', inputs: ['scores', 'pairs'], outputs: ['hit_scores'] },
      { op: 'Cast', inputs: ['pairs'], outputs: ['hits'], attributes: { to: { int: 6 } } },
    ],
  });
}
