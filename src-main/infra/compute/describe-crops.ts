import type { CropsRequest, DescribedCrops } from '../../core/compute.port.ts';
import { cropImage, workingSizeFor } from '../images/crop-image.ts';
import { DEFAULT_PIXEL_LIMIT, decodeImage } from '../images/decode-image.ts';
import { ImageProblem } from '../images/image-problem.ts';
import { readStableFile } from '../images/read-file.ts';
import { makeThumbnail, modelInput } from '../images/working-image.ts';
import type { CropsPayload } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { failureOf } from './describe-images.ts';
import { type EncoderSession, openEncoder } from './encoder-session.ts';

/** Boxes a forward pass takes at once. */
const BATCH_SIZE = 8;

/** Handler of `describe_crops` jobs: one read and one decode of a picture gives the thumbnails and vectors of all its boxes. */
export async function describeCrops(payload: unknown, context: JobContext): Promise<void> {
  const { items, encoder } = payload as CropsPayload;
  const session = await openEncoder(encoder);
  for (const [index, item] of items.entries()) {
    if (context.signal.aborted) return;
    await context.started(index);
    try {
      context.finished(index, await describeOne(item, encoder.input_px, session));
    } catch (error) {
      context.finished(index, failureOf(item, error));
    }
  }
}

async function describeOne(item: CropsRequest, input_px: number, session: EncoderSession): Promise<DescribedCrops> {
  const boxes = item.crops.map((crop) => crop.box);
  const content = await readStableFile(item.path);
  const { working, width, height } = await decodeImage(
    content.input,
    { pixel_limit: DEFAULT_PIXEL_LIMIT, swap_rgb: item.swap_rgb === true, working_px: workingSizeFor(item, boxes) },
    content.head,
  );
  if (width !== item.width || height !== item.height) {
    throw new ImageProblem('unreadable', 'The picture has another size than when it was read.');
  }
  const crops: DescribedCrops['crops'] = [];
  for (let first = 0; first < item.crops.length; first += BATCH_SIZE) {
    const batch = item.crops.slice(first, first + BATCH_SIZE);
    const cut = batch.map((crop) => cropImage(working, item, crop.box));
    const vectors = await session.encode(await Promise.all(cut.map((crop) => modelInput(crop, input_px))));
    for (const [at, { key }] of batch.entries()) {
      const [crop, vector] = [cut[at], vectors[at]];
      if (crop === undefined || vector === undefined) throw new Error('The encoder left out a box.');
      crops.push({ key, thumbnail: await makeThumbnail(crop), vector });
    }
  }
  return { key: item.key, ok: true, crops };
}
