import { closeSync, fsyncSync, openSync, readFileSync, readSync, renameSync, writeSync } from 'node:fs';

/** The k nearest neighbours of every row, best first (equal ones by row); row -1 where there are fewer. */
export interface NeighborGraph {
  count: number;
  k: number;
  /** count × k */
  rows: Int32Array;
  /** count × k, cosine similarity */
  similarities: Float32Array;
  /** Share of the true neighbours that the lists hold, estimated on a sample when they were searched; 1 is exact. */
  recall: number;
}

export const NEIGHBORS = 24;
const MAGIC = 0x564b4e31;
const RECALL_UNIT = 1e-6;
const HEAD_BYTES = 16;
/** Rows that are read at a time. */
const BLOCK_ROWS = 8192;

export function emptyGraph(count: number, k = NEIGHBORS): NeighborGraph {
  return { count, k, rows: new Int32Array(count * k).fill(-1), similarities: new Float32Array(count * k), recall: 1 };
}

/** Layout, little endian: magic, count, k and recall in millionths as int32; then the rows (int32) and the similarities (float32). */
export function writeGraph(file: string, graph: NeighborGraph): void {
  const head = Int32Array.of(MAGIC, graph.count, graph.k, Math.round(graph.recall / RECALL_UNIT));
  const partial = `${file}.partial`;
  const target = openSync(partial, 'w');
  try {
    for (const part of [head, graph.rows, graph.similarities]) {
      const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
      for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done, bytes.length - done);
    }
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  renameSync(partial, file);
}

/** @throws Error when the file is not a neighbour graph. */
export function readGraph(file: string): NeighborGraph {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const [magic, count = 0, k = 0, recall = 0] = buffer.byteLength >= 16 ? new Int32Array(buffer, 0, 4) : [];
  if (magic !== MAGIC || buffer.byteLength !== 16 + count * k * 8) throw new Error('not a neighbour graph');
  return {
    count,
    k,
    rows: new Int32Array(buffer, 16, count * k),
    similarities: new Float32Array(buffer, 16 + count * k * 4, count * k),
    recall: recall * RECALL_UNIT,
  };
}

/** The neighbours of some rows one after the other. */
export interface GraphBlock {
  first: number;
  k: number;
  /** k for each row. */
  rows: Int32Array;
  similarities: Float32Array;
}

/** Reads a graph block by block, in flat memory. @throws Error when the file is not a neighbour graph. */
export function* readGraphBlocks(file: string): Generator<GraphBlock> {
  const source = openSync(file, 'r');
  try {
    const read = (offset: number, bytes: Uint8Array) => {
      if (readSync(source, bytes, 0, bytes.length, offset) < bytes.length) throw new Error('not a neighbour graph');
    };
    const head = new Int32Array(HEAD_BYTES / 4);
    read(0, new Uint8Array(head.buffer));
    const [magic, count = 0, k = 0] = head;
    if (magic !== MAGIC) throw new Error('not a neighbour graph');
    for (let first = 0; first < count; first += BLOCK_ROWS) {
      const size = Math.min(BLOCK_ROWS, count - first) * k;
      const rows = new Int32Array(size);
      const similarities = new Float32Array(size);
      read(HEAD_BYTES + first * k * 4, new Uint8Array(rows.buffer));
      read(HEAD_BYTES + (count + first) * k * 4, new Uint8Array(similarities.buffer));
      yield { first, k, rows, similarities };
    }
  } finally {
    closeSync(source);
  }
}

/** A graph of `count` rows that begins with the given one's; neighbours past the end are dropped. */
export function resizeGraph(graph: NeighborGraph, count: number): NeighborGraph {
  if (graph.count === count) return graph;
  const { k, recall } = graph;
  const resized = { ...emptyGraph(count, k), recall };
  const shared = Math.min(count, graph.count) * k;
  resized.rows.set(graph.rows.subarray(0, shared));
  resized.similarities.set(graph.similarities.subarray(0, shared));
  if (count < graph.count) {
    for (let row = 0; row < count; row += 1) filterNeighbors(resized, row, (neighbor) => neighbor < count);
  }
  return resized;
}

/** The same graph with shorter lists. */
export function narrowGraph(graph: NeighborGraph, k: number): NeighborGraph {
  const narrow = { ...emptyGraph(graph.count, k), recall: graph.recall };
  for (let row = 0; row < graph.count; row += 1) {
    const from = row * graph.k;
    narrow.rows.set(graph.rows.subarray(from, from + k), row * k);
    narrow.similarities.set(graph.similarities.subarray(from, from + k), row * k);
  }
  return narrow;
}

/** Puts a neighbour where it belongs in a row's list, unless it is there already or worse than a full list's last. */
export function offerNeighbor(graph: NeighborGraph, row: number, neighbor: number, similarity: number): void {
  const { k, rows, similarities } = graph;
  const start = row * k;
  let at = start + k - 1;
  if (!isBetter(graph, at, similarity, neighbor)) return;
  for (let place = start; place <= at; place += 1) if (rows[place] === neighbor) return;
  for (; at > start && isBetter(graph, at - 1, similarity, neighbor); at -= 1) {
    rows[at] = rows[at - 1] as number;
    similarities[at] = similarities[at - 1] as number;
  }
  rows[at] = neighbor;
  similarities[at] = similarity;
}

/** Drops neighbours from a row's list; the rest move up. @returns How many are left. */
export function filterNeighbors(graph: NeighborGraph, row: number, keep: (neighbor: number) => boolean): number {
  const { k, rows, similarities } = graph;
  const end = (row + 1) * k;
  let kept = row * k;
  for (let at = kept; at < end; at += 1) {
    const neighbor = rows[at] as number;
    if (neighbor < 0 || !keep(neighbor)) continue;
    rows[kept] = neighbor;
    similarities[kept] = similarities[at] as number;
    kept += 1;
  }
  rows.fill(-1, kept, end);
  similarities.fill(0, kept, end);
  return kept - row * k;
}

/** True when a neighbour goes before the one at a place of the lists; equal similarities are ordered by row. */
function isBetter(graph: NeighborGraph, at: number, similarity: number, neighbor: number): boolean {
  const other = graph.rows[at] as number;
  const theirs = graph.similarities[at] as number;
  return other < 0 || similarity > theirs || (similarity === theirs && neighbor < other);
}
