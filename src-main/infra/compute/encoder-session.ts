import { InferenceSession, Tensor } from 'onnxruntime-node';
import { AppError } from '../../contract/errors.ts';
import type { EncoderSpec } from '../../core/compute.port.ts';

export interface EncoderSession {
  /**
   * Vectors of pictures, L2-normalised, in order, each in memory of its own.
   *
   * @param inputs RGB bytes, `input_px` × `input_px` × 3 each.
   */
  encode(inputs: readonly Uint8Array[]): Promise<Float32Array[]>;
}

/** Loaded models a process keeps; two datasets may be indexed side by side with different ones. */
const MAX_SESSIONS = 2;

const sessions = new Map<string, Promise<InferenceSession>>();

/** The session of an encoder; callers share one a model file. @throws AppError `unavailable` when the model cannot be loaded. */
export async function openEncoder(encoder: EncoderSpec): Promise<EncoderSession> {
  const session = await sessionOf(encoder.model_file);
  return { encode: (inputs) => encode(session, encoder, inputs) };
}

async function sessionOf(model_file: string): Promise<InferenceSession> {
  const known = sessions.get(model_file);
  if (known !== undefined) return known;
  for (const [oldest, session] of sessions) {
    if (sessions.size < MAX_SESSIONS) break;
    sessions.delete(oldest);
    await (await session).release();
  }
  const opening = InferenceSession.create(model_file, {
    // Parallel work is spread over processes; threads within would only fight for the same cores.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  });
  sessions.set(model_file, opening);
  try {
    return await opening;
  } catch (error) {
    sessions.delete(model_file);
    process.stderr.write(`${String(error)}\n`);
    throw new AppError('unavailable', 'The image model cannot be loaded.');
  }
}

async function encode(
  session: InferenceSession,
  encoder: EncoderSpec,
  inputs: readonly Uint8Array[],
): Promise<Float32Array[]> {
  const { input_px, dim } = encoder;
  const input_bytes = input_px * input_px * 3;
  const pixels = new Uint8Array(inputs.length * input_bytes);
  for (const [row, input] of inputs.entries()) pixels.set(input, row * input_bytes);
  const [input_name = '', output_name = ''] = [session.inputNames[0], session.outputNames[0]];
  const feeds = { [input_name]: new Tensor('uint8', pixels, [inputs.length, input_px, input_px, 3]) };
  const output = (await session.run(feeds))[output_name]?.data;
  if (!(output instanceof Float32Array) || output.length !== inputs.length * dim) {
    throw new AppError('unavailable', 'The image model gives vectors of another kind than it should.');
  }
  return inputs.map((_, row) => normalised(output.slice(row * dim, (row + 1) * dim)));
}

/** Scales a vector to length 1 in place; one without direction is left as it is. */
function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 1;
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) * scale;
  return vector;
}
