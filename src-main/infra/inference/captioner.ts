import { resolve } from 'node:path';
import type { RunnerOf } from '../../contract/schemas/model-definition.ts';
import { CAPTIONER_ARCHITECTURES, type LoadOptions } from './captioner-architectures.ts';
import { LOCAL_FILES, localTransformers } from './local-transformers.ts';
import { requireModelJson } from './model-parts.ts';
import { type SessionSettings, sessionOptions } from './session-settings.ts';
import { smoothImages } from './smooth-image.ts';

/** An image in memory: RGB, 8 bits, interleaved, rows top to bottom. */
export interface RgbImage {
  data: Buffer;
  width: number;
  height: number;
}

export interface Captioner {
  /** One line of text per image, in order. */
  caption(images: readonly RgbImage[]): Promise<string[]>;
  release(): Promise<void>;
}

/**
 * A model that describes images.
 *
 * @param folder In the layout of transformers.js: configurations beside a folder `onnx` of graphs.
 * @throws AppError `unavailable` when a file is missing or cannot be used.
 */
export async function openCaptioner(
  folder: string,
  runner: RunnerOf<'captioner'>,
  session: SessionSettings,
): Promise<Captioner> {
  const at = resolve(folder);
  await requireModelJson(at, ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']);
  const library = await localTransformers();
  const { model, batch_images, describe } = await CAPTIONER_ARCHITECTURES[runner.architecture](library, at, runner, {
    ...LOCAL_FILES,
    dtype: runner.dtype as LoadOptions['dtype'],
    session_options: sessionOptions(session),
  });
  const Image = smoothImages(library);
  return {
    caption: async (images) => {
      const captions: string[] = [];
      for (let from = 0; from < images.length; from += batch_images) {
        const batch = images.slice(from, from + batch_images);
        const raw = batch.map(({ data, width, height }) => new Image(data, width, height, 3));
        captions.push(...(await describe(raw)).map(oneLine));
      }
      return captions;
    },
    release: async () => {
      await model.dispose();
    },
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
