import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { centralRecord, dosTime, endRecords, localHeader, type ZipEntry } from './zip-records.ts';

export type Content = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Of what waits to be written, and of files that are read at once. */
const CHUNK_BYTES = 2 ** 20;
/** Of the list at the end, which is held in memory. */
const LIST_PIECE_BYTES = 2 ** 16;

/** What is known of an entry before its bytes are. */
type NewEntry = Pick<ZipEntry, 'path' | 'is_deflated' | 'offset'>;

/**
 * A ZIP that is written entry by entry; as ZIP64 where it must be. Files are read and written synchronously: an export has a thread of its own,
 * and the way through the thread pool takes several times as long as a small image. Call nothing while an entry is being added.
 */
export class ZipFile {
  readonly #file: number;
  readonly #modified: number;
  /** Bytes that are to be written at {@link #flushed}. */
  readonly #waiting = Buffer.alloc(CHUNK_BYTES);
  readonly #read = Buffer.alloc(CHUNK_BYTES);
  readonly #list: Buffer[] = [];
  #records: Buffer[] = [];
  #recordBytes = 0;
  #nEntries = 0;
  #nWaiting = 0;
  #flushed = 0;

  /** Begins in the place of whatever file is there. */
  constructor(file: string, createdAt: Date) {
    this.#file = openSync(file, 'w');
    this.#modified = dosTime(createdAt);
  }

  /** Adds what is generated. `stored`: it would not get any smaller. */
  async add(path: string, content: Content, how: 'deflated' | 'stored' = 'deflated'): Promise<void> {
    const entry = this.#begin(path, how === 'deflated');
    const tally = { crc32: 0, size_bytes: 0 };
    const begun = this.#position;
    for await (const piece of how === 'deflated' ? deflated(counted(content, tally)) : counted(content, tally)) {
      this.#append(piece);
    }
    this.#finish({ ...entry, ...tally, stored_bytes: this.#position - begun });
  }

  /** Adds a short text. */
  addText(path: string, text: string): void {
    const bytes = Buffer.from(text);
    this.#addWhole(path, bytes, deflateRawSync(bytes));
  }

  /** Adds a file as it is. @returns False where it cannot be read. */
  addFile(path: string, source: string): boolean {
    let file: number;
    try {
      file = openSync(source, 'r');
    } catch {
      return false;
    }
    try {
      const first = this.#fill(file);
      if (first.length < CHUNK_BYTES) this.#addWhole(path, first, first);
      else this.#addLarge(path, first, file);
      return true;
    } finally {
      closeSync(file);
    }
  }

  /** Ends it; then all of it is on the disk. */
  end(): void {
    this.#packRecords();
    const offset = this.#position;
    for (const piece of this.#list) this.#append(piece);
    this.#append(endRecords({ count: this.#nEntries, bytes: this.#position - offset, offset }));
    this.#flush();
    fsyncSync(this.#file);
  }

  /** To be called once, however it went. */
  close(): void {
    closeSync(this.#file);
  }

  get #position(): number {
    return this.#flushed + this.#nWaiting;
  }

  /** @param packed The same deflated, or as it is; kept where it is shorter. */
  #addWhole(path: string, bytes: Uint8Array, packed: Uint8Array): void {
    const isDeflated = packed.length < bytes.length;
    const stored = isDeflated ? packed : bytes;
    const known = { crc32: crc32(bytes), size_bytes: bytes.length, stored_bytes: stored.length };
    const entry = { path: Buffer.from(path), is_deflated: isDeflated, offset: this.#position, ...known };
    this.#append(localHeader(entry, this.#modified));
    this.#append(stored);
    this.#note(entry);
  }

  #addLarge(path: string, first: Buffer, file: number): void {
    const entry = this.#begin(path, false);
    const tally = { crc32: 0, size_bytes: 0 };
    for (let piece = first; piece.length > 0; piece = this.#fill(file)) {
      count(piece, tally);
      this.#append(piece);
    }
    this.#finish({ ...entry, ...tally, stored_bytes: tally.size_bytes });
  }

  /** Leaves room for the header of an entry whose bytes are not known yet. */
  #begin(path: string, isDeflated: boolean): NewEntry {
    const entry = { path: Buffer.from(path), is_deflated: isDeflated, offset: this.#position };
    this.#append(localHeader({ ...entry, crc32: 0, size_bytes: 0, stored_bytes: 0 }, this.#modified));
    return entry;
  }

  #finish(entry: ZipEntry): void {
    this.#flush();
    this.#writeAt(localHeader(entry, this.#modified), entry.offset);
    this.#note(entry);
  }

  #note(entry: ZipEntry): void {
    const record = centralRecord(entry, this.#modified);
    this.#records.push(record);
    this.#recordBytes += record.length;
    this.#nEntries += 1;
    if (this.#recordBytes >= LIST_PIECE_BYTES) this.#packRecords();
  }

  /** A million small buffers would take several times their bytes. */
  #packRecords(): void {
    this.#list.push(Buffer.concat(this.#records));
    this.#records = [];
    this.#recordBytes = 0;
  }

  /** Up to a chunk of what comes next in a file; overwritten by the next call. */
  #fill(file: number): Buffer {
    let filled = 0;
    while (filled < CHUNK_BYTES) {
      const nRead = readSync(file, this.#read, filled, CHUNK_BYTES - filled, null);
      if (nRead === 0) break;
      filled += nRead;
    }
    return this.#read.subarray(0, filled);
  }

  #append(bytes: Uint8Array): void {
    if (this.#nWaiting + bytes.length > CHUNK_BYTES) this.#flush();
    if (bytes.length >= CHUNK_BYTES) {
      this.#writeAt(bytes, this.#flushed);
      this.#flushed += bytes.length;
      return;
    }
    this.#waiting.set(bytes, this.#nWaiting);
    this.#nWaiting += bytes.length;
  }

  #flush(): void {
    this.#writeAt(this.#waiting.subarray(0, this.#nWaiting), this.#flushed);
    this.#flushed += this.#nWaiting;
    this.#nWaiting = 0;
  }

  #writeAt(bytes: Uint8Array, offset: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, offset + done);
    }
  }
}

interface Tally {
  crc32: number;
  size_bytes: number;
}

function count(bytes: Uint8Array, tally: Tally): void {
  tally.crc32 = crc32(bytes, tally.crc32);
  tally.size_bytes += bytes.length;
}

async function* counted(content: Content, tally: Tally): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    count(bytes, tally);
    yield bytes;
  }
}

function deflated(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const deflate = createDeflateRaw({ chunkSize: LIST_PIECE_BYTES });
  // Whoever reads it meets what fails.
  pipeline(Readable.from(content, { objectMode: false }), deflate, () => undefined);
  return deflate;
}
