import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Rows of one segment file. */
const ROWS_PER_SEGMENT = 16_384;

interface Manifest {
  encoder_id: string;
  dim: number;
  rows_per_segment: number;
}

/**
 * L2-normalised float32 vectors of one entity type, row after row in fixed-size segment files. Full segments never change, so copies of a
 * dataset share them by hard link; rows past the committed count are left-overs of a crash and are simply written again.
 */
export class VectorSegments {
  readonly folder: string;
  readonly dim: number;
  readonly #files = new Map<number, number>();

  private constructor(folder: string, dim: number) {
    this.folder = folder;
    this.dim = dim;
  }

  /** Opens or makes a folder of vectors. @throws Error when it holds vectors of another encoder or dimension. */
  static open(folder: string, space: { encoder_id: string; dim: number }): VectorSegments {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'manifest.json');
    const wanted: Manifest = { encoder_id: space.encoder_id, dim: space.dim, rows_per_segment: ROWS_PER_SEGMENT };
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(wanted));
    const found = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (
      found.encoder_id !== wanted.encoder_id ||
      found.dim !== wanted.dim ||
      found.rows_per_segment !== ROWS_PER_SEGMENT
    ) {
      throw new Error(
        `the vectors are of ${found.encoder_id} (${found.dim}), not ${wanted.encoder_id} (${wanted.dim})`,
      );
    }
    return new VectorSegments(folder, space.dim);
  }

  /** Opens a folder that {@link open} made. */
  static openExisting(folder: string): VectorSegments {
    const found = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    return VectorSegments.open(folder, found);
  }

  /** @param vectors Whole rows, `dim` floats each. */
  writeRows(firstRow: number, vectors: Float32Array): void {
    this.#eachSlice(firstRow, vectors, (file, bytes, position) => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, bytes.length - done, position + done);
    });
  }

  /** @throws Error when a row was never written. */
  readRows(firstRow: number, count: number, target = new Float32Array(count * this.dim)): Float32Array {
    this.#eachSlice(firstRow, target, (file, bytes, position) => {
      for (let done = 0; done < bytes.length; ) {
        const read = readSync(file, bytes, done, bytes.length - done, position + done);
        if (read === 0) throw new Error('the vectors end before the row');
        done += read;
      }
    });
    return target;
  }

  readAll(count: number): Float32Array {
    return this.readRows(0, count);
  }

  sync(): void {
    for (const file of this.#files.values()) fsyncSync(file);
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }

  /** The row that the segment file of a path begins with. */
  firstRowOf(path: string): number {
    return Number(/([0-9]+)\.f32$/.exec(path)?.[1] ?? 0) * ROWS_PER_SEGMENT;
  }

  /** How many rows from the first on, and before the last, were written. */
  countReadable(firstRow: number, endRow: number): number {
    for (let row = firstRow; row < endRow; ) {
      const within = row % ROWS_PER_SEGMENT;
      const wanted = Math.min(ROWS_PER_SEGMENT, within + endRow - row);
      const there = Math.floor(fstatSync(this.#file(Math.floor(row / ROWS_PER_SEGMENT))).size / (this.dim * 4));
      if (there < wanted) return Math.max(0, row - within + there - firstRow);
      row += wanted - within;
    }
    return endRow - firstRow;
  }

  /** Makes rows below `count` readable: those that were never written have no direction. */
  extendTo(count: number): void {
    for (let first = 0; first < count; first += ROWS_PER_SEGMENT) {
      const file = this.#file(Math.floor(first / ROWS_PER_SEGMENT));
      const wantedBytes = Math.min(count - first, ROWS_PER_SEGMENT) * this.dim * 4;
      if (fstatSync(file).size < wantedBytes) ftruncateSync(file, wantedBytes);
    }
  }

  #eachSlice(
    firstRow: number,
    rows: Float32Array,
    use: (file: number, bytes: Uint8Array, position: number) => void,
  ): void {
    const count = rows.length / this.dim;
    for (let done = 0; done < count; ) {
      const row = firstRow + done;
      const within = row % ROWS_PER_SEGMENT;
      const n = Math.min(count - done, ROWS_PER_SEGMENT - within);
      const bytes = new Uint8Array(rows.buffer, rows.byteOffset + done * this.dim * 4, n * this.dim * 4);
      use(this.#file(Math.floor(row / ROWS_PER_SEGMENT)), bytes, within * this.dim * 4);
      done += n;
    }
  }

  #file(segment: number): number {
    const known = this.#files.get(segment);
    if (known !== undefined) return known;
    const path = join(this.folder, segmentName(segment));
    const file = openSync(path, existsSync(path) ? 'r+' : 'w+');
    this.#files.set(segment, file);
    return file;
  }
}

export function segmentName(segment: number): string {
  return `${String(segment).padStart(6, '0')}.f32`;
}
