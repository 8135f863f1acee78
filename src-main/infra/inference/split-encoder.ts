import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tensor } from 'onnxruntime-node';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { SplitRequest } from '../../core/ports/local-jobs.ts';
import type { JobContext } from '../local-jobs/child-runtime.ts';
import { cutOnnx } from '../models/cut-onnx.ts';
import { openModelSession } from './model-session.ts';
import { PROCESSOR } from './session-settings.ts';
import { unitVector } from './unit-vector.ts';

const [IMAGES, TEXTS, LOGITS] = ['image_embeds', 'text_embeds', 'logits_per_image'] as const;
/**
 * Number of images, which is that of texts, and of tokens per text of the trial. Token numbers are low, so that every vocabulary has them. Some
 * graphs have one name for both numbers and then fail when these differ.
 */
const TRIAL = { rows: 4, tokens: 6 };
const MAX_DIFFERENCE = 1e-3;

type Feeds = Record<string, Tensor>;
type Rows = { values: Float32Array; dims: readonly number[] };

/**
 * Handler of `split_encoder` jobs: cuts a graph with both encoders of CLIP into one for images and one for texts, runs all three on the same
 * random input, and writes the factor by which the joint graph multiplies cosines.
 * @throws AppError `unavailable` when the graph is not of this layout, or its parts give other vectors than the whole.
 */
export async function splitEncoder(payload: unknown, context: JobContext): Promise<void> {
  await context.started(0);
  try {
    await split(payload as SplitRequest, context);
  } catch (error) {
    if (isDiskFull(error) || (error instanceof AppError && error.code === 'unavailable')) throw error;
    // The message of ONNX Runtime contains paths; it goes to the log.
    process.stderr.write(`${String(error)}\n`);
    const problem = error instanceof AppError ? error.reason : message('joint_encoder_not_run');
    throw new AppError('unavailable', message('joint_encoder_unusable', { problem }));
  }
}

async function split({ folder, joint, width_px, height_px }: SplitRequest, { progress }: JobContext): Promise<void> {
  const fileOf = (path: string) => join(folder, path);
  await cutOnnx(fileOf(joint.file), fileOf(joint.image_file), [IMAGES]);
  await cutOnnx(fileOf(joint.file), fileOf(joint.text_file), [TEXTS]);
  progress(0.3);
  const feeds = trialFeeds(width_px, height_px);
  const whole = await runOnce(fileOf(joint.file), feeds, [IMAGES, TEXTS, LOGITS]);
  progress(0.6);
  const images = await runOnce(fileOf(joint.image_file), feeds, [IMAGES]);
  const texts = await runOnce(fileOf(joint.text_file), feeds, [TEXTS]);
  if (differs(whole.get(IMAGES), images.get(IMAGES)) || differs(whole.get(TEXTS), texts.get(TEXTS))) {
    throw new AppError('unavailable', message('joint_encoder_parts_differ'));
  }
  await writeFile(fileOf(joint.logit_scale_file), JSON.stringify(logitScale(whole)));
}

async function runOnce(file: string, feeds: Feeds, outputs: readonly string[]): Promise<ReadonlyMap<string, Rows>> {
  const session = await openModelSession(file, { executionProviders: [PROCESSOR], threads: 1 });
  try {
    const given = session.inputs.map(({ name }): [string, Tensor] => {
      const value = feeds[name];
      if (!value) throw new AppError('unavailable', message('joint_encoder_input_unknown', { name }));
      return [name, value];
    });
    const results = await session.run(Object.fromEntries(given));
    return new Map(
      outputs.map((name) => {
        const result = results[name];
        if (!result || !('dims' in result) || !(result.data instanceof Float32Array)) {
          throw new AppError('unavailable', message('joint_encoder_output_missing', { name }));
        }
        return [name, { values: result.data, dims: result.dims }];
      }),
    );
  } finally {
    await session.release();
  }
}

/** Images of smooth waves, and texts whose tokens differ. */
function trialFeeds(widthPx: number, heightPx: number): Feeds {
  const { rows, tokens } = TRIAL;
  const pixels = Float32Array.from(
    { length: rows * 3 * widthPx * heightPx },
    (_, at) => Math.sin(at / 97) + Math.cos(at / 13),
  );
  const ids = BigInt64Array.from({ length: rows * tokens }, (_, at) => BigInt(1 + ((at * 7) % 61)));
  return {
    pixel_values: new Tensor('float32', pixels, [rows, 3, heightPx, widthPx]),
    input_ids: new Tensor('int64', ids, [rows, tokens]),
    attention_mask: new Tensor('int64', new BigInt64Array(rows * tokens).fill(1n), [rows, tokens]),
  };
}

function differs(a: Rows | undefined, b: Rows | undefined): boolean {
  if (!a || !b || a.values.length !== b.values.length) return true;
  return a.values.some((value, at) => !(Math.abs(value - (b.values[at] ?? Number.NaN)) <= MAX_DIFFERENCE));
}

/** The factor between cosines and logits, by least squares over all pairs of the trial. */
function logitScale(outputs: ReadonlyMap<string, Rows>): number {
  const images = directionsOf(outputs.get(IMAGES));
  const texts = directionsOf(outputs.get(TEXTS));
  const logits = outputs.get(LOGITS)?.values ?? new Float32Array();
  let [products, squares] = [0, 0];
  for (const [row, image] of images.entries()) {
    for (const [column, text] of texts.entries()) {
      const cosine = image.reduce((sum, value, at) => sum + value * (text[at] ?? 0), 0);
      products += cosine * (logits[row * texts.length + column] ?? 0);
      squares += cosine * cosine;
    }
  }
  const scale = products / squares;
  if (Number.isFinite(scale) && scale > 0) return scale;
  throw new AppError('unavailable', message('joint_encoder_scale_missing'));
}

function directionsOf(rows: Rows | undefined): Float32Array[] {
  const { values, dims } = rows ?? { values: new Float32Array(), dims: [0] };
  const [count = 0] = dims;
  const dim = values.length / Math.max(1, count);
  return Array.from({ length: count }, (_, row) => unitVector(values.slice(row * dim, (row + 1) * dim)));
}
