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

/** Large chunks: five streams stand between a file and the disk. */
const CHUNK_BYTES = 256 * 1024;

/** Begins a ZIP in the place of whatever file is there. */
export function createZip(file: string): ZipOutput {
  const zip = new ZipFile();
  const target = createWriteStream(file, { flush: true, highWaterMark: CHUNK_BYTES });
  const written = finished(target);
  const failed = Promise.race([
    written.then(() => new Promise<never>(() => undefined)),
    new Promise<never>((_resolve, reject) => zip.on('error', reject)),
  ]);
  // Whoever waits for anything meets the failure.
  failed.catch(() => undefined);
  written.catch(() => undefined);
  zip.outputStream.pipe(target);

  const pump = async (path: string, source: Readable, isDeflated: boolean) => {
    const read = finished(source, { writable: false });
    zip.addReadStream(source, path, { compress: isDeflated });
    try {
      await Promise.race([read, failed]);
    } finally {
      source.destroy();
      read.catch(() => undefined);
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
      await Promise.race([written, failed]);
    },
    destroy: () => {
      zip.outputStream.unpipe(target);
      target.destroy();
    },
  };
}
