import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Number of rows per segment file. */
export const ROWS_PER_SEGMENT = 16_384;

/** Rows of equal length in files of {@link ROWS_PER_SEGMENT} rows each: `000000.<extension>`, `000001.<extension>`, … */
export class SegmentFiles {
  readonly #folder: string;
  readonly #extension: string;
  readonly #rowBytes: number;
  readonly #files = new Map<number, number>();

  constructor(folder: string, extension: string, rowBytes: number) {
    this.#folder = folder;
    this.#extension = extension;
    this.#rowBytes = rowBytes;
  }

  /** @param bytes Whole rows. */
  write(firstRow: number, bytes: Uint8Array): void {
    this.#eachSlice(firstRow, bytes, (segment, slice, position) => {
      const file = this.#file(segment);
      for (let done = 0; done < slice.length; )
        done += writeSync(file, slice, done, slice.length - done, position + done);
    });
  }

  /**
   * Fills `bytes`, a number of whole rows, with consecutive rows.
   * @returns False when the files end before that; the bytes of missing rows are unchanged.
   */
  read(firstRow: number, bytes: Uint8Array): boolean {
    let isWhole = true;
    this.#eachSlice(firstRow, bytes, (segment, slice, position) => {
      const file = this.#files.get(segment) ?? (existsSync(this.#path(segment)) ? this.#file(segment) : undefined);
      for (let done = 0; done < slice.length; ) {
        const read = file === undefined ? 0 : readSync(file, slice, done, slice.length - done, position + done);
        if (read === 0) {
          isWhole = false;
          return;
        }
        done += read;
      }
    });
    return isWhole;
  }

  /** Lists the rows from `from`, the first of a segment, to below `count` that the files are too short for. */
  listMissing(count: number, from = 0): { from: number; to: number }[] {
    const missing: { from: number; to: number }[] = [];
    for (let first = from; first < count; first += ROWS_PER_SEGMENT) {
      const end = Math.min(count, first + ROWS_PER_SEGMENT);
      const { size } = statSync(this.#path(first / ROWS_PER_SEGMENT), { throwIfNoEntry: false }) ?? { size: 0 };
      const stored = first + Math.floor(size / this.#rowBytes);
      if (stored < end) missing.push({ from: stored, to: end });
    }
    return missing;
  }

  /** Removes rows from `count` on. */
  truncate(count: number): void {
    for (let first = 0; first < this.end(); first += ROWS_PER_SEGMENT) {
      const expectedBytes = Math.max(0, Math.min(count - first, ROWS_PER_SEGMENT)) * this.#rowBytes;
      const file = this.#file(first / ROWS_PER_SEGMENT);
      if (fstatSync(file).size > expectedBytes) ftruncateSync(file, expectedBytes);
    }
  }

  /** Returns the number after the last row of the files. */
  end(): number {
    for (let segment = 0; ; segment += 1) {
      const { size } = statSync(this.#path(segment), { throwIfNoEntry: false }) ?? { size: 0 };
      const rows = Math.floor(size / this.#rowBytes);
      if (rows < ROWS_PER_SEGMENT) return segment * ROWS_PER_SEGMENT + rows;
    }
  }

  /** Makes rows below `count` readable: rows that were never written are zero. */
  extendTo(count: number): void {
    for (let first = 0; first < count; first += ROWS_PER_SEGMENT) {
      const file = this.#file(first / ROWS_PER_SEGMENT);
      const expectedBytes = Math.min(count - first, ROWS_PER_SEGMENT) * this.#rowBytes;
      if (fstatSync(file).size < expectedBytes) ftruncateSync(file, expectedBytes);
    }
  }

  sync(): void {
    for (const file of this.#files.values()) fsyncSync(file);
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }

  #eachSlice(
    firstRow: number,
    bytes: Uint8Array,
    use: (segment: number, slice: Uint8Array, position: number) => void,
  ): void {
    const count = bytes.length / this.#rowBytes;
    for (let done = 0; done < count; ) {
      const row = firstRow + done;
      const within = row % ROWS_PER_SEGMENT;
      const n = Math.min(count - done, ROWS_PER_SEGMENT - within);
      const slice = bytes.subarray(done * this.#rowBytes, (done + n) * this.#rowBytes);
      use(Math.floor(row / ROWS_PER_SEGMENT), slice, within * this.#rowBytes);
      done += n;
    }
  }

  #file(segment: number): number {
    const known = this.#files.get(segment);
    if (known !== undefined) return known;
    const path = this.#path(segment);
    const file = openSync(path, existsSync(path) ? 'r+' : 'w+');
    this.#files.set(segment, file);
    return file;
  }

  #path(segment: number): string {
    return join(this.#folder, segmentName(segment, this.#extension));
  }
}

export function segmentName(segment: number, extension: string): string {
  return `${String(segment).padStart(6, '0')}.${extension}`;
}
