import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';

const MAGIC = 0x56445431;
const [HEAD_BYTES, ROW_BYTES] = [8, 4];
const RECORDS_AT_ONCE = 512;
/** Maximum component of a packed vector. */
const MAX_INT8 = 127;

/** Embedding of an image without its border. */
export interface TrimmedVector {
  row: number;
  /** One byte per dimension; only the direction is significant. */
  vector: Int8Array;
}

/** Packs the direction of a vector with a precision of about a hundredth, which is enough for a search. */
export function packVector(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((value / largest) * MAX_INT8)));
}

/** Unpacks a direction to a unit vector. */
export function unpackVector(packed: Int8Array, target: Float32Array): void {
  const norm = Math.sqrt(packed.reduce((sum, value) => sum + value * value, 0)) || 1;
  for (let at = 0; at < packed.length; at += 1) target[at] = (packed[at] as number) / norm;
}

/**
 * Writes vectors one by one. The file appears once it is finished; the writer must be closed in any case. Layout, little endian: magic,
 * dim, then the row and the bytes of each vector.
 */
export class TrimmedWriter {
  readonly #file: string;
  readonly #target: number;
  readonly #page: Buffer;
  #used = 0;

  constructor(file: string, dim: number) {
    this.#file = file;
    this.#target = openSync(partialOf(file), 'w');
    this.#page = Buffer.alloc((ROW_BYTES + dim) * RECORDS_AT_ONCE);
    writeSync(this.#target, new Uint8Array(Int32Array.of(MAGIC, dim).buffer));
  }

  add({ row, vector }: TrimmedVector): void {
    this.#page.writeInt32LE(row, this.#used);
    this.#page.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), this.#used + ROW_BYTES);
    this.#used += ROW_BYTES + vector.length;
    if (this.#used === this.#page.length) this.#flush();
  }

  finish(): void {
    this.#flush();
    fsyncSync(this.#target);
    renameSync(partialOf(this.#file), this.#file);
  }

  close(): void {
    closeSync(this.#target);
  }

  #flush(): void {
    for (let done = 0; done < this.#used; ) done += writeSync(this.#target, this.#page, done, this.#used - done);
    this.#used = 0;
  }
}

/** @throws Error when the file is not a file of trimmed vectors. */
export function* readTrimmed(file: string): Generator<TrimmedVector> {
  const opened = openSync(file, 'r');
  try {
    const head = new Int32Array(2);
    readSync(opened, new Uint8Array(head.buffer), 0, HEAD_BYTES, 0);
    const [magic, dim = 0] = head;
    const recordBytes = ROW_BYTES + dim;
    const count = (fstatSync(opened).size - HEAD_BYTES) / recordBytes;
    if (magic !== MAGIC || !Number.isInteger(count)) throw new Error('not a file of trimmed vectors');
    for (let first = 0; first < count; first += RECORDS_AT_ONCE) {
      const page = Buffer.alloc(Math.min(RECORDS_AT_ONCE, count - first) * recordBytes);
      readSync(opened, page, 0, page.length, HEAD_BYTES + first * recordBytes);
      for (let at = 0; at < page.length; at += recordBytes) {
        const row = page.readInt32LE(at);
        yield { row, vector: new Int8Array(page.buffer, page.byteOffset + at + ROW_BYTES, dim) };
      }
    }
  } finally {
    closeSync(opened);
  }
}

function partialOf(file: string): string {
  return `${file}.partial`;
}
