import type { ImageRequest } from '../../core/ports/compute.ts';
import type { AppliedImage } from '../../core/ports/model.ts';
import { DEFAULT_PIXEL_LIMIT, type DecodedImage, decodeImage } from '../images/decode-image.ts';
import type { PixelSize } from '../images/image-input.ts';
import { readStableFile } from '../images/read-file.ts';
import { workingPxFor } from '../images/working-image.ts';
import type { ApplyPayload, ModelUsage } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { runImages } from './image-pipeline.ts';
import { loadModels } from './loaded-models.ts';

/** Handler of `apply_models` jobs: one read and one decode of an image feeds all models. */
export async function applyModels(payload: unknown, context: JobContext): Promise<ModelUsage[]> {
  const { items, models, session } = payload as ApplyPayload;
  const loaded = await loadModels(models, session, context);
  await runImages(items, loaded.batch_size, context, {
    read: async (item) => {
      const { working, width, height } = await readImage(item, loaded.scaleWanted);
      return { width, height, forms: await loaded.prepare(working, { width, height }) };
    },
    finish: async (batch) => {
      const outputs = await loaded.apply(batch.map(({ read }) => read.forms));
      return batch.map(({ item, read }, at): AppliedImage => {
        const { width, height } = read;
        return { key: item.key, ok: true, width, height, outputs: outputs[at] ?? [] };
      });
    },
  });
  return loaded.usage();
}

/** Reads and decodes an image as large as is wanted of it. */
export async function readImage(item: ImageRequest, scaleWanted: (image: PixelSize) => number): Promise<DecodedImage> {
  const content = await readStableFile(item.path);
  return decodeImage(
    content.input,
    {
      pixelLimit: DEFAULT_PIXEL_LIMIT,
      swapRgb: item.swap_rgb === true,
      workingPx: (image) => workingPxFor(image, scaleWanted(image)),
    },
    content.head,
  );
}
