import { Tensor } from 'onnxruntime-node';
import { formatMessage, type Message, message } from '../../contract/messages.ts';
import type { ImageInput } from '../../contract/schemas/model-definition.ts';
import { type PreparedImage, preparationKey, tensorOf } from '../images/image-input.ts';
import { type ModelSession, openModelSession } from './model-session.ts';
import { PROCESSOR, type SessionSettings } from './session-settings.ts';

/** One output of a graph for one image. */
export interface GraphValue {
  values: Float32Array;
  /** Shape without the batch dimension. */
  dims: readonly number[];
}

export interface GraphRun {
  /** For each image, outputs by name. */
  rows: ReadonlyMap<string, GraphValue>[];
  /** Time inside the session. */
  ms: number;
}

/** A graph that takes images and chooses its own batch size. */
export interface ImageGraph {
  readonly provider: string;
  readonly output_names: readonly string[];
  /** Runs the graph. Models may share a graph: two calls in a row with the same array run it once. */
  run(batch: readonly PreparedImage[]): Promise<GraphRun>;
  release(): Promise<void>;
}

/** Maximum memory in bytes for the activations of one batch. */
const BATCH_BYTES = 96 * 2 ** 20;
/** Activations take about this many times the memory of the input, at their widest. */
const ACTIVATIONS_PER_INPUT = 16;
/** Measured with the built-in descriptor: batches of 4 to 16 images take half the time per image that 1 or 32 take. */
const MAX_BATCH = 8;
/** Devices with thousands of parallel units need larger batches. */
const MAX_DEVICE_BATCH = 32;

/** A graph does not accept the images that its description states. */
export class UnfitGraphError extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(formatMessage(reason));
    this.reason = reason;
  }
}

/** Key of a loaded session: everything that it was opened with. */
export function graphKey(file: string, input: ImageInput, options: SessionSettings): string {
  const arithmetic = [input.name, input.layout, input.channels, input.dtype, input.scale, input.mean, input.std];
  return JSON.stringify([file, preparationKey(input), arithmetic, options]);
}

/** @throws UnfitGraphError, or the runtime's error for a file that is no graph. */
export async function openImageGraph(file: string, input: ImageInput, options: SessionSettings): Promise<ImageGraph> {
  const session = await openModelSession(file, options);
  const inputName = input.name ?? session.inputs[0]?.name ?? '';
  const fixedBatch = checkInput(session, inputName, input);
  let last: { batch: readonly PreparedImage[]; run: Promise<GraphRun> } | undefined;

  const runAll = async (batch: readonly PreparedImage[]): Promise<GraphRun> => {
    const size = fixedBatch ?? batchSize(input, session.provider);
    const rows: GraphRun['rows'] = [];
    let ms = 0;
    for (let first = 0; first < batch.length; first += size) {
      const part = batch.slice(first, first + size);
      const { data, dims } = tensorOf(part, input, fixedBatch ?? part.length);
      const tensor = data instanceof Float32Array ? new Tensor('float32', data, dims) : new Tensor('uint8', data, dims);
      const startedMs = performance.now();
      const outputs = await session.run({ [inputName]: tensor });
      ms += performance.now() - startedMs;
      for (let row = 0; row < part.length; row += 1) rows.push(rowOf(outputs, row));
    }
    return { rows, ms };
  };

  return {
    get provider() {
      return session.provider;
    },
    output_names: session.outputs.map(({ name }) => name),
    run: (batch) => {
      if (last?.batch !== batch) last = { batch, run: runAll(batch) };
      return last.run;
    },
    release: () => session.release(),
  };
}

function batchSize({ width_px, height_px }: ImageInput, provider: string): number {
  const fitting = Math.floor(BATCH_BYTES / (width_px * height_px * 3 * 4 * ACTIVATIONS_PER_INPUT));
  return Math.max(1, Math.min(fitting, provider === PROCESSOR ? MAX_BATCH : MAX_DEVICE_BATCH));
}

/** @returns The fixed batch size of the graph; undefined when any size works. */
function checkInput(session: ModelSession, name: string, input: ImageInput): number | undefined {
  const metadata = session.inputs.find((candidate) => candidate.name === name);
  if (metadata?.isTensor !== true) throw new UnfitGraphError(message('graph_input_missing', { name }));
  if (metadata.type !== input.dtype) {
    throw new UnfitGraphError(message('graph_input_of_other_type', { found: metadata.type, expected: input.dtype }));
  }
  const { width_px, height_px, layout } = input;
  const expected = layout === 'NCHW' ? [3, height_px, width_px] : [height_px, width_px, 3];
  const [batch, ...sides] = metadata.shape;
  const fits = sides.length === 3 && sides.every((side, at) => typeof side === 'string' || side === expected[at]);
  if (!fits) throw new UnfitGraphError(message('graph_input_of_other_shape', { shape: metadata.shape.join(', ') }));
  return typeof batch === 'number' ? batch : undefined;
}

function rowOf(outputs: Awaited<ReturnType<ModelSession['run']>>, row: number): ReadonlyMap<string, GraphValue> {
  const values = new Map<string, GraphValue>();
  for (const [name, output] of Object.entries(outputs)) {
    if (!('dims' in output) || typeof output.data[0] === 'string') continue;
    const dims = output.dims.slice(1);
    const length = dims.reduce((product, dim) => product * dim, 1);
    const part = output.data.slice(row * length, (row + 1) * length) as ArrayLike<number | bigint>;
    values.set(name, { values: part instanceof Float32Array ? part : Float32Array.from(part, Number), dims });
  }
  return values;
}
