import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type Content = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A ZIP that is written entry by entry; as ZIP64 where it must be. Add nothing while an entry is being added. */
export interface ZipOutput {
  /** Adds what is generated, piece by piece. `stored`: it would not get any smaller. */
  add(path: string, content: Content, how?: 'deflated' | 'stored'): Promise<void>;
  /** Adds a few lines as they are: there may be as many as images. */
  addText(path: string, text: string): Promise<void>;
  /** Adds a file as it is. @returns False where it cannot be opened. */
  addFile(path: string, file: string): Promise<boolean>;
  /** Ends it; then all of it is on the disk. */
  end(): Promise<void>;
  /** Gives it up. */
  destroy(): void;
}

/** An entry of yazl's, as far as it matters here. */
interface Entry {
  state: number;
  /** What the end of the ZIP says of it; final once it is written. */
  getCentralDirectoryRecord(): Buffer;
}

/** The state of an entry that is written. */
const WRITTEN = 3;
const CHUNK_BYTES = 256 * 1024;
/** A file of so much is read at once: the streams that others go through take longer than most images. */
const WHOLE_BYTES = 4 * 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/** What the end of a ZIP says of entries that are written, in place of all of them: a tenth of their memory. */
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

  /** A part of all that is said, at each call; it is asked once for each entry, which is more often than there are parts. */
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
 * A ZIP of many entries. yazl looks through all that it has for the next one to write, twice for each: the time would grow with their number
 * squared. So those that are written are out of its sight until the end, where it lists all.
 */
class ManyEntriesZip extends ZipFile {
  /** yazl's own. */
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

/** Begins a ZIP in the place of whatever file is there. */
export function createZip(file: string, createdAt: Date): ZipOutput {
  const zip = new ManyEntriesZip();
  const target = createWriteStream(file, { flush: true, highWaterMark: CHUNK_BYTES });
  const written = finished(target);
  const failed = new AbortController();
  let failure: Error | undefined;
  // Whoever adds or ends meets it.
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
      // What was read of it has passed when yazl takes its last stream off.
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
