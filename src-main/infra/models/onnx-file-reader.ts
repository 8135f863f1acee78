import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import { type MessageCode, message } from '../../contract/messages.ts';

const WINDOW_BYTES = 64 * 1024;
/** Maximum message size in bytes. Names, shapes and entries of external data are short; a longer field means that this is no ONNX file. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** A protobuf field. */
export interface Field {
  number: number;
  /** Value of a varint; 0 for other types. */
  value: number;
  /** Start of the tag, start of the content, and end of both, in the file. */
  from: number;
  start: number;
  end: number;
}

/**
 * Opens a file and reads it with `work`.
 * @throws AppError `invalid_request` when the file is not an ONNX model or is truncated.
 */
export async function readingOnnx<T>(path: string, work: (reader: OnnxFileReader) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await work(new OnnxFileReader(file, size));
  } finally {
    await file.close();
  }
}

/** Reads protobuf messages of a file through a small window. */
export class OnnxFileReader {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #window = Buffer.alloc(WINDOW_BYTES);
  #windowStart = 0;
  #windowLength = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  async *fields(start: number, end: number): AsyncGenerator<Field> {
    for (let at = start; at < end; ) {
      const tag = await this.#varint(at, end);
      const number = Math.floor(tag.value / 8);
      const wireType = tag.value % 8;
      if (number === 0) throw notOnnx('onnx_unknown');
      const content = await this.#content(wireType, tag.next, end);
      yield { number, from: at, ...content };
      at = content.end;
    }
  }

  /** Returns the message in a field of a message. */
  async child(of: Field, number: number): Promise<Field | undefined> {
    for await (const field of this.fields(of.start, of.end)) if (field.number === number) return field;
    return undefined;
  }

  async text(field: Field): Promise<string> {
    if (field.end - field.start > MAX_MESSAGE_BYTES) throw notOnnx('onnx_unknown');
    const from = field.start - this.#windowStart;
    if (from >= 0 && field.end <= this.#windowStart + this.#windowLength) {
      return this.#window.toString('utf8', from, field.end - this.#windowStart);
    }
    const bytes = Buffer.alloc(field.end - field.start);
    await this.#file.read(bytes, 0, bytes.length, field.start);
    return bytes.toString('utf8');
  }

  /** Wire types: 0 varint, 1 eight bytes, 2 length and content, 5 four bytes. */
  async #content(wireType: number, at: number, end: number): Promise<Pick<Field, 'value' | 'start' | 'end'>> {
    if (wireType === 0) {
      const { value, next } = await this.#varint(at, end);
      return { value, start: at, end: next };
    }
    let [start, length] = [at, wireType === 1 ? 8 : 4];
    if (wireType === 2) {
      const stated = await this.#varint(at, end);
      [start, length] = [stated.next, stated.value];
    } else if (wireType !== 1 && wireType !== 5) throw notOnnx('onnx_unknown');
    if (start + length > end) throw notOnnx(end === this.size ? 'onnx_truncated' : 'onnx_damaged');
    return { value: 0, start, end: start + length };
  }

  async #varint(at: number, end: number): Promise<{ value: number; next: number }> {
    let value = 0;
    for (let digit = 0; digit < 10; digit += 1) {
      if (at + digit >= end) throw notOnnx('onnx_truncated');
      const byte = await this.#byte(at + digit);
      value += (byte & 0x7f) * 2 ** (7 * digit);
      if (byte < 0x80) return { value, next: at + digit + 1 };
    }
    throw notOnnx('onnx_unknown');
  }

  async #byte(at: number): Promise<number> {
    if (at < this.#windowStart || at >= this.#windowStart + this.#windowLength) {
      const { bytesRead } = await this.#file.read(this.#window, 0, WINDOW_BYTES, at);
      this.#windowStart = at;
      this.#windowLength = bytesRead;
      if (bytesRead === 0) throw notOnnx('onnx_truncated');
    }
    return this.#window[at - this.#windowStart] ?? 0;
  }
}

/** The error for a file that is not an ONNX model, or not a usable one. */
export function notOnnx(code: Extract<MessageCode, `onnx_${string}`>): AppError {
  return new AppError('invalid_request', message(code));
}
