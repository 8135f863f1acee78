import { type Field, notOnnx, type OnnxFileReader, readingOnnx } from './onnx-file-reader.ts';

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

const MAX_EXTERNAL_FILES = 100;

/**
 * Reads the interface of an ONNX file and checks that it is complete, without loading its weights: lengths of all messages must add up to
 * the size of the file. For messages and field numbers see `tools/graphs/onnx-writer.ts`.
 * @throws AppError `invalid_request` when the file is not an ONNX model or is truncated.
 */
export function readOnnx(path: string): Promise<OnnxSummary> {
  return readingOnnx(path, (reader) => readModel(reader, reader.size));
}

/** ModelProto: ir_version = 1, graph = 7, opset_import = 8. */
async function readModel(reader: OnnxFileReader, size: number): Promise<OnnxSummary> {
  let graph: Field | undefined;
  let hasVersion = false;
  for await (const field of reader.fields(0, size)) {
    if (field.number === 1) hasVersion = field.value > 0;
    if (field.number === 7) graph = field;
  }
  if (!graph || !hasVersion) throw notOnnx('onnx_unknown');
  return readGraph(reader, graph);
}

/** GraphProto: node = 1 → NodeProto { op_type = 4 }, initializer = 5, input = 11, output = 12. Old graphs list their weights among the inputs. */
async function readGraph(reader: OnnxFileReader, graph: Field): Promise<OnnxSummary> {
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
    if (external.size > MAX_EXTERNAL_FILES) throw notOnnx('onnx_weights_in_many_files');
  }
  if (outputs.length === 0) throw notOnnx('onnx_without_outputs');
  return {
    inputs: inputs.filter((port) => !weights.has(port.name)),
    outputs,
    external_files: [...external],
    operators: [...operators],
  };
}

/** TensorProto: name = 8, external_data = 13 → StringStringEntryProto { key = 1, value = 2 }. */
async function readTensor(reader: OnnxFileReader, tensor: Field): Promise<{ name: string; location?: string }> {
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
async function readPort(reader: OnnxFileReader, port: Field): Promise<OnnxPort> {
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
