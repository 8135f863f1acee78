import { closeSync, fsyncSync, openSync, readFileSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Typed arrays that are stored one after the other in a file, little endian. */
export type FileArray = Int32Array | Uint32Array | Float32Array | Uint8Array;

/** Writes arrays one after the other to a file, atomically. The file is on the disk when the function returns. */
export function writeArrays(file: string, arrays: Iterable<FileArray>): void {
  const partial = `${file}.partial`;
  const target = openSync(partial, 'w');
  try {
    let at = 0;
    for (const array of arrays) {
      writeAll(target, bytesOf(array), at);
      at += array.byteLength;
    }
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  renameSync(partial, file);
}

/** Reads a file into memory that typed arrays can view. */
export function readArrays(file: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  // A large file has its own memory; a small one may be in a shared buffer.
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

/** Reads and writes parts of an open file of arrays. */
export class ArrayFile {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  static use<Value>(path: string, work: (file: ArrayFile) => Value): Value {
    const file = ArrayFile.open(path);
    try {
      return work(file);
    } finally {
      file.close();
    }
  }

  /** Opens a file for readers that yield between reads; other readers call {@link use}. */
  static open(path: string): ArrayFile {
    return new ArrayFile(openSync(path, 'r'));
  }

  /** Creates a temporary file that has no name any more, so that nothing remains of it when the process is killed. */
  static openScratch(path: string): ArrayFile {
    // Other processes may create one at the same path.
    const own = `${path}.${process.pid}`;
    const file = openSync(own, 'w+');
    rmSync(own);
    return new ArrayFile(file);
  }

  write(at: number, array: FileArray): void {
    writeAll(this.#file, bytesOf(array), at);
  }

  /** @throws Error when the file ends before the array is full. */
  read<Into extends FileArray>(at: number, target: Into): Into {
    const bytes = bytesOf(target);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, at + done);
      if (read === 0) throw new Error('the file ends too early');
      done += read;
    }
    return target;
  }

  /** @param at Offset in bytes. */
  readInts(at: number, n: number): Int32Array {
    return this.read(at, new Int32Array(n));
  }

  close(): void {
    closeSync(this.#file);
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

function bytesOf({ buffer, byteOffset, byteLength }: FileArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
