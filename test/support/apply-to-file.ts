import { readFile } from 'node:fs/promises';
import type { ModelOutput } from '../../src-main/core/ports/inference.ts';
import { DEFAULT_PIXEL_LIMIT, decodeImage } from '../../src-main/infra/images/decode-image.ts';
import type { PixelSize } from '../../src-main/infra/images/image-input.ts';
import { workingPxFor } from '../../src-main/infra/images/working-image.ts';
import type { ImageModel } from '../../src-main/infra/inference/image-model.ts';

/** Applies a model to a file in this process, as the app does, and returns the output with the size of the image. */
export async function applyToFile(model: ImageModel, path: string): Promise<{ output: ModelOutput; size: PixelSize }> {
  const decoded = await decodeImage(await readFile(path), {
    pixelLimit: DEFAULT_PIXEL_LIMIT,
    workingPx: (image) => workingPxFor(image, model.neededScale(image)),
  });
  const [output] = (await model.apply([await model.prepare(decoded.working, decoded)])).outputs;
  if (output === undefined) throw new Error(`no output for ${path}`);
  return { output, size: decoded };
}
