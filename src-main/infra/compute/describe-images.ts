import { AppError } from '../../contract/errors.ts';
import type { ImageResult } from '../../core/ports/compute.ts';
import { DEFAULT_PIXEL_LIMIT } from '../images/decode-image.ts';
import { describeImage } from '../images/describe-image.ts';
import { preparationKey } from '../images/picture-input.ts';
import type { DescribePayload, ModelUsage } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { loadModels } from './loaded-models.ts';
import { runPictures } from './picture-pipeline.ts';

/** Handler of `describe_images` jobs: everything the index needs of each picture, from one read and one decode of it. */
export async function describeImages(payload: unknown, context: JobContext): Promise<ModelUsage[]> {
  const { items, model, session } = payload as DescribePayload;
  const { runner } = model;
  if (runner.kind !== 'image_encoder') {
    throw new AppError('invalid_request', `The model "${model.model_id}" gives no vectors of pictures.`);
  }
  const loaded = await loadModels([model], session, context);
  const key = preparationKey(runner.input);
  await runPictures(items, loaded.batch_size, context, {
    read: (item) =>
      describeImage(item.path, {
        model: runner.input,
        pixelLimit: DEFAULT_PIXEL_LIMIT,
        swapRgb: item.swap_rgb === true,
      }),
    finish: async (batch) => {
      const outputs = await loaded.apply(batch.map(({ read }) => new Map([[key, read.model_input]])));
      return batch.map(({ item, read }, at): ImageResult => {
        const output = outputs[at]?.[0];
        if (output?.kind === 'failed') return { key: item.key, ok: false, kind: 'unreadable', reason: output.reason };
        if (output?.kind !== 'vector') throw new Error('The encoder left out a picture.');
        return {
          key: item.key,
          ok: true,
          width: read.width,
          height: read.height,
          format: read.format,
          pages: read.pages,
          content_hash: read.content_hash,
          size_bytes: read.size_bytes,
          mtime_ms: read.mtime_ms,
          thumbnail: read.thumbnail,
          quality: read.quality,
          exif: read.exif,
          vector: output.vector,
        };
      });
    },
  });
  return loaded.usage();
}
