import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { ExactIndex } from './exact-index.ts';

/** The k nearest neighbours of every row, best first; row -1 where there are fewer. */
export interface NeighborGraph {
  count: number;
  k: number;
  /** count × k */
  rows: Int32Array;
  /** count × k, cosine similarity */
  similarities: Float32Array;
}

export const NEIGHBORS = 24;
const MAGIC = 0x564b4e31;
/** Queries answered by one matrix product. */
const BLOCK_FLOATS = 16_000_000;

export function writeGraph(file: string, graph: NeighborGraph): void {
  const head = Int32Array.of(MAGIC, graph.count, graph.k, 0);
  const parts = [head, graph.rows, graph.similarities].map(
    (part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
  );
  const partial = `${file}.partial`;
  writeFileSync(partial, Buffer.concat(parts), { flush: true });
  renameSync(partial, file);
}

/** @throws Error when the file is not a neighbour graph. */
export function readGraph(file: string): NeighborGraph {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const [magic, count = 0, k = 0] = new Int32Array(buffer, 0, 4);
  if (magic !== MAGIC) throw new Error('not a neighbour graph');
  return {
    count,
    k,
    rows: new Int32Array(buffer, 16, count * k),
    similarities: new Float32Array(buffer, 16 + count * k * 4, count * k),
  };
}

/** Exact k nearest neighbours of all rows among each other, by blocks of rows against all. Ties are broken by row. */
export async function buildNeighborGraph(options: {
  vectors: Float32Array;
  dim: number;
  count: number;
  k?: number;
  threads: number;
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}): Promise<NeighborGraph> {
  const { vectors, dim, count, threads, onProgress, signal } = options;
  const k = options.k ?? NEIGHBORS;
  const graph: NeighborGraph = {
    count,
    k,
    rows: new Int32Array(count * k).fill(-1),
    similarities: new Float32Array(count * k),
  };
  const index = await ExactIndex.open({ vectors, dim, count, threads });
  const block = Math.max(1, Math.min(1024, Math.floor(BLOCK_FLOATS / count)));
  const wanted = Math.min(k + 1, count);
  for (let first = 0; first < count; first += block) {
    signal?.throwIfAborted();
    const n = Math.min(block, count - first);
    const found = await index.searchMany(vectors.subarray(first * dim, (first + n) * dim), wanted);
    for (let query = 0; query < n; query += 1) {
      keepBest(
        graph,
        first + query,
        found.rows.subarray(query * wanted, (query + 1) * wanted),
        found.similarities.subarray(query * wanted),
      );
    }
    onProgress?.((first + n) / count);
  }
  return graph;
}

function keepBest(graph: NeighborGraph, row: number, rows: Int32Array, similarities: Float32Array): void {
  let kept = 0;
  for (let at = 0; at < rows.length && kept < graph.k; at += 1) {
    const neighbor = rows[at] ?? -1;
    if (neighbor === row) continue;
    graph.rows[row * graph.k + kept] = neighbor;
    graph.similarities[row * graph.k + kept] = similarities[at] ?? 0;
    kept += 1;
  }
}
