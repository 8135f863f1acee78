import { message } from '../../contract/messages.ts';
import type { AppliedCrops } from '../../core/ports/local-jobs.ts';
import { scaleToShow } from '../images/crop-image.ts';
import { ImageProblem } from '../images/image-problem.ts';
import { loadModels } from '../inference/loaded-models.ts';
import { readImage } from './apply-models.ts';
import type { CropsPayload, ModelUsage } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { describeBoxes } from './describe-boxes.ts';
import { runImages } from './image-pipeline.ts';

/** Handler of `apply_to_crops` jobs: one read and one decode of an image serves the thumbnails of all its boxes and all models. */
export async function applyToCrops(payload: unknown, context: JobContext): Promise<ModelUsage[]> {
  const { items, models, session } = payload as CropsPayload;
  const loaded = await loadModels(models, session, context);
  await runImages(items, loaded.batch_size, context, {
    read: async (item) => {
      const scale = () =>
        item.crops.reduce((most, { box }) => Math.max(most, scaleToShow(box), loaded.neededScale(box)), 0);
      const decoded = await readImage(item, scale, context);
      if (decoded.width !== item.width || decoded.height !== item.height) {
        throw new ImageProblem('unreadable', message('image_resized'));
      }
      return decoded;
    },
    heldBytes: ({ working }) => working.data.length,
    finish: async (batch) => {
      const images = batch.map(({ item, read }) => ({ ...read, boxes: item.crops.map(({ box }) => box) }));
      const described = await describeBoxes(images, loaded, context);
      return batch.map(({ item }, at): AppliedCrops => {
        const crops = (described[at] ?? []).map((one, nth) => ({ key: item.crops[nth]?.key ?? -1, ...one }));
        return { key: item.key, ok: true, crops };
      });
    },
  });
  return loaded.usage();
}
