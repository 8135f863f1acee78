import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunnerOf } from '../../contract/schemas/model-definition.ts';
import type { FoundLabel } from '../../core/ports/inference.ts';
import { softmax } from './graph-model.ts';
import { openImageEncoder } from './image-encoder.ts';
import type { ImageModel, OpenContext } from './image-model.ts';
import { openWhereItCan } from './model-session.ts';
import { strongestLabels } from './strongest-labels.ts';
import { unitVector } from './unit-vector.ts';
import { warm } from './warm-models.ts';

/** Number of texts that are encoded between two progress reports. */
const TEXTS_AT_ONCE = 64;

/** Vectors of labels, concatenated; a label whose words the encoder does not know has a vector of zeros. */
interface LabelVectors {
  rows: Float32Array[];
  release(): Promise<void>;
}

/**
 * Opens a classifier for any list of labels, which compares the vectors of an image and text encoder (CLIP, arXiv 2103.00020, section 3.1).
 */
export async function openZeroShot(
  folder: string,
  runner: RunnerOf<'zero_shot'>,
  context: OpenContext,
): Promise<ImageModel> {
  const encoder = await openImageEncoder(folder, runner.encoder, context);
  const { labelsOf } = await openWordTagger(folder, runner, context);
  return {
    ...encoder,
    get provider() {
      return encoder.provider;
    },
    apply: async (batch) => {
      const { outputs, ms } = await encoder.apply(batch);
      return {
        ms,
        outputs: outputs.map((output) =>
          output.kind === 'vector' ? { kind: 'labels', labels: labelsOf(output.vector) } : output,
        ),
      };
    },
  };
}

/** Compares vectors of the image encoder with the labels. */
export interface WordTagger {
  labelsOf(vector: Float32Array): FoundLabel[];
}

/** Opens the text side of the classifier: the vectors of its labels. */
export async function openWordTagger(
  folder: string,
  runner: RunnerOf<'zero_shot'>,
  context: OpenContext,
): Promise<WordTagger> {
  const key = JSON.stringify(['labels', folder, runner.encoder.text, runner.labels, runner.templates, context.session]);
  const vectors = await warm(key, () => encodeLabels(folder, runner, context));
  const scale = await logitScaleOf(folder, runner);
  return {
    labelsOf: (vector) => {
      const confidences = softmax(vectors.rows.map((row) => scale * cosine(vector, row)));
      return strongestLabels(runner.labels, confidences, runner);
    },
  };
}

async function logitScaleOf(folder: string, { logit_scale, logit_scale_file }: RunnerOf<'zero_shot'>): Promise<number> {
  if (logit_scale_file === undefined) return logit_scale;
  return z
    .number()
    .positive()
    .parse(JSON.parse(await readFile(join(folder, logit_scale_file), 'utf8')));
}

/** Computes the mean vector over all templates of each label (section 3.1.4), normalised again. */
async function encodeLabels(
  folder: string,
  { encoder, labels, templates }: RunnerOf<'zero_shot'>,
  context: OpenContext,
): Promise<LabelVectors> {
  const { openTextEncoder } = await import('./text-encoder.ts');
  const { opened: texts } = await openWhereItCan(context.session, (settings) =>
    openTextEncoder(folder, encoder.text, settings),
  );
  try {
    const rows: Float32Array[] = [];
    const step = Math.max(1, Math.floor(TEXTS_AT_ONCE / templates.length));
    for (let first = 0; first < labels.length; first += step) {
      const part = labels.slice(first, first + step);
      // A function, because `$&` in a label has a meaning in a replacement string.
      const requested = part.flatMap((label) => templates.map((template) => template.replaceAll('{}', () => label)));
      const vectors = await texts.encode(requested);
      for (const at of part.keys()) {
        const mean = new Float32Array(encoder.dim);
        for (const vector of vectors.slice(at * templates.length, (at + 1) * templates.length)) {
          for (const [place, value] of vector.entries()) mean[place] = (mean[place] ?? 0) + value;
        }
        rows.push(unitVector(mean));
      }
      context.alive();
    }
    return { rows, release: () => Promise.resolve() };
  } finally {
    await texts.release();
  }
}

/** Computes the cosine; minus infinity for a label with a zero vector, so that it is never returned. */
function cosine(image: Float32Array, label: Float32Array): number {
  let [dot, length] = [0, 0];
  for (let at = 0; at < label.length; at += 1) {
    const value = label[at] ?? 0;
    dot += value * (image[at] ?? 0);
    length += value * value;
  }
  return length === 0 ? Number.NEGATIVE_INFINITY : dot;
}
