import { WORKING_PX, type WorkingImage } from './decode-image.ts';
import { sharp } from './sharp-runtime.ts';

/** Longest side of a thumbnail. */
export const THUMBNAIL_PX = 320;
const THUMBNAIL_QUALITY = 78;
/** WebP effort 0 to 6: the quickest, for files a tenth larger than those of 2. */
const THUMBNAIL_EFFORT = 0;

const open = (working: WorkingImage) =>
  sharp(working.data, { raw: { width: working.width, height: working.height, channels: 3 } });

/** WebP bytes of the image, its longest side at most {@link THUMBNAIL_PX}; small images keep their size. */
export async function makeThumbnail(working: WorkingImage): Promise<Buffer> {
  return open(working)
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', withoutEnlargement: true, kernel: 'cubic' })
    .webp({ quality: THUMBNAIL_QUALITY, effort: THUMBNAIL_EFFORT })
    .toBuffer();
}

/** The image as {@link WORKING_PX} has it: statistics must not depend on how large some model wanted it. */
export async function atWorkingSize(working: WorkingImage): Promise<WorkingImage> {
  if (Math.max(working.width, working.height) <= WORKING_PX) return working;
  const { data, info } = await open(working)
    .resize(WORKING_PX, WORKING_PX, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Longest side that an image is decoded to whatever is wanted of it: some 50 MB. */
const MAX_WORKING_PX = 4096;

/** Longest side to decode an image to, for a wanted part of its own size. */
export function workingPxFor(image: { width: number; height: number }, scaleWanted: number): number {
  const wanted = Math.ceil(Math.max(image.width, image.height) * scaleWanted);
  return Math.min(MAX_WORKING_PX, Math.max(WORKING_PX, wanted));
}
