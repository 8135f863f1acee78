import type { CropsRequest } from '../../core/ports/compute.ts';
import type { PixelBox } from '../../core/ports/image.ts';
import type { AppliedCrops, ModelOutput } from '../../core/ports/model.ts';
import { cropImage, scaleToShow } from '../images/crop-image.ts';
import { ImageProblem } from '../images/image-problem.ts';
import { makeThumbnail } from '../images/working-image.ts';
import { readImage } from './apply-models.ts';
import type { CropsPayload, ModelUsage } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { runImages } from './image-pipeline.ts';
import { type LoadedModels, loadModels, type Preparations } from './loaded-models.ts';

interface CutBox {
  key: number;
  box: PixelBox;
  thumbnail: Uint8Array;
  forms: Preparations;
}

/**
 * Handler of `apply_to_crops` jobs: one read and one decode of an image gives the thumbnails of all its boxes and feeds all models. Boxes
 * of one image make a batch.
 */
export async function applyToCrops(payload: unknown, context: JobContext): Promise<ModelUsage[]> {
  const { items, models, session } = payload as CropsPayload;
  const loaded = await loadModels(models, session, context);
  await runImages(items, 1, context, {
    read: (item) => cutBoxes(item, loaded),
    finish: (batch) =>
      Promise.all(
        batch.map(async ({ item, read }): Promise<AppliedCrops> => {
          const outputs = await applyInBatches(read, loaded);
          const crops = read.map(({ key, box, thumbnail }, at) => ({
            key,
            thumbnail,
            outputs: (outputs[at] ?? []).map((output) => onImage(output, box)),
          }));
          return { key: item.key, ok: true, crops };
        }),
      ),
  });
  return loaded.usage();
}

async function cutBoxes(item: CropsRequest, loaded: LoadedModels): Promise<CutBox[]> {
  const { working, width, height } = await readImage(item, () =>
    item.crops.reduce((most, { box }) => Math.max(most, scaleToShow(box), loaded.scaleWanted(box)), 0),
  );
  if (width !== item.width || height !== item.height) {
    throw new ImageProblem('unreadable', 'The image has another size than when it was read.');
  }
  const boxes: CutBox[] = [];
  for (const { key, box } of item.crops) {
    const crop = cropImage(working, item, box);
    boxes.push({ key, box, thumbnail: await makeThumbnail(crop), forms: await loaded.prepare(crop, box) });
  }
  return boxes;
}

async function applyInBatches(boxes: readonly CutBox[], loaded: LoadedModels): Promise<ModelOutput[][]> {
  const outputs: ModelOutput[][] = [];
  for (let first = 0; first < boxes.length; first += loaded.batch_size) {
    const batch = boxes.slice(first, first + loaded.batch_size);
    outputs.push(...(await loaded.apply(batch.map(({ forms }) => forms))));
  }
  return outputs;
}

/** What was found within a box, in pixels of the whole image. */
function onImage(output: ModelOutput, within: PixelBox): ModelOutput {
  if (output.kind !== 'objects') return output;
  const objects = output.objects.map((object) => ({
    ...object,
    box: { ...object.box, x: object.box.x + within.x, y: object.box.y + within.y },
  }));
  return { kind: 'objects', objects };
}
