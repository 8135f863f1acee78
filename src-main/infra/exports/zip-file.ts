import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type Content = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A ZIP file that is written entry by entry, as ZIP64 if required. Only one entry may be added at a time. */
export interface ZipOutput {
  /** Adds generated content, chunk by chunk. `stored`: for content that compression would not make smaller. */
  add(path: string, content: Content, how?: 'deflated' | 'stored'): Promise<void>;
  /** Adds a short text uncompressed: an export may have one per image. */
  addText(path: string, text: string): Promise<void>;
  /** Adds a file uncompressed. @returns False when the file cannot be opened. */
  addFile(path: string, file: string): Promise<boolean>;
  /** Finishes the ZIP; all of it is on the disk when the promise resolves. */
  end(): Promise<void>;
  /** Abandons the ZIP. */
  destroy(): void;
}

/** The part of yazl's entry that is used here. */
interface Entry {
  state: number;
  /** The entry's record in the central directory at the end of the ZIP; final once the entry is written. */
  getCentralDirectoryRecord(): Buffer;
}

/** yazl's state of an entry that is written. */
const WRITTEN = 3;
const CHUNK_BYTES = 256 * 1024;
/** Files up to this size are read at once: a stream takes longer to set up than most images take to read. */
const WHOLE_BYTES = 4 * 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/** Central directory records of written entries, which replace the entries: they need a tenth of the memory. */
class WrittenEntries implements Entry {
  readonly state = WRITTEN;
  count = 0;
  readonly #joined: Buffer[] = [];
  #latest: Buffer[] = [];
  #latestBytes = 0;

  add(entry: Entry): void {
    const record = entry.getCentralDirectoryRecord();
    this.#latest.push(record);
    this.#latestBytes += record.length;
    this.count += 1;
    if (this.#latestBytes >= CHUNK_BYTES) this.#join();
  }

  /** Returns one chunk of the records per call. yazl calls it once per entry, and there are fewer chunks than entries. */
  getCentralDirectoryRecord(): Buffer {
    if (this.#latest.length > 0) this.#join();
    return this.#joined.shift() ?? NOTHING;
  }

  #join(): void {
    this.#joined.push(Buffer.concat(this.#latest));
    this.#latest = [];
    this.#latestBytes = 0;
  }
}

/**
 * A ZIP for many entries. For each entry yazl searches all its entries twice for the next one to write, so the time would grow with the
 * square of their number. So written entries are removed from its list until the end, where all are listed.
 */
class ManyEntriesZip extends ZipFile {
  /** yazl's list of entries. */
  declare entries: Entry[];
  declare outputStream: PassThrough;
  readonly #written = new WrittenEntries();

  override addReadStream(...parameters: Parameters<ZipFile['addReadStream']>): void {
    this.#setAside();
    super.addReadStream(...parameters);
  }

  override addBuffer(...parameters: Parameters<ZipFile['addBuffer']>): void {
    this.#setAside();
    super.addBuffer(...parameters);
  }

  override end(): void {
    this.#setAside();
    this.entries = new Array<Entry>(this.#written.count).fill(this.#written).concat(this.entries);
    super.end();
  }

  #setAside(): void {
    for (let entry = this.entries[0]; entry?.state === WRITTEN; entry = this.entries[0]) {
      this.#written.add(entry);
      this.entries.shift();
    }
  }
}

/** Creates a ZIP file and overwrites an existing one. */
export function createZip(file: string, createdAt: Date): ZipOutput {
  const zip = new ManyEntriesZip();
  const target = createWriteStream(file, { flush: true, highWaterMark: CHUNK_BYTES });
  const written = finished(target);
  const failed = new AbortController();
  let failure: Error | undefined;
  // The failure is thrown by the next call that adds or ends.
  const fail = (error: Error) => {
    failure ??= error;
    failed.abort();
    target.destroy(error);
  };
  zip.on('error', fail);
  written.catch(fail);
  zip.outputStream.pipe(target);

  const next = async (event: 'drain' | 'unpipe') => {
    try {
      await once(zip.outputStream, event, { signal: failed.signal });
    } catch (error) {
      throw failure ?? error;
    }
  };
  const put = async (path: string, bytes: Buffer) => {
    if (failure) throw failure;
    zip.addBuffer(bytes, path, { compress: false, mtime: createdAt });
    if (zip.outputStream.writableNeedDrain) await next('drain');
  };
  const pump = async (path: string, source: Readable, isDeflated: boolean) => {
    try {
      if (failure) throw failure;
      // When yazl unpipes its last stream, everything read from the source has been passed on.
      const passed = next('unpipe');
      zip.addReadStream(source, path, { compress: isDeflated, mtime: createdAt });
      await passed;
    } finally {
      source.destroy();
    }
  };

  return {
    add: (path, content, how = 'deflated') =>
      pump(path, Readable.from(content, { objectMode: false }), how === 'deflated'),
    addText: (path, text) => put(path, Buffer.from(text)),
    addFile: async (path, source) => {
      await using handle = await open(source).catch(() => undefined);
      if (!handle) return false;
      const { size } = await handle.stat();
      if (size <= WHOLE_BYTES) await put(path, await handle.readFile());
      else await pump(path, handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false }), false);
      return true;
    },
    end: async () => {
      zip.end();
      await written;
    },
    destroy: () => {
      zip.outputStream.unpipe(target);
      target.destroy();
    },
  };
}
