import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { type Field, type OnnxFileReader, readingOnnx } from './onnx-file-reader.ts';

/** A range of bytes of the file. */
interface Range {
  from: number;
  end: number;
}

/** A part of a graph with the names of tensors that it defines. */
interface Part extends Range {
  names: readonly string[];
  /** Node: tensors that it reads, those of its branches included. */
  reads: readonly string[];
}

interface GraphParts {
  nodes: Part[];
  /** Weights, inputs, outputs and descriptions of tensors, each with one name. */
  outputs: Part[];
  named: Part[];
  /** Everything else, such as the name of the graph. */
  others: Range[];
}

const COPY_BYTES = 1024 * 1024;
/** ModelProto: graph = 7. */
const GRAPH = 7;
const GRAPH_TAG = GRAPH * 8 + 2;

/**
 * Writes the part of a graph that computes some of its outputs: the nodes that are reached from the outputs against the direction of the edges,
 * and the weights and inputs that these nodes read. All bytes are copied unchanged, so the results equal those of the whole graph. Weights in
 * external files stay there, so `to` must be in the folder of `from`.
 *
 * Memory does not grow with the weights. For messages and field numbers see `tools/graphs/onnx-writer.ts`.
 * @throws AppError `invalid_request` when the file is not an ONNX model, or has no such output.
 */
export async function cutOnnx(from: string, to: string, outputs: readonly string[]): Promise<void> {
  const { before, graph, after } = await readingOnnx(from, async (reader) => {
    const model: Field[] = [];
    for await (const field of reader.fields(0, reader.size)) model.push(field);
    const at = model.findIndex(({ number }) => number === GRAPH);
    const found = model[at];
    if (!found) throw new AppError('invalid_request', message('onnx_unknown'));
    const parts = keptParts(await readParts(reader, found), outputs);
    return { before: model.slice(0, at), graph: parts, after: model.slice(at + 1) };
  });
  const size = graph.reduce((sum, { from, end }) => sum + end - from, 0);
  const source = await open(from);
  try {
    const target = await open(to, 'w');
    try {
      await copyRanges(source, target, before);
      await target.appendFile(Uint8Array.from([GRAPH_TAG, ...varint(size)]));
      await copyRanges(source, target, graph);
      await copyRanges(source, target, after);
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** GraphProto: node = 1, initializer = 5, input = 11, output = 12, value_info = 13. */
async function readParts(reader: OnnxFileReader, graph: Field): Promise<GraphParts> {
  const parts: GraphParts = { nodes: [], outputs: [], named: [], others: [] };
  for await (const field of reader.fields(graph.start, graph.end)) {
    const { from, end } = field;
    if (field.number === 1) parts.nodes.push({ from, end, ...(await readNode(reader, field)) });
    else if (field.number === 5) parts.named.push({ from, end, names: await textsOf(reader, field, 8), reads: [] });
    else if (field.number === 12) parts.outputs.push({ from, end, names: await textsOf(reader, field, 1), reads: [] });
    else if (field.number === 11 || field.number === 13) {
      parts.named.push({ from, end, names: await textsOf(reader, field, 1), reads: [] });
    } else parts.others.push({ from, end });
  }
  return parts;
}

/** NodeProto: input = 1, output = 2, attribute = 5 → AttributeProto: g = 6, graphs = 11. */
async function readNode(reader: OnnxFileReader, node: Field): Promise<Pick<Part, 'names' | 'reads'>> {
  const names: string[] = [];
  const reads: string[] = [];
  for await (const field of reader.fields(node.start, node.end)) {
    if (field.number === 1) reads.push(await reader.text(field));
    if (field.number === 2) names.push(await reader.text(field));
    if (field.number !== 5) continue;
    for await (const value of reader.fields(field.start, field.end)) {
      if (value.number !== 6 && value.number !== 11) continue;
      // A branch reads tensors of the surrounding graph by name.
      const branch = await readParts(reader, value);
      for (const part of branch.nodes) reads.push(...part.reads);
      for (const part of branch.outputs) reads.push(...part.names);
    }
  }
  return { names, reads };
}

async function textsOf(reader: OnnxFileReader, field: Field, number: number): Promise<string[]> {
  const found = await reader.child(field, number);
  return found ? [await reader.text(found)] : [];
}

/** The parts that the outputs need, in the order of the file. @throws AppError `invalid_request` for an unknown output. */
function keptParts({ nodes, outputs, named, others }: GraphParts, requested: readonly string[]): Range[] {
  const unknown = requested.find((name) => !outputs.some(({ names }) => names.includes(name)));
  if (unknown !== undefined) throw new AppError('invalid_request', message('graph_lacks_output', { name: unknown }));
  const makers = new Map(nodes.flatMap((node) => node.names.map((name) => [name, node] as const)));
  const needed = new Set(requested);
  const kept = new Set<Part>();
  for (const name of needed) {
    const node = makers.get(name);
    if (!node || kept.has(node)) continue;
    kept.add(node);
    // A set visits names that are added while it is iterated.
    for (const read of node.reads) needed.add(read);
  }
  const ranges = [
    ...kept,
    ...named.filter(({ names }) => names.some((name) => needed.has(name))),
    ...outputs.filter(({ names }) => names.some((name) => requested.includes(name))),
    ...others,
  ];
  return ranges.sort((a, b) => a.from - b.from);
}

async function copyRanges(source: FileHandle, target: FileHandle, ranges: readonly Range[]): Promise<void> {
  const buffer = Buffer.alloc(COPY_BYTES);
  for (const { from, end } of joined(ranges)) {
    for (let at = from; at < end; ) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(COPY_BYTES, end - at), at);
      if (bytesRead === 0) throw new AppError('invalid_request', message('onnx_truncated'));
      await target.appendFile(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }
}

/** Joins ranges that follow each other. */
function joined(ranges: readonly Range[]): Range[] {
  const found: Range[] = [];
  for (const { from, end } of ranges) {
    const last = found.at(-1);
    if (last?.end === from) last.end = end;
    else found.push({ from, end });
  }
  return found;
}

function varint(value: number): number[] {
  const digits: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) digits.push((rest % 0x80) + 0x80);
  return [...digits, rest];
}
