import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const CHUNK_BYTES = 64 * 1024;

type Done = (error: Error | null, nBytes?: number) => void;

/**
 * Reads a file for the zip library, and closes it when the library releases it. The library's own reader throws out of a callback, which
 * ends the process, when a crafted archive requests impossible offsets; this reader reports them as an ordinary error.
 */
export class ZipFileReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #sizeBytes: number;

  constructor(file: FileHandle, sizeBytes: number) {
    super();
    this.#file = file;
    this.#sizeBytes = sizeBytes;
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: Done): void {
    if (!(position >= 0 && position + length <= this.#sizeBytes)) {
      setImmediate(done, new Error('unexpected EOF'));
      return;
    }
    this.#file.read(buffer, offset, length, position).then(
      ({ bytesRead }) => setImmediate(done, null, bytesRead),
      (error: Error) => setImmediate(done, error),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false });
  }

  override close(done: Done): void {
    this.#file.close().then(
      () => done(null),
      (error: Error) => setImmediate(done, error),
    );
  }

  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; ) {
      const length = Math.min(CHUNK_BYTES, end - position);
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, position);
      if (bytesRead === 0) throw new Error('unexpected EOF');
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}
