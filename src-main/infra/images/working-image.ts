import type { WorkingImage } from './decode-image.ts';
import { sharp } from './sharp-runtime.ts';

/** Longest side of a thumbnail. */
export const THUMBNAIL_PX = 320;
const THUMBNAIL_QUALITY = 78;
/** WebP effort 0 to 6: the quickest, for files a tenth larger than those of 2. */
const THUMBNAIL_EFFORT = 0;

const open = (working: WorkingImage) =>
  sharp(working.data, { raw: { width: working.width, height: working.height, channels: 3 } });

/** WebP bytes of the picture, its longest side at most {@link THUMBNAIL_PX}; small pictures keep their size. */
export async function makeThumbnail(working: WorkingImage): Promise<Buffer> {
  return open(working)
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', withoutEnlargement: true, kernel: 'cubic' })
    .webp({ quality: THUMBNAIL_QUALITY, effort: THUMBNAIL_EFFORT })
    .toBuffer();
}

/** RGB bytes of the picture stretched to a `sizePx` square, rows top to bottom: what an image model's graph takes. */
export async function modelInput(working: WorkingImage, sizePx: number): Promise<Uint8Array> {
  return open(working).resize(sizePx, sizePx, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer();
}
