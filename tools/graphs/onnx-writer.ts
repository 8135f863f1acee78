/**
 * Serialises ONNX graphs without a protobuf dependency, for the product's small graphs.
 *
 * Source: ONNX Intermediate Representation Specification and `onnx.proto` (https://onnx.ai/onnx/repo-docs/IR.html,
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) for messages and field numbers; Protocol Buffers encoding guide
 * (https://protobuf.dev/programming-guides/encoding/) for the wire format.
 */

export type OnnxElementType = 'float32' | 'uint8' | 'int32' | 'int64' | 'bool';

/** A graph input or output. A string in `shape` names a dynamic dimension. */
export interface OnnxValue {
  name: string;
  type: OnnxElementType;
  shape: readonly (number | string)[];
}

/** A constant tensor, row-major. int64 values must be safe integers; bool values are 0 or 1. */
export interface OnnxInitializer {
  name: string;
  type: OnnxElementType;
  dims: readonly number[];
  data: ArrayLike<number>;
}

export type OnnxAttribute =
  | { int: number }
  | { ints: readonly number[] }
  | { float: number }
  | { floats: readonly number[] }
  | { string: string }
  /** A branch of `If`: it has no inputs and may use every name of the surrounding graph. */
  | { graph: OnnxGraph };

/** One operator of the default (`ai.onnx`) domain. An empty string in `inputs` skips an optional input. */
export interface OnnxNode {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, OnnxAttribute>>;
}

export interface OnnxGraph {
  name: string;
  inputs: readonly OnnxValue[];
  outputs: readonly OnnxValue[];
  initializers?: readonly OnnxInitializer[];
  nodes: readonly OnnxNode[];
}

export interface OnnxModel extends OnnxGraph {
  /** Version of the default operator set. */
  opset: number;
  /** Written to `metadata_props` in the given order. */
  metadata?: Readonly<Record<string, string>>;
}

/** IR version 8 is the first that covers operator sets 15 to 17, and every current runtime reads it. */
const IR_VERSION = 8;
const PRODUCER_NAME = 'vitrine';

const ELEMENT_TYPES: Record<OnnxElementType, { code: number; bytes: number }> = {
  float32: { code: 1, bytes: 4 },
  uint8: { code: 2, bytes: 1 },
  int32: { code: 6, bytes: 4 },
  int64: { code: 7, bytes: 8 },
  bool: { code: 9, bytes: 1 },
};

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;
const WIRE_FIXED32 = 5;

/** Appends protobuf fields to a list of chunks and joins them once. */
class MessageWriter {
  readonly #chunks: Uint8Array[] = [];

  /** Appends an integer field; negative values use the ten-byte two's complement form that the encoding guide requires. */
  int(field: number, value: number | bigint): this {
    this.#tag(field, WIRE_VARINT);
    this.#varint(BigInt.asUintN(64, BigInt(value)));
    return this;
  }

  float(field: number, value: number): this {
    this.#tag(field, WIRE_FIXED32);
    const chunk = new Uint8Array(4);
    new DataView(chunk.buffer).setFloat32(0, value, true);
    this.#chunks.push(chunk);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, WIRE_BYTES);
    this.#varint(BigInt(value.length));
    this.#chunks.push(value);
    return this;
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: MessageWriter): this {
    return this.bytes(field, value.finish());
  }

  finish(): Uint8Array {
    const total = this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const joined = new Uint8Array(total);
    let offset = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, offset);
      offset += chunk.length;
    }
    return joined;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(BigInt((field << 3) | wireType));
  }

  #varint(value: bigint): void {
    const digits: number[] = [];
    let rest = value;
    while (rest >= 0x80n) {
      digits.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    digits.push(Number(rest));
    this.#chunks.push(Uint8Array.from(digits));
  }
}

/** `raw_data` of a TensorProto: fixed-width little-endian elements in row-major order. */
function rawTensorData(initializer: OnnxInitializer): Uint8Array {
  const { name, type, dims, data } = initializer;
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (count !== data.length) {
    throw new RangeError(`initializer ${name} has ${data.length} values, its dims say ${count}`);
  }
  const width = ELEMENT_TYPES[type].bytes;
  const raw = new Uint8Array(count * width);
  const view = new DataView(raw.buffer);
  for (let index = 0; index < count; index += 1) {
    const value = data[index] ?? 0;
    const offset = index * width;
    if (type === 'float32') view.setFloat32(offset, value, true);
    else if (type === 'int64') view.setBigInt64(offset, BigInt(value), true);
    else if (type === 'int32') view.setInt32(offset, value, true);
    else view.setUint8(offset, value);
  }
  return raw;
}

/** TensorProto: dims = 1, data_type = 2, name = 8, raw_data = 9. */
function tensorMessage(initializer: OnnxInitializer): MessageWriter {
  const message = new MessageWriter();
  for (const dim of initializer.dims) message.int(1, dim);
  return message
    .int(2, ELEMENT_TYPES[initializer.type].code)
    .string(8, initializer.name)
    .bytes(9, rawTensorData(initializer));
}

/** ValueInfoProto { name = 1, type = 2 } → TypeProto { tensor_type = 1 } → Tensor { elem_type = 1, shape = 2 }. */
function valueMessage(value: OnnxValue): MessageWriter {
  const shape = new MessageWriter();
  for (const dim of value.shape) {
    const dimension = new MessageWriter();
    if (typeof dim === 'number') dimension.int(1, dim);
    else dimension.string(2, dim);
    shape.message(1, dimension);
  }
  const tensorType = new MessageWriter().int(1, ELEMENT_TYPES[value.type].code).message(2, shape);
  return new MessageWriter().string(1, value.name).message(2, new MessageWriter().message(1, tensorType));
}

/** AttributeProto: name = 1, f = 2, i = 3, s = 4, g = 6, floats = 7, ints = 8, type = 20. */
function attributeMessage(name: string, attribute: OnnxAttribute): MessageWriter {
  const message = new MessageWriter().string(1, name);
  if ('float' in attribute) return message.float(2, attribute.float).int(20, 1);
  if ('int' in attribute) return message.int(3, attribute.int).int(20, 2);
  if ('string' in attribute) return message.string(4, attribute.string).int(20, 3);
  if ('graph' in attribute) return message.message(6, graphMessage(attribute.graph)).int(20, 5);
  if ('floats' in attribute) {
    for (const value of attribute.floats) message.float(7, value);
    return message.int(20, 6);
  }
  for (const value of attribute.ints) message.int(8, value);
  return message.int(20, 7);
}

/** NodeProto: input = 1, output = 2, name = 3, op_type = 4, attribute = 5. */
function nodeMessage(node: OnnxNode, index: number): MessageWriter {
  const message = new MessageWriter();
  for (const input of node.inputs) message.string(1, input);
  for (const output of node.outputs) message.string(2, output);
  message.string(3, `${node.op}_${index}`).string(4, node.op);
  for (const [name, attribute] of Object.entries(node.attributes ?? {})) {
    message.message(5, attributeMessage(name, attribute));
  }
  return message;
}

/** GraphProto: node = 1, name = 2, initializer = 5, input = 11, output = 12. */
function graphMessage(graph: OnnxGraph): MessageWriter {
  const message = new MessageWriter();
  graph.nodes.forEach((node, index) => {
    message.message(1, nodeMessage(node, index));
  });
  message.string(2, graph.name);
  for (const initializer of graph.initializers ?? []) message.message(5, tensorMessage(initializer));
  for (const input of graph.inputs) message.message(11, valueMessage(input));
  for (const output of graph.outputs) message.message(12, valueMessage(output));
  return message;
}

/**
 * Returns the bytes of a ModelProto for the given graph. The same description always gives the same bytes. Nodes must be in topological
 * order, as the IR requires.
 * @throws RangeError when an initializer's data does not match its dims; everything else is checked by the runtime that loads the model.
 */
export function buildOnnxModel(model: OnnxModel): Uint8Array {
  // ModelProto: ir_version = 1, producer_name = 2, graph = 7, opset_import = 8, metadata_props = 14.
  const message = new MessageWriter()
    .int(1, IR_VERSION)
    .string(2, PRODUCER_NAME)
    .message(7, graphMessage(model))
    .message(8, new MessageWriter().string(1, '').int(2, model.opset));
  for (const [key, value] of Object.entries(model.metadata ?? {})) {
    message.message(14, new MessageWriter().string(1, key).string(2, value));
  }
  return message.finish();
}
