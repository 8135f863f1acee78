import { existsSync, statSync } from 'node:fs';
import type { NeighborBlock } from '../../../core/ports/vector-engine.ts';
import { ArrayFile, readArrays, writeArrays } from '../array-file.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';

const MAGIC = 0x564b4e31;
const HEAD_BYTES = 16;
const RECALL_UNIT = 1e-6;
/** Rows per block. */
const BLOCK_ROWS = 8192;
const NO_GRAPH = 'not a neighbour graph';

/**
 * Writes a graph. Layout, little endian: magic, count, k and recall in millionths as int32; then the rows (int32) and the similarities
 * (float32).
 */
export function writeGraph(file: string, { count, k, recall, rows, similarities }: NeighborGraph): void {
  writeArrays(file, [Int32Array.of(MAGIC, count, k, Math.round(recall / RECALL_UNIT)), rows, similarities]);
}

/** @throws Error when the file is not a neighbour graph. */
export function readGraph(file: string): NeighborGraph {
  const buffer = readArrays(file);
  const [magic, count = 0, k = 0, recall = 0] = new Int32Array(buffer, 0, buffer.byteLength < HEAD_BYTES ? 0 : 4);
  if (magic !== MAGIC || buffer.byteLength !== HEAD_BYTES + count * k * 8) throw new Error(NO_GRAPH);
  return {
    count,
    k,
    rows: new Int32Array(buffer, HEAD_BYTES, count * k),
    similarities: new Float32Array(buffer, HEAD_BYTES + count * k * 4, count * k),
    recall: recall * RECALL_UNIT,
  };
}

/** Reads a graph block by block, in constant memory. @throws Error when the file is not a neighbour graph. */
export function* readGraphBlocks(path: string): Generator<NeighborBlock> {
  const file = ArrayFile.open(path);
  try {
    const [magic, count = 0, k = 0] = file.readInts(0, 4);
    if (magic !== MAGIC) throw new Error(NO_GRAPH);
    for (let first = 0; first < count; first += BLOCK_ROWS) {
      const size = Math.min(BLOCK_ROWS, count - first) * k;
      const rows = file.readInts(HEAD_BYTES + first * k * 4, size);
      const similarities = file.read(HEAD_BYTES + (count + first) * k * 4, new Float32Array(size));
      yield { first, k, rows, similarities };
    }
  } finally {
    file.close();
  }
}

/** The neighbours of single rows, read from a graph's file when they are needed: a search reads those of a few thousand rows. */
export class GraphFile {
  /** Neighbours per row. */
  readonly k: number;
  readonly #file: ArrayFile;

  private constructor(file: ArrayFile, k: number) {
    this.#file = file;
    this.k = k;
  }

  /** @returns Undefined if the file is missing or not a graph of `count` rows. */
  static open(path: string, count: number): GraphFile | undefined {
    if (!existsSync(path) || !isWholeGraph(path, count)) return undefined;
    const file = ArrayFile.open(path);
    return new GraphFile(file, file.readInts(0, 4)[2] ?? 0);
  }

  /** @param target Room for {@link k} row numbers, which end with -1 if there are fewer, of the row and of those after it. */
  read(row: number, target: Int32Array): void {
    this.#file.read(HEAD_BYTES + row * this.k * 4, target);
  }

  /** Loads nothing: every row is read when it is needed. */
  load(): number {
    return 0;
  }

  close(): void {
    this.#file.close();
  }
}

/** Whether header and length are those of a graph of `count` rows. */
export function isWholeGraph(path: string, count: number): boolean {
  const { size } = statSync(path);
  if (size < HEAD_BYTES) return false;
  const [magic, graphCount, k = 0] = ArrayFile.use(path, (file) => file.readInts(0, 4));
  return magic === MAGIC && graphCount === count && size === HEAD_BYTES + count * k * 8;
}
