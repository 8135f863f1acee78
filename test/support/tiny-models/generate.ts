import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tinyDetector } from './detector.ts';
import { tinyClip, tinySentenceEncoder, tinySiglip2 } from './encoders.ts';
import { tinyFlorence2 } from './florence2.ts';
import { colourClip, jointClip } from './joint-clip.ts';
import type { ModelFolder } from './model-folder.ts';
import { tinySmolVlm } from './smolvlm.ts';
import { tinyVisionEncoderDecoder } from './vision-encoder-decoder.ts';

/**
 * Models of a few thousand random weights in the file layout that transformers.js loads: graphs, tokenizers and configurations of each
 * architecture that the product runs. Loading, tokenising, batching and decoding can thus be tested without trained weights.
 *
 *     node test/support/tiny-models/generate.ts FOLDER
 */
export const TINY_MODELS = {
  clip: () => tinyClip(1),
  'joint-clip': () => jointClip(3),
  'colour-clip': () => colourClip(),
  siglip2: () => tinySiglip2(11),
  'vit-gpt2': () => tinyVisionEncoderDecoder(20),
  florence2: () => tinyFlorence2(22),
  smolvlm: () => tinySmolVlm(20),
  'sentence-encoder': () => tinySentenceEncoder(51),
  detector: () => tinyDetector(61),
} satisfies Record<string, () => ModelFolder>;

export type TinyModel = keyof typeof TINY_MODELS;

/** Writes a model into `folder/<name>` and returns that path. The bytes are the same each time. */
export function writeTinyModel(folder: string, name: TinyModel): string {
  const target = join(folder, name);
  for (const [path, content] of Object.entries(TINY_MODELS[name]())) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content instanceof Uint8Array ? content : `${JSON.stringify(content, null, 1)}\n`);
  }
  return target;
}

if (import.meta.main) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('usage: node generate.ts FOLDER');
  for (const name of Object.keys(TINY_MODELS) as TinyModel[]) writeTinyModel(resolve(folder), name);
}
