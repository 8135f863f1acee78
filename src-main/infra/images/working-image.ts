import { WORKING_PX, type WorkingImage } from './decode-image.ts';
import { sharp } from './sharp-runtime.ts';

/** Longest side of a thumbnail in pixels. */
export const THUMBNAIL_PX = 320;
const THUMBNAIL_QUALITY = 78;
/** WebP effort, 0 to 6: 0 is the fastest, and its files are a tenth larger than those of 2. */
const THUMBNAIL_EFFORT = 0;

const open = (working: WorkingImage) =>
  sharp(working.data, { raw: { width: working.width, height: working.height, channels: 3 } });

/** Encodes a thumbnail as WebP, with a longest side of at most {@link THUMBNAIL_PX}. Small images keep their size. */
export async function makeThumbnail(working: WorkingImage): Promise<Buffer> {
  return open(working)
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', withoutEnlargement: true, kernel: 'cubic' })
    .webp({ quality: THUMBNAIL_QUALITY, effort: THUMBNAIL_EFFORT })
    .toBuffer();
}

/** Scales the image down to {@link WORKING_PX}, so that statistics do not depend on the size that a model needs. */
export async function atWorkingSize(working: WorkingImage): Promise<WorkingImage> {
  if (Math.max(working.width, working.height) <= WORKING_PX) return working;
  const { data, info } = await open(working)
    .resize(WORKING_PX, WORKING_PX, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Maximum longest side in pixels of a decoded image, whatever scale is requested: about 50 MB. */
const MAX_WORKING_PX = 4096;

/** Returns the longest side in pixels to decode an image to, for a scale relative to its own size. */
export function workingPxFor(image: { width: number; height: number }, neededScale: number): number {
  const requested = Math.ceil(Math.max(image.width, image.height) * neededScale);
  return Math.min(MAX_WORKING_PX, Math.max(WORKING_PX, requested));
}
