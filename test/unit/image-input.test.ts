import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageInput } from '../../src-main/contract/schemas/model-definition.ts';
import { neededScale, prepareImage, tensorOf } from '../../src-main/infra/images/image-input.ts';

const flat = async (width: number, height: number, [r, g, b]: [number, number, number]) => ({
  data: await sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .raw()
    .toBuffer(),
  width,
  height,
});
const crop = imageInput.parse({ width_px: 224, height_px: 224, resize: 'crop', resize_px: 256 });
const letterbox = imageInput.parse({ width_px: 416, height_px: 416, resize: 'letterbox', scale: 1, channels: 'BGR' });

describe('images for models', () => {
  it('rounds sizes and margins as the reference implementations do', async () => {
    const image = { width: 640, height: 427 };
    const working = await flat(640, 427, [1, 2, 3]);
    // int(256 · 640 / 427) = 383; (383 − 224) // 2 = 79, (256 − 224) // 2 = 16.
    expect(await prepareImage(working, image, crop)).toMatchObject({
      width: 224,
      height: 224,
      scale_x: 383 / 640,
      scale_y: 256 / 427,
      offset_x: -79,
      offset_y: -16,
    });
    // int(427 · 0.65) = 277 rows of image; the rest is grey.
    const boxed = await prepareImage(working, image, letterbox);
    expect(boxed).toMatchObject({ scale_x: 0.65, scale_y: 0.65, offset_x: 0, offset_y: 0 });
    const rows = Array.from({ length: 416 }, (_, y) => boxed.data[y * 416 * 3]);
    expect(rows).toEqual(Array.from({ length: 416 }, (_, y) => (y < 277 ? 1 : 114)));
  });

  it('computes sizes from the image itself, not from the smaller decoded copy', async () => {
    const image = { width: 3001, height: 1999 };
    const [small, whole] = [await flat(513, 342, [9, 9, 9]), await flat(3001, 1999, [9, 9, 9])];
    const [ofSmall, ofWhole] = [
      await prepareImage(small, image, letterbox),
      await prepareImage(whole, image, letterbox),
    ];
    expect(ofSmall).toEqual(ofWhole);
  });

  it('requests images at twice the size of the model’s input, if they are that large', () => {
    expect(neededScale(letterbox, { width: 4000, height: 3000 })).toBeCloseTo((2 * 416) / 4000, 10);
    expect(neededScale(letterbox, { width: 640, height: 480 })).toBe(1);
    expect(neededScale(crop, { width: 4000, height: 2000 })).toBeCloseTo((2 * 256) / 2000, 10);
  });

  it('computes (pixel · scale − mean) / std by channel, in the requested order', async () => {
    const side = { width_px: 8, height_px: 8, resize: 'stretch' } as const;
    const working = await flat(8, 8, [0, 51, 255]);
    const prepared = await prepareImage(working, working, imageInput.parse(side));
    const first = (options: object, rows = 1) => {
      const { data, dims } = tensorOf([prepared], imageInput.parse({ ...side, ...options }), rows);
      const step = dims[1] === 3 ? 64 : 1;
      return { dims, length: data.length, pixel: [0, 1, 2].map((channel) => data[channel * step]) };
    };
    const norm = { mean: [0.5, 0.1, 0], std: [0.5, 0.1, 2] };
    expect(first(norm)).toEqual({ dims: [1, 3, 8, 8], length: 192, pixel: [-1, expect.closeTo(1, 5), 0.5] });
    expect(first({ ...norm, channels: 'BGR' }).pixel).toEqual([0.5, expect.closeTo(1, 5), -1]);
    expect(first({ layout: 'NHWC', scale: 1 }, 2)).toEqual({ dims: [2, 8, 8, 3], length: 384, pixel: [0, 51, 255] });
    expect(first({ layout: 'NHWC', dtype: 'uint8' }).pixel).toEqual([0, 51, 255]);
    expect(first({ dtype: 'uint8', channels: 'BGR', ...norm }).pixel).toEqual([255, 51, 0]);
  });
});
