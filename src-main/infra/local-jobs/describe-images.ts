import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ImageResult } from '../../core/ports/local-jobs.ts';
import { DEFAULT_PIXEL_LIMIT } from '../images/decode-image.ts';
import { describeImage } from '../images/describe-image.ts';
import { loadModels } from '../inference/loaded-models.ts';
import type { DescribePayload, ModelUsage } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { runImages } from './image-pipeline.ts';

/** Handler of `describe_images` jobs: metadata, thumbnail, statistics and vectors of each image, from one read and one decode. */
export async function describeImages(payload: unknown, context: JobContext): Promise<ModelUsage[]> {
  const { items, looks, meaning, session } = payload as DescribePayload;
  const encoders = meaning ? [looks, meaning] : [looks];
  for (const { model_id, runner } of encoders) {
    if (runner.kind === 'image_encoder') continue;
    throw new AppError('invalid_request', message('model_without_vectors', { model: model_id }));
  }
  const loaded = await loadModels(encoders, session, context);
  await runImages(items, loaded.batch_size, context, {
    read: (item) =>
      describeImage(item.path, {
        neededScale: loaded.neededScale,
        prepare: loaded.prepare,
        pixelLimit: DEFAULT_PIXEL_LIMIT,
        swapRgb: item.swap_rgb === true,
        borrow: context.borrow,
      }),
    finish: async (batch) => {
      const outputs = await loaded.apply(batch.map(({ read }) => read.model_input));
      return batch.map(({ item, read }, at): ImageResult => {
        const [ofLooks, ofMeaning] = outputs[at] ?? [];
        if (ofLooks?.kind === 'failed') return { key: item.key, ok: false, kind: 'unreadable', reason: ofLooks.reason };
        if (ofLooks?.kind !== 'vector') throw new Error('The encoder left out an image.');
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
          vectors: {
            looks: ofLooks.vector,
            ...(ofMeaning?.kind === 'vector' ? { meaning: ofMeaning.vector } : {}),
          },
          ...(meaning && ofMeaning?.kind === 'failed'
            ? { failure: { model_id: meaning.model_id, reason: ofMeaning.reason } }
            : {}),
        };
      });
    },
  });
  return loaded.usage();
}
