import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { DamagedRows } from '../../../core/ports/vector-engine.ts';
import { rowsWhere } from '../rows.ts';
import { codeBytes } from '../vector-codes.ts';
import { ROWS_PER_SEGMENT, SegmentFiles } from './segment-files.ts';
import { areSealed, hasStoredCodes, isCodeBlank, sealedCodes } from './stored-codes.ts';

interface Manifest {
  encoder_id: string;
  dim: number;
  rows_per_segment: number;
}

/** Extensions of the files of vectors, and of the files beside them with a checksum and a code of each vector. */
export const SEGMENT_EXTENSIONS = { vectors: 'f32', checksums: 'crc', codes: 'i8' } as const;
export const CHECKSUM_BYTES = 4;
/** Number of rows that are checked together. */
const CHECKED_ROWS = 1024;
/** Number of rows whose codes are read together. */
const READ_ROWS = 4096;

/**
 * L2-normalised float32 vectors of one space, row after row in segment files of fixed size. Files beside them have the CRC-32 of each row, and
 * its code: searches compare codes, which would otherwise be made from all vectors first. Data of earlier versions have no codes.
 *
 * Rows of full segments are not appended to, so copies of a dataset share the files by hard link. Rows past the committed count remain after a
 * crash and are overwritten.
 */
export class VectorSegments {
  readonly folder: string;
  readonly dim: number;
  readonly #vectors: SegmentFiles;
  readonly #checksums: SegmentFiles;
  readonly #codes: SegmentFiles | undefined;
  readonly #manifest: Manifest;
  #hasFolder = false;

  private constructor(folder: string, manifest: Manifest) {
    const { dim } = manifest;
    this.folder = folder;
    this.dim = dim;
    this.#manifest = manifest;
    this.#vectors = new SegmentFiles(folder, SEGMENT_EXTENSIONS.vectors, dim * 4);
    this.#checksums = new SegmentFiles(folder, SEGMENT_EXTENSIONS.checksums, CHECKSUM_BYTES);
    this.#codes = hasStoredCodes(dim) ? new SegmentFiles(folder, SEGMENT_EXTENSIONS.codes, codeBytes(dim)) : undefined;
  }

  /**
   * Opens a folder of vectors. The first write creates the folder, so that a reader of a deleted dataset creates nothing.
   * @throws Error when the folder contains vectors of another encoder or dimension.
   */
  static open(folder: string, space: { encoder_id: string; dim: number }): VectorSegments {
    const expected: Manifest = { encoder_id: space.encoder_id, dim: space.dim, rows_per_segment: ROWS_PER_SEGMENT };
    const { encoder_id, dim, rows_per_segment } = readManifest(folder) ?? expected;
    if (encoder_id !== expected.encoder_id || dim !== expected.dim || rows_per_segment !== ROWS_PER_SEGMENT) {
      throw new Error(`the vectors are of ${encoder_id} (${dim}), not ${expected.encoder_id} (${expected.dim})`);
    }
    return new VectorSegments(folder, expected);
  }

  /** @param vectors Whole rows, `dim` floats each. */
  writeRows(firstRow: number, vectors: Float32Array): void {
    this.#createFolder();
    const bytes = bytesOf(vectors);
    const checksums = this.#checksumsOf(bytes);
    this.#vectors.write(firstRow, bytes);
    this.#checksums.write(firstRow, bytesOf(checksums));
    this.#codes?.write(firstRow, sealedCodes(vectors, this.dim, checksums));
  }

  /** Whether there are files with codes of rows 0 … count - 1; {@link readCodes} tells whether they are of these vectors. */
  hasCodes(count: number): boolean {
    const ends = [0, Math.floor(Math.max(0, count - 1) / ROWS_PER_SEGMENT) * ROWS_PER_SEGMENT];
    return ends.every(
      (first) => this.#codes?.listMissing(Math.min(count, first + ROWS_PER_SEGMENT), first).length === 0,
    );
  }

  /**
   * Fills `codes` with the codes of consecutive rows.
   * @returns False when some are missing, damaged, or not of the vectors that were written; what was filled is then of no use.
   */
  readCodes(firstRow: number, count: number, codes: Uint8Array): boolean {
    if (!this.#codes?.read(firstRow, codes)) return false;
    const checksums = new Uint32Array(count);
    this.#checksums.read(firstRow, bytesOf(checksums));
    return areSealed(codes, this.dim, checksums);
  }

  /** Returns the rows below `count` whose code is missing or zero; all rows without a vector are among them. */
  rowsWithoutCode(count: number): Int32Array {
    const size = codeBytes(this.dim);
    const codes = new Uint8Array(READ_ROWS * size);
    const without = new Uint8Array(count).fill(1);
    for (let first = 0; this.#codes && first < count; first += READ_ROWS) {
      const n = Math.min(READ_ROWS, count - first);
      if (this.#codes.read(first, codes.subarray(0, n * size)))
        for (let nth = 0; nth < n; nth += 1) without[first + nth] = isCodeBlank(codes, (nth + 1) * size) ? 1 : 0;
    }
    return rowsWhere(count, (row) => without[row] === 1);
  }

  /** @throws Error when a row was never written. */
  readRows(firstRow: number, count: number, target: Float32Array = new Float32Array(count * this.dim)): Float32Array {
    if (!this.#vectors.read(firstRow, bytesOf(target))) throw new Error('the vectors end before the row');
    return target;
  }

  /** Fills a row's vector if it was written; otherwise leaves the target unchanged. */
  readIfStored(row: number, target: Float32Array): void {
    this.#vectors.read(row, bytesOf(target));
  }

  /** Number after the last row that was written. */
  get end(): number {
    return this.#vectors.end();
  }

  /** Number of rows that were written and have a direction. */
  countStored(): number {
    const written = new Uint32Array(this.end);
    this.#checksums.read(0, bytesOf(written));
    const [blank] = this.#checksumsOf(new Uint8Array(this.dim * 4));
    return written.reduce((n, checksum) => n + (checksum === 0 || checksum === blank ? 0 : 1), 0);
  }

  /** Lists rows that the files are too short for, rows whose vectors differ from their checksums, and rows without a vector. */
  check(from: number, to: number): DamagedRows {
    const missing = this.#vectors.listMissing(to);
    const [damaged, blank]: [number[], number[]] = [[], []];
    const isMissing = (row: number) => missing.some((range) => row >= range.from && row < range.to);
    const none = this.#checksumsOf(new Uint8Array(this.dim * 4))[0];
    for (let first = from; first < to; first += CHECKED_ROWS) {
      const n = Math.min(CHECKED_ROWS, to - first);
      const bytes = new Uint8Array(n * this.dim * 4);
      const written = new Uint32Array(n);
      this.#vectors.read(first, bytes);
      this.#checksums.read(first, bytesOf(written));
      const now = this.#checksumsOf(bytes);
      for (let at = 0; at < n; at += 1) {
        if (isMissing(first + at)) continue;
        const hasNone = now[at] === none;
        if (hasNone && (written[at] === 0 || written[at] === none)) blank.push(first + at);
        else if (written[at] !== now[at]) damaged.push(first + at);
      }
    }
    return { missing, damaged, blank };
  }

  /**
   * Removes rows as if they had never been written.
   * @param rows Ascending.
   */
  remove(rows: Int32Array): void {
    const { end } = this;
    const [first = end, last = -1] = [rows[0], rows.at(-1)];
    if (last >= end - 1 && last - first + 1 === rows.length) {
      this.#vectors.truncate(first);
      this.#checksums.truncate(first);
      this.#codes?.truncate(first);
      return;
    }
    for (const row of rows) {
      if (row >= end) continue;
      this.#writeBlank(row);
      this.#checksums.write(row, new Uint8Array(CHECKSUM_BYTES));
    }
  }

  /** Whether a vector equals the one that was originally written for a row, by its checksum, whatever is stored now. */
  isAsWritten(row: number, vector: Float32Array): boolean {
    const written = new Uint32Array(1);
    this.#checksums.read(row, bytesOf(written));
    return written[0] === this.#checksumsOf(bytesOf(vector))[0];
  }

  /** Takes a damaged vector out of use. Its checksum stays: the row is still reported as damaged, and a replacement can be compared. */
  blank(row: number): void {
    this.#writeBlank(row);
  }

  sync(): void {
    this.#vectors.sync();
    this.#checksums.sync();
    this.#codes?.sync();
  }

  close(): void {
    this.#vectors.close();
    this.#checksums.close();
    this.#codes?.close();
  }

  /** Makes rows below `count` readable: rows that were never written are zero. */
  extendTo(count: number): void {
    this.#createFolder();
    this.#vectors.extendTo(count);
    this.#checksums.extendTo(count);
    this.#codes?.extendTo(count);
  }

  /** Writes the code first, so that a row with a code has a vector, also when the process is killed in between. */
  #writeBlank(row: number): void {
    this.#codes?.write(row, new Uint8Array(codeBytes(this.dim)));
    this.#vectors.write(row, new Uint8Array(this.dim * 4));
  }

  /** Creates the folder and its manifest, or a manifest in place of a damaged one. */
  #createFolder(): void {
    if (this.#hasFolder) return;
    mkdirSync(this.folder, { recursive: true });
    if (!readManifest(this.folder)) writeFileSync(join(this.folder, 'manifest.json'), JSON.stringify(this.#manifest));
    this.#hasFolder = true;
  }

  #checksumsOf(rows: Uint8Array): Uint32Array {
    const rowBytes = this.dim * 4;
    return Uint32Array.from({ length: rows.length / rowBytes }, (_, at) =>
      crc32(rows.subarray(at * rowBytes, (at + 1) * rowBytes)),
    );
  }
}

/** Undefined when the file is missing or damaged: the database has the same facts. */
function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function bytesOf(numbers: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
