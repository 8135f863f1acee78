import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ImageFeatures } from '../../../src-main/infra/duplicates/image-features.ts';
import { openCv } from '../../../src-main/infra/duplicates/open-cv.ts';
import { findPrefilterFeatures, mayShowTheSame, PREFILTER_PX } from '../../../src-main/infra/duplicates/prefilter.ts';
import { scene } from '../../support/scenes.ts';

async function featuresOf(image: Sharp): Promise<ImageFeatures> {
  const { data, info } = await sharp(await image.png().toBuffer())
    .resize(PREFILTER_PX, PREFILTER_PX, { fit: 'inside' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { cv } = await openCv();
  return findPrefilterFeatures(cv, { width: info.width, height: info.height, data });
}

describe('the prefilter of two images', () => {
  it('rules out no copy', async () => {
    const original = await featuresOf(sharp(await scene(1)));
    const copies = {
      turned: sharp(await scene(1)).rotate(20),
      cropped: sharp(await scene(1)).extract({ left: 60, top: 50, width: 500, height: 380 }),
      dark: sharp(await scene(1)).linear(0.5, 0),
      boxed: sharp(await scene(1)).extend({ top: 120, bottom: 120, background: 'black' }),
    };
    for (const [edit, copy] of Object.entries(copies)) {
      expect(mayShowTheSame(original, await featuresOf(copy)), edit).toBe(true);
    }
  });

  it('rules out what shows nothing in common', async () => {
    const features = await Promise.all([1, 2, 3, 4, 5, 6].map(async (seed) => featuresOf(sharp(await scene(seed)))));
    const pairs = features.flatMap((a, at) => features.slice(at + 1).map((b) => [a, b] as const));
    expect(pairs.filter(([a, b]) => mayShowTheSame(a, b))).toEqual([]);
  });

  it('says nothing of a plain image', async () => {
    const plain = await featuresOf(sharp({ create: { width: 320, height: 240, channels: 3, background: 'grey' } }));
    expect(mayShowTheSame(plain, await featuresOf(sharp(await scene(1))))).toBe(true);
  });
});
