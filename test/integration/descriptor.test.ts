import { fileURLToPath } from 'node:url';
import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { ORIENTATIONS, orient } from '../../src-main/infra/inference/descriptor-orientations.ts';
import { DESCRIPTOR_DIM, DESCRIPTOR_INPUT_PX } from '../../src-main/infra/inference/descriptor-shape.ts';
import { measureDescriptorQuality } from '../bench/descriptor-quality.ts';
import { findMedia } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const modelFile = fileURLToPath(new URL('../../resources/models/visual-descriptor.onnx', import.meta.url));
const media = findMedia();
const PIXELS = DESCRIPTOR_INPUT_PX ** 2;

/** Returns the descriptors of synthetic images, each given as a function from pixel index to colour. */
async function describeImages(images: ((pixel: number) => [number, number, number])[]): Promise<Float32Array[]> {
  const session = await ort.InferenceSession.create(modelFile, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const bytes = Uint8Array.from(
    images.flatMap((image) => Array.from({ length: PIXELS }, (_, pixel) => image(pixel)).flat()),
  );
  const dims = [images.length, DESCRIPTOR_INPUT_PX, DESCRIPTOR_INPUT_PX, 3];
  const { descriptor } = await session.run({ pixels: new ort.Tensor('uint8', bytes, dims) });
  await session.release();
  const rows = descriptor?.data as Float32Array;
  return images.map((_, row) => rows.slice(row * DESCRIPTOR_DIM, (row + 1) * DESCRIPTOR_DIM));
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error('a descriptor is missing');
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe('embedded visual descriptor', () => {
  it('gives finite unit vectors for plain images and distinguishes them by colour', async () => {
    const flat = (red: number, green: number, blue: number) => (): [number, number, number] => [red, green, blue];
    const vectors = await describeImages([
      flat(0, 0, 0),
      flat(255, 255, 255),
      flat(153, 153, 153),
      flat(220, 20, 20),
      flat(20, 20, 220),
      flat(221, 21, 21),
    ]);
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 4);
    expect(cosine(vectors[3], vectors[4])).toBeLessThan(0.5);
    expect(cosine(vectors[0], vectors[1])).toBeLessThan(0.5);
    expect(cosine(vectors[3], vectors[5])).toBeGreaterThan(0.99);
  });

  it('gives an image the same vector alone and in a batch', async () => {
    const side = DESCRIPTOR_INPUT_PX;
    const ramp = (pixel: number): [number, number, number] => [pixel % side, Math.floor(pixel / side), 128];
    const rings = (pixel: number): [number, number, number] => {
      const level = Math.round(127 + 127 * Math.sin(Math.hypot((pixel % side) - 40, pixel / side - 70) / 5));
      return [level, 255 - level, level];
    };
    const [alone] = await describeImages([rings]);
    const batch = await describeImages([ramp, rings, ramp]);
    expect(cosine(alone, batch[1])).toBeCloseTo(1, 5);
    expect(cosine(batch[0], batch[2])).toBeCloseTo(1, 5);
    expect(cosine(batch[0], batch[1])).toBeLessThan(0.7);
  });

  it('gives a rotated or mirrored image a signed permutation of the image’s vector', async () => {
    const side = DESCRIPTOR_INPUT_PX;
    const scene = (x: number, y: number): [number, number, number] => [
      (x * 3 + y) % 256,
      Math.round(127 + 100 * Math.sin(Math.hypot(x - 30, y - 90) / 6)),
      x > 80 && y < 40 ? 230 : 40,
    ];
    const ways = [0, 1, 2, 3, 4, 5, 6, 7].map((way) => [(way & 1) !== 0, (way & 2) !== 0, (way & 4) !== 0] as const);
    const vectors = await describeImages(
      ways.map(([isTransposed, flipsX, flipsY]) => (pixel: number) => {
        const [column, row] = [pixel % side, Math.floor(pixel / side)];
        const [x, y] = isTransposed ? [row, column] : [column, row];
        return scene(flipsX ? side - 1 - x : x, flipsY ? side - 1 - y : y);
      }),
    );
    const upright = vectors[0] ?? new Float32Array();
    expect(ORIENTATIONS).toHaveLength(7);
    for (const [nth, orientation] of ORIENTATIONS.entries()) {
      const turned = new Float32Array(DESCRIPTOR_DIM);
      orient(upright, orientation, turned);
      expect(cosine(turned, vectors[nth + 1])).toBeGreaterThan(0.999);
      expect(orientation.is_mirrored).toBe((ways[nth + 1] ?? []).filter(Boolean).length % 2 === 1);
      expect(cosine(upright, vectors[nth + 1])).toBeLessThan(0.9);
    }
  });

  it('separates near-duplicates from similar images and finds clothes of one class', needs(media), async () => {
    const quality = await measureDescriptorQuality('root' in media ? media.root : '');
    expect(Math.min(quality.exact.min, quality.near.min)).toBeGreaterThan(quality.cut);
    expect(Math.max(quality.different.max, quality.similar_not_dup.max)).toBeLessThan(quality.cut);
    expect(quality.exact.pairs + quality.near.pairs).toBeGreaterThanOrEqual(60);
    expect(quality.margin).toBeGreaterThan(0.02);
    expect(quality.different.max).toBeLessThan(0.531);
    expect(quality.clothing_images).toBe(597);
    expect(quality.clothing_precision_at_5).toBeGreaterThanOrEqual(0.55);
  });
});
