import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type Content = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A ZIP that is written entry by entry, each streamed; as ZIP64 where it must be. */
export interface ZipOutput {
  /** Adds what is generated. `stored`: it would not get any smaller. */
  add(path: string, content: Content, how?: 'deflated' | 'stored'): Promise<void>;
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
  /** Holds what was read. */
  doFileDataPump?: () => void;
}

/** The state of an entry that is written. */
const WRITTEN = 3;

/**
 * A ZIP of many entries. yazl looks through all that it has for the next one to write, twice for each: the time would grow with their number
 * squared. So those that are written are out of its sight until the end, where it lists all.
 */
class ManyEntriesZip extends ZipFile {
  /** yazl's own. */
  declare entries: Entry[];
  readonly #written: Entry[] = [];

  override addReadStream(...parameters: Parameters<ZipFile['addReadStream']>): void {
    this.#setAside();
    super.addReadStream(...parameters);
  }

  override end(): void {
    this.#setAside();
    this.entries = [...this.#written, ...this.entries];
    super.end();
  }

  #setAside(): void {
    for (let entry = this.entries[0]; entry?.state === WRITTEN; entry = this.entries[0]) {
      delete entry.doFileDataPump;
      this.#written.push(entry);
      this.entries.shift();
    }
  }
}

/** Large chunks: five streams stand between a file and the disk. */
const CHUNK_BYTES = 256 * 1024;

/** Begins a ZIP in the place of whatever file is there. */
export function createZip(file: string): ZipOutput {
  const zip = new ManyEntriesZip();
  const target = createWriteStream(file, { flush: true, highWaterMark: CHUNK_BYTES });
  const written = finished(target);
  /** The one entry that is being read. */
  let reading: Readable | undefined;
  let failure: Error | undefined;
  // Whoever adds or ends meets it.
  const fail = (error: Error) => {
    failure ??= error;
    reading?.destroy(error);
    target.destroy(error);
  };
  zip.on('error', fail);
  written.catch(fail);
  zip.outputStream.pipe(target);

  const pump = async (path: string, source: Readable, isDeflated: boolean) => {
    reading = source;
    try {
      if (failure) throw failure;
      zip.addReadStream(source, path, { compress: isDeflated });
      await finished(source, { writable: false });
    } catch (error) {
      throw failure ?? error;
    } finally {
      reading = undefined;
      source.destroy();
    }
  };

  return {
    add: (path, content, how = 'deflated') =>
      pump(path, Readable.from(content, { objectMode: false }), how === 'deflated'),
    addFile: async (path, source) => {
      const handle = await open(source).catch(() => undefined);
      if (!handle) return false;
      await pump(path, handle.createReadStream({ highWaterMark: CHUNK_BYTES }), false);
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
