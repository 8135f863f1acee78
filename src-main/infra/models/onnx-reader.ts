import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';

/** An input or output of a graph. `shape`: numbers for fixed dimensions, names or null for others; null when the file states none. */
export interface OnnxPort {
  name: string;
  shape: (number | string | null)[] | null;
}

/** Inputs, outputs and operators of a graph, as its file states them. */
export interface OnnxSummary {
  inputs: OnnxPort[];
  outputs: OnnxPort[];
  /** Files with external weights, as paths relative to the graph's folder. */
  external_files: string[];
  /** Operator types, each once, without those in branches of an `If`. */
  operators: string[];
}

const WINDOW_BYTES = 64 * 1024;
/** Maximum message size in bytes. Names, shapes and entries of external data are short; a longer field means that this is no ONNX file. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_EXTERNAL_FILES = 100;

/** The file does not follow the format. */
class NotOnnxError extends Error {}

interface Field {
  number: number;
  /** Value of a varint; 0 for other types. */
  value: number;
  /** Start and end of the content in the file. */
  start: number;
  end: number;
}

/**
 * Reads the interface of an ONNX file and checks that it is complete, without loading its weights: lengths of all messages must add up to
 * the size of the file. For messages and field numbers see `tools/graphs/onnx-writer.ts`.
 * @throws AppError `invalid_request` when the file is not an ONNX model or is truncated.
 */
export async function readOnnx(path: string): Promise<OnnxSummary> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await readModel(new WindowReader(file, size), size);
  } catch (error) {
    if (error instanceof NotOnnxError) throw new AppError('invalid_request', error.message);
    throw error;
  } finally {
    await file.close();
  }
}

/** ModelProto: ir_version = 1, graph = 7, opset_import = 8. */
async function readModel(reader: WindowReader, size: number): Promise<OnnxSummary> {
  let graph: Field | undefined;
  let hasVersion = false;
  for await (const field of reader.fields(0, size)) {
    if (field.number === 1) hasVersion = field.value > 0;
    if (field.number === 7) graph = field;
  }
  if (!graph || !hasVersion) throw new NotOnnxError('is not an ONNX model');
  return readGraph(reader, graph);
}

/** GraphProto: node = 1 → NodeProto { op_type = 4 }, initializer = 5, input = 11, output = 12. Old graphs list their weights among the inputs. */
async function readGraph(reader: WindowReader, graph: Field): Promise<OnnxSummary> {
  const inputs: OnnxPort[] = [];
  const outputs: OnnxPort[] = [];
  const weights = new Set<string>();
  const external = new Set<string>();
  const operators = new Set<string>();
  for await (const field of reader.fields(graph.start, graph.end)) {
    const operator = field.number === 1 ? await reader.child(field, 4) : undefined;
    if (operator) operators.add(await reader.text(operator));
    if (field.number === 11) inputs.push(await readPort(reader, field));
    if (field.number === 12) outputs.push(await readPort(reader, field));
    if (field.number !== 5) continue;
    const { name, location } = await readTensor(reader, field);
    weights.add(name);
    if (location !== undefined) external.add(location);
    if (external.size > MAX_EXTERNAL_FILES) throw new NotOnnxError('names too many files of weights');
  }
  if (outputs.length === 0) throw new NotOnnxError('is an ONNX model without outputs');
  return {
    inputs: inputs.filter((port) => !weights.has(port.name)),
    outputs,
    external_files: [...external],
    operators: [...operators],
  };
}

/** TensorProto: name = 8, external_data = 13 → StringStringEntryProto { key = 1, value = 2 }. */
async function readTensor(reader: WindowReader, tensor: Field): Promise<{ name: string; location?: string }> {
  let name = '';
  let location: string | undefined;
  for await (const field of reader.fields(tensor.start, tensor.end)) {
    if (field.number === 8) name = await reader.text(field);
    if (field.number !== 13) continue;
    const entry: Record<number, string> = {};
    for await (const part of reader.fields(field.start, field.end)) entry[part.number] = await reader.text(part);
    if (entry[1] === 'location') location = entry[2];
  }
  return location === undefined ? { name } : { name, location };
}

/** ValueInfoProto { name = 1, type = 2 } → TypeProto { tensor_type = 1 } → Tensor { shape = 2 } → Dimension = 1 { value = 1, name = 2 }. */
async function readPort(reader: WindowReader, port: Field): Promise<OnnxPort> {
  let name = '';
  let shape: OnnxPort['shape'] = null;
  for await (const field of reader.fields(port.start, port.end)) {
    if (field.number === 1) name = await reader.text(field);
    const tensor = field.number === 2 ? await reader.child(field, 1) : undefined;
    const dims = tensor && (await reader.child(tensor, 2));
    if (!dims) continue;
    shape = [];
    for await (const dim of reader.fields(dims.start, dims.end)) {
      let size: number | string | null = null;
      for await (const part of reader.fields(dim.start, dim.end)) {
        size = part.number === 1 ? part.value : await reader.text(part);
      }
      shape.push(size);
    }
  }
  return { name, shape };
}

/** Reads protobuf messages of a file through a small window. */
class WindowReader {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #window = Buffer.alloc(WINDOW_BYTES);
  #windowStart = 0;
  #windowLength = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  async *fields(start: number, end: number): AsyncGenerator<Field> {
    for (let at = start; at < end; ) {
      const tag = await this.#varint(at, end);
      const number = Math.floor(tag.value / 8);
      const wireType = tag.value % 8;
      if (number === 0) throw new NotOnnxError('is not an ONNX model');
      const field = await this.#content(number, wireType, tag.next, end);
      yield field;
      at = field.end;
    }
  }

  /** Returns the message in a field of a message. */
  async child(of: Field, number: number): Promise<Field | undefined> {
    for await (const field of this.fields(of.start, of.end)) if (field.number === number) return field;
    return undefined;
  }

  async text(field: Field): Promise<string> {
    if (field.end - field.start > MAX_MESSAGE_BYTES) throw new NotOnnxError('is not an ONNX model');
    const bytes = Buffer.alloc(field.end - field.start);
    await this.#file.read(bytes, 0, bytes.length, field.start);
    return bytes.toString('utf8');
  }

  /** Wire types: 0 varint, 1 eight bytes, 2 length and content, 5 four bytes. */
  async #content(number: number, wireType: number, at: number, end: number): Promise<Field> {
    if (wireType === 0) {
      const { value, next } = await this.#varint(at, end);
      return { number, value, start: at, end: next };
    }
    let [start, length] = [at, wireType === 1 ? 8 : 4];
    if (wireType === 2) {
      const stated = await this.#varint(at, end);
      [start, length] = [stated.next, stated.value];
    } else if (wireType !== 1 && wireType !== 5) throw new NotOnnxError('is not an ONNX model');
    if (start + length > end) throw new NotOnnxError(end === this.#size ? 'is cut off' : 'is damaged');
    return { number, value: 0, start, end: start + length };
  }

  async #varint(at: number, end: number): Promise<{ value: number; next: number }> {
    let value = 0;
    for (let digit = 0; digit < 10; digit += 1) {
      if (at + digit >= end) throw new NotOnnxError('is cut off');
      const byte = await this.#byte(at + digit);
      value += (byte & 0x7f) * 2 ** (7 * digit);
      if (byte < 0x80) return { value, next: at + digit + 1 };
    }
    throw new NotOnnxError('is not an ONNX model');
  }

  async #byte(at: number): Promise<number> {
    if (at < this.#windowStart || at >= this.#windowStart + this.#windowLength) {
      const { bytesRead } = await this.#file.read(this.#window, 0, WINDOW_BYTES, at);
      this.#windowStart = at;
      this.#windowLength = bytesRead;
      if (bytesRead === 0) throw new NotOnnxError('is cut off');
    }
    return this.#window[at - this.#windowStart] ?? 0;
  }
}
