import pMap from 'p-map';
import { COVER_SHEET } from '../../contract/schemas/explore.ts';
import { sharp } from './sharp-runtime.ts';

/** Space between the images of a cover. */
const GAP_PX = 2;
/** Channels per pixel: red, green, blue and alpha. */
const CHANNELS = 4;
const WEBP = { quality: 78, effort: 0 };
/** Number of images that are decoded at a time: more than there are threads for, so that none of them waits. */
const DECODES_AT_ONCE = 8;

/** Layouts by number of images: left, top, width and height of each image, as fractions of the side. */
const LAYOUTS: ReadonlyMap<number, readonly (readonly [number, number, number, number])[]> = new Map([
  [1, [[0, 0, 1, 1]]],
  [2, grid(2, 1)],
  [
    3,
    [
      [0, 0, 3 / 5, 1],
      [3 / 5, 0, 2 / 5, 1 / 2],
      [3 / 5, 1 / 2, 2 / 5, 1 / 2],
    ],
  ],
  [4, grid(2, 2)],
  [6, [[0, 0, 2 / 3, 2 / 3], ...grid(3, 3).filter(([left, top]) => left > 0.6 || top > 0.6)]],
  [9, grid(3, 3)],
]);

interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Canvas {
  pixels: Uint8Array;
  width: number;
}

/**
 * Draws covers row by row into one image. A cover arranges images edge to edge in a square, with thin transparent lines between them; the
 * first image is the largest where sizes differ.
 * @param covers Encoded images. If no layout has as many as a cover, its first ones in the next smaller layout are used. The place of an image
 *   that is undefined or cannot be decoded stays empty.
 * @param px Side of a cover in pixels.
 * @returns WebP bytes.
 */
export async function drawCoverSheet(
  covers: readonly (readonly (Buffer | undefined)[])[],
  px: number,
): Promise<Buffer> {
  const width = COVER_SHEET.columns * px;
  const height = Math.ceil(covers.length / COVER_SHEET.columns) * px;
  const canvas = { pixels: new Uint8Array(width * height * CHANNELS), width };
  const drawn = covers.flatMap((images, nth) => {
    const [left, top] = [(nth % COVER_SHEET.columns) * px, Math.floor(nth / COVER_SHEET.columns) * px];
    return placesFor(images.length, px).map((place, at) => ({
      image: images[at],
      place: { ...place, left: left + place.left, top: top + place.top },
    }));
  });
  await pMap(drawn, ({ image, place }) => draw(canvas, image, place), { concurrency: DECODES_AT_ONCE });
  return sharp(canvas.pixels, { raw: { width, height, channels: CHANNELS } })
    .webp(WEBP)
    .toBuffer();
}

/** Places of the images of a cover, in pixels. */
function placesFor(images: number, px: number): Place[] {
  const size = [...LAYOUTS.keys()].findLast((holds) => holds <= images) ?? 1;
  return (LAYOUTS.get(size) ?? []).map(([x, y, across, down]) => {
    const [left, width] = stretch(x, across, px);
    const [top, height] = stretch(y, down, px);
    return { left, top, width, height };
  });
}

/**
 * Copies the images row by row. They do not overlap, so blending, which would take as long as decoding one or two images, is not needed.
 */
async function draw(canvas: Canvas, image: Buffer | undefined, { left, top, width, height }: Place): Promise<void> {
  if (image === undefined) return;
  const bytes = await sharp(image)
    .resize(width, height, { fit: 'cover' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
    .catch(() => undefined);
  if (bytes === undefined) return;
  for (let row = 0; row < height; row += 1) {
    const from = row * width * CHANNELS;
    canvas.pixels.set(bytes.subarray(from, from + width * CHANNELS), ((top + row) * canvas.width + left) * CHANNELS);
  }
}

/** Start and length in pixels of a part of the side, without the half gaps at its inner ends. */
function stretch(from: number, length: number, px: number): [number, number] {
  const begin = from === 0 ? 0 : Math.round(from * px + GAP_PX / 2);
  const end = from + length > 0.99 ? px : Math.round((from + length) * px - GAP_PX / 2);
  return [begin, end - begin];
}

function grid(columns: number, rows: number): [number, number, number, number][] {
  return Array.from({ length: columns * rows }, (_, nth) => [
    (nth % columns) / columns,
    Math.floor(nth / columns) / rows,
    1 / columns,
    1 / rows,
  ]);
}
