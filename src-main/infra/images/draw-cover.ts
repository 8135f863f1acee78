import { sharp } from './sharp-runtime.ts';

/** Side of a cover in pixels. */
const COVER_PX = 384;
const GAP_PX = 3;
/** Channels per pixel: red, green, blue and alpha. */
const CHANNELS = 4;
const WEBP = { quality: 78, effort: 0 };

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

/**
 * Arranges images edge to edge in a square, with thin transparent lines between them. The first image is the largest where sizes differ.
 * @param images Encoded images. If no layout has this many, the first ones of the next smaller layout are used. The position of an image
 *   that is undefined or cannot be decoded stays empty.
 * @returns WebP bytes, {@link COVER_PX} wide and high.
 */
export async function drawCover(images: readonly (Buffer | undefined)[]): Promise<Buffer> {
  const size = [...LAYOUTS.keys()].findLast((holds) => holds <= images.length) ?? 1;
  const pixels = new Uint8Array(COVER_PX * COVER_PX * CHANNELS);
  await Promise.all((LAYOUTS.get(size) ?? []).map((place, nth) => draw(pixels, images[nth], place)));
  return sharp(pixels, { raw: { width: COVER_PX, height: COVER_PX, channels: CHANNELS } })
    .webp(WEBP)
    .toBuffer();
}

/**
 * Copies the images row by row. They do not overlap, so blending, which would take as long as decoding one or two images, is not needed.
 */
async function draw(
  pixels: Uint8Array,
  image: Buffer | undefined,
  [x, y, across, down]: readonly [number, number, number, number],
): Promise<void> {
  if (image === undefined) return;
  const [left, width] = stretch(x, across);
  const [top, height] = stretch(y, down);
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
    pixels.set(bytes.subarray(from, from + width * CHANNELS), ((top + row) * COVER_PX + left) * CHANNELS);
  }
}

/** Start and length in pixels of a part of the side, without the half gaps at its inner ends. */
function stretch(from: number, length: number): [number, number] {
  const begin = from === 0 ? 0 : Math.round(from * COVER_PX + GAP_PX / 2);
  const end = from + length > 0.99 ? COVER_PX : Math.round((from + length) * COVER_PX - GAP_PX / 2);
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
