import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ROWS_PER_SEGMENT, SegmentFiles } from './segment-files.ts';

interface Manifest {
  encoder_id: string;
  dim: number;
  rows_per_segment: number;
}

/** Of the files of vectors, and of those beside them that hold a checksum of each. */
export const SEGMENT_EXTENSIONS = { vectors: 'f32', checksums: 'crc' } as const;
export const CHECKSUM_BYTES = 4;

/**
 * L2-normalised float32 vectors of one entity type, row after row in fixed-size segment files, with the CRC-32 of each row in files beside
 * them. Full segments never change, so copies of a dataset share them by hard link; rows past the committed count are left-overs of a crash
 * and are simply written again.
 */
export class VectorSegments {
  readonly folder: string;
  readonly dim: number;
  readonly #vectors: SegmentFiles;
  readonly #checksums: SegmentFiles;

  private constructor(folder: string, dim: number) {
    this.folder = folder;
    this.dim = dim;
    this.#vectors = new SegmentFiles(folder, SEGMENT_EXTENSIONS.vectors, dim * 4);
    this.#checksums = new SegmentFiles(folder, SEGMENT_EXTENSIONS.checksums, CHECKSUM_BYTES);
  }

  /** Opens or makes a folder of vectors. @throws Error when it holds vectors of another encoder or dimension. */
  static open(folder: string, space: { encoder_id: string; dim: number }): VectorSegments {
    mkdirSync(folder, { recursive: true });
    const wanted: Manifest = { encoder_id: space.encoder_id, dim: space.dim, rows_per_segment: ROWS_PER_SEGMENT };
    const found = readManifest(folder);
    if (!found) writeFileSync(join(folder, 'manifest.json'), JSON.stringify(wanted));
    const { encoder_id, dim, rows_per_segment } = found ?? wanted;
    if (encoder_id !== wanted.encoder_id || dim !== wanted.dim || rows_per_segment !== ROWS_PER_SEGMENT) {
      throw new Error(`the vectors are of ${encoder_id} (${dim}), not ${wanted.encoder_id} (${wanted.dim})`);
    }
    return new VectorSegments(folder, space.dim);
  }

  /** Opens a folder that {@link open} made. */
  static openExisting(folder: string): VectorSegments {
    const found = readManifest(folder);
    if (!found) throw new Error('there are no vectors');
    return VectorSegments.open(folder, found);
  }

  /** @param vectors Whole rows, `dim` floats each. */
  writeRows(firstRow: number, vectors: Float32Array): void {
    const bytes = bytesOf(vectors);
    this.#vectors.write(firstRow, bytes);
    this.#checksums.write(firstRow, bytesOf(this.#checksumsOf(bytes)));
  }

  /** @throws Error when a row was never written. */
  readRows(firstRow: number, count: number, target: Float32Array = new Float32Array(count * this.dim)): Float32Array {
    if (!this.#vectors.read(firstRow, bytesOf(target))) throw new Error('the vectors end before the row');
    return target;
  }

  readAll(count: number): Float32Array {
    return this.readRows(0, count);
  }

  /**
   * Rows as they are and as they were written.
   * @returns The checksum of each row now and when it was written; 0 where that is not known, as of rows of former versions.
   */
  readChecked(firstRow: number, count: number): { vectors: Float32Array; now: Uint32Array; written: Uint32Array } {
    const vectors = this.readRows(firstRow, count);
    const written = new Uint32Array(count);
    this.#checksums.read(firstRow, bytesOf(written));
    return { vectors, now: this.#checksumsOf(bytesOf(vectors)), written };
  }

  /** Whether a vector is what was once written as a row, whatever is there now. */
  isAsWritten(row: number, vector: Float32Array): boolean {
    const written = new Uint32Array(1);
    this.#checksums.read(row, bytesOf(written));
    return written[0] === this.#checksumsOf(bytesOf(vector))[0];
  }

  /** Takes a damaged vector out of use. Its checksum stays, so that it goes on being told as damaged, and what replaces it can be compared. */
  blank(row: number): void {
    this.#vectors.write(row, new Uint8Array(this.dim * 4));
  }

  sync(): void {
    this.#vectors.sync();
    this.#checksums.sync();
  }

  close(): void {
    this.#vectors.close();
    this.#checksums.close();
  }

  /** Rows below `count` that the files are too short for, or gone with. */
  listMissing(count: number): { from: number; to: number }[] {
    return this.#vectors.listMissing(count);
  }

  /** Makes rows below `count` readable: those that were never written have no direction. */
  extendTo(count: number): void {
    this.#vectors.extendTo(count);
    this.#checksums.extendTo(count);
  }

  #checksumsOf(rows: Uint8Array): Uint32Array {
    const rowBytes = this.dim * 4;
    return Uint32Array.from({ length: rows.length / rowBytes }, (_, at) =>
      crc32(rows.subarray(at * rowBytes, (at + 1) * rowBytes)),
    );
  }
}

/** Undefined where there is none, or none that can be read: it only repeats what the database says. */
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
