import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import type { StoredThumbnail } from '../../../src-main/core/ports/duplicates.ts';
import { compareBatch } from '../../../src-main/infra/duplicates/compare-batch.ts';
import { makeThumbnail } from '../../../src-main/infra/images/working-image.ts';
import { atEnd } from '../../support/at-end.ts';
import { product } from '../../support/products.ts';
import { scene } from '../../support/scenes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
/** Number of thumbnails so far. Prepared images are cached by file, so each needs its own. */
let nThumbnails = 0;
beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
});

/** Returns how much of two images agrees. */
async function shareOf(a: Sharp, b: Sharp): Promise<number> {
  const thumbnails = await Promise.all(
    [a, b].map(async (image, row): Promise<StoredThumbnail> => {
      const { data, info } = await image
        .removeAlpha()
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      const bytes = await makeThumbnail({ data, width: info.width, height: info.height });
      nThumbnails += 1;
      const path = join(folder, `${nThumbnails}.webp`);
      await writeFile(path, bytes);
      return { row, path, offset: 0, bytes: bytes.length };
    }),
  );
  const pairs = [{ a: 0, b: 1, is_mirrored: false, is_aligned: true }];
  const { signal } = new AbortController();
  const [share = 0] = await compareBatch({ pairs, thumbnails }, { signal, onProgress: () => undefined });
  return share;
}

it('objects of one outline on a plain background are different when their pattern differs', async () => {
  for (const outline of [1, 2, 3, 4]) {
    const [one, other] = await Promise.all([product(outline, 1), product(outline, 2)]);
    expect(await shareOf(sharp(one), sharp(other)), `outline ${outline}`).toBeLessThan(0.9);
  }
});

it.each<[string, (image: Sharp) => Sharp]>([
  ['grey', (image) => image.greyscale()],
  [
    'tinted',
    (image) =>
      image.recomb([
        [1, 0, 0],
        [0, 0.9, 0],
        [0, 0, 0.8],
      ]),
  ],
  ['less saturated', (image) => image.modulate({ saturation: 0.5 })],
  ['brighter', (image) => image.linear(1.2, 10)],
  ['darker', (image) => image.linear(0.6, 0)],
])('an image that is %s as a whole is still a duplicate', async (_what, edit) => {
  for (const png of [await product(2, 1), await scene(1)]) {
    expect(await shareOf(sharp(png), sharp(await edit(sharp(png)).png().toBuffer()))).toBeGreaterThan(0.95);
  }
});

it('a logo reduces the share by about its area', async () => {
  const png = await scene(2);
  const side = Math.round(Math.sqrt(0.07 * 640 * 480));
  const logo = Buffer.from(`<svg width="${side}" height="${side}"><rect width="100%" height="100%" fill="white"/>
    <circle cx="50%" cy="50%" r="40%" fill="crimson"/></svg>`);
  const marked = await sharp(png)
    .composite([{ input: logo, gravity: 'southeast' }])
    .png()
    .toBuffer();
  const share = await shareOf(sharp(png), sharp(marked));
  expect(share).toBeGreaterThan(0.84);
  expect(share).toBeLessThan(0.95);
});
