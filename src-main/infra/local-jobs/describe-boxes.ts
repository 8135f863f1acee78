import { pMapIterable } from 'p-map';
import type { Message } from '../../contract/messages.ts';
import type { PixelBox } from '../../core/ports/image.ts';
import type { DescribedBox, ModelOutput } from '../../core/ports/inference.ts';
import { cropImage } from '../images/crop-image.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { makeThumbnail } from '../images/working-image.ts';
import type { LoadedModels, Preparations } from '../inference/loaded-models.ts';
import type { JobContext } from './child-runtime.ts';
import { reasonOf } from './image-pipeline.ts';

/** A decoded image, its original size, and boxes in pixels of that size. */
export interface BoxedImage {
  working: WorkingImage;
  width: number;
  height: number;
  boxes: readonly PixelBox[];
}

interface Cut {
  of: number;
  box: PixelBox;
  made: { thumbnail: Uint8Array; forms: Preparations } | { reason: Message };
}

/** Number of batches that are cropped while models run on an earlier one. */
const CUT_AHEAD = 2;

/**
 * Makes thumbnails of boxes and applies models to them. Batches are filled with boxes of several images.
 * @returns For each image the results of its boxes, in order.
 */
export async function describeBoxes(
  images: readonly BoxedImage[],
  loaded: LoadedModels,
  context: Pick<JobContext, 'progress'>,
): Promise<DescribedBox[][]> {
  const described: DescribedBox[][] = images.map(() => []);
  const cuts = images.flatMap((image, of) => image.boxes.map((box) => ({ of, image, box })));
  const batches: (typeof cuts)[] = [];
  for (let first = 0; first < cuts.length; first += loaded.batch_size) {
    batches.push(cuts.slice(first, first + loaded.batch_size));
  }
  const cutAll = (batch: typeof cuts) =>
    Promise.all(
      batch.map(async ({ of, image, box }): Promise<Cut> => ({ of, box, made: await cut(image, box, loaded) })),
    );
  for await (const batch of pMapIterable(batches, cutAll, { concurrency: 1, backpressure: CUT_AHEAD })) {
    const outputs = await loaded.apply(batch.flatMap(({ made }) => ('forms' in made ? [made.forms] : [])));
    for (const { of, box, made } of batch) {
      const isCut = 'forms' in made;
      const found = isCut ? (outputs.shift() ?? []).map((output) => onImage(output, box)) : [];
      described[of]?.push(
        isCut ? { ok: true, thumbnail: made.thumbnail, outputs: found } : { ok: false, reason: made.reason },
      );
    }
    context.progress(0);
  }
  return described;
}

async function cut({ working, width, height }: BoxedImage, box: PixelBox, loaded: LoadedModels): Promise<Cut['made']> {
  try {
    const crop = cropImage(working, { width, height }, box);
    const [thumbnail, forms] = await Promise.all([makeThumbnail(crop), loaded.prepare(crop, box)]);
    return { thumbnail, forms };
  } catch (error) {
    return { reason: reasonOf(error).reason };
  }
}

/** Converts objects found within a box to pixels of the whole image. */
function onImage(output: ModelOutput, within: PixelBox): ModelOutput {
  if (output.kind !== 'objects') return output;
  const objects = output.objects.map((object) => ({
    ...object,
    box: { ...object.box, x: object.box.x + within.x, y: object.box.y + within.y },
  }));
  return { kind: 'objects', objects };
}
