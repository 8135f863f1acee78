import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredThumbnail } from '../../../src-main/core/ports/duplicates.ts';
import { compareBatch } from '../../../src-main/infra/duplicates/compare-batch.ts';
import { makeThumbnail } from '../../../src-main/infra/images/working-image.ts';
import { atEnd } from '../../support/at-end.ts';
import { findMedia } from '../../support/media.ts';
import { needs } from '../../support/needs.ts';
import { POSED_KINDS, posedObject } from '../../support/posed-objects.ts';
import { product } from '../../support/products.ts';
import { scene } from '../../support/scenes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const media = findMedia();
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
  const [share = 0] = await compareBatch(
    { pairs, thumbnails },
    { signal, turn: () => Promise.resolve(), onProgress: () => undefined },
  );
  return share;
}

it('objects of one outline on a plain background are different when their pattern differs', async () => {
  for (const outline of [1, 2, 3, 4]) {
    const [one, other] = await Promise.all([product(outline, 1), product(outline, 2)]);
    expect(await shareOf(sharp(one), sharp(other)), `outline ${outline}`).toBeLessThan(0.9);
  }
});

it('objects in one pose on plain ground are different where their parts differ', async () => {
  for (const kind of POSED_KINDS) {
    const [one, other] = await Promise.all([posedObject(kind, 0), posedObject(kind, 4)]);
    expect(await shareOf(sharp(one), sharp(other)), kind).toBeLessThan(0.85);
  }
});

it('equal borders around different objects are no agreement', async () => {
  const objects = await Promise.all([posedObject('shoe', 0), posedObject('shoe', 4)]);
  const turned = objects.map((png) => sharp(png).rotate(5, { background: 'black' }));
  const barred = objects.map((png) => sharp(png).extend({ top: 120, bottom: 120, background: 'black' }));
  for (const bordered of [turned, barred]) {
    const [one, other] = await Promise.all(bordered.map((image) => image.png().toBuffer()));
    expect(await shareOf(sharp(one), sharp(other))).toBeLessThan(0.8);
  }
});

it('an object on plain ground stays a duplicate when it is turned a little, cropped, blurred or compressed', async () => {
  const png = await posedObject('motorbike', 1);
  const edits = [
    sharp(png).rotate(3, { background: 'black' }),
    sharp(png).extract({ left: 30, top: 30, width: 570, height: 430 }),
    sharp(png).blur(2),
    sharp(await sharp(png).jpeg({ quality: 10 }).toBuffer()),
  ];
  for (const edit of edits) {
    expect(await shareOf(sharp(png), sharp(await edit.png().toBuffer()))).toBeGreaterThan(0.95);
  }
});

describe('images of 32 pixels', () => {
  const tiny = async (seed: number) =>
    sharp(await scene(seed))
      .resize(32, 32, { fit: 'cover' })
      .png()
      .toBuffer();

  it('are duplicates after edits of the whole, a crop, a frame or a quarter turn', async () => {
    const png = await tiny(3);
    const edits = {
      compressed: sharp(await sharp(png).jpeg({ quality: 30 }).toBuffer()),
      brighter: sharp(png).linear(1.1, 20),
      grey: sharp(png).greyscale(),
      cropped: sharp(png).extract({ left: 2, top: 4, width: 27, height: 27 }),
      framed: sharp(png).extend({ top: 3, bottom: 3, left: 3, right: 3, background: 'white' }),
      turned: sharp(png).rotate(90),
      half: sharp(png).resize(24),
    };
    for (const [name, edit] of Object.entries(edits)) {
      const edited = sharp(await edit.png().toBuffer());
      expect(await shareOf(sharp(png), edited), name).toBeGreaterThan(0.9);
    }
    expect(await shareOf(sharp(png), sharp(await scene(3)).resize(640, 640)), 'enlarged').toBeGreaterThan(0.9);
  });

  it('are different when they show different scenes', async () => {
    for (const seed of [4, 5, 6, 7])
      expect(await shareOf(sharp(await tiny(3)), sharp(await tiny(seed)))).toBeLessThan(0.7);
  });
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
  expect(share).toBeGreaterThan(0.88);
  expect(share).toBeLessThan(0.95);
});

it('an overlay on a photo counts by its area, and not by the edges beside it', needs(media), async () => {
  const folder = join('root' in media ? media.root : '', 'near-duplicates/jenssegers_imagehash/forest');
  for (const copy of ['high', 'thumb']) {
    const [one, other] = ['copyright', copy].map((name) => sharp(join(folder, `forest-${name}.jpg`)));
    expect(await shareOf(one as Sharp, other as Sharp), copy).toBeGreaterThan(0.85);
  }
});
