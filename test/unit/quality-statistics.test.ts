import { describe, expect, it } from 'vitest';
import { WORKING_PX } from '../../src-main/infra/images/decode-image.ts';
import { qualityStatistics } from '../../src-main/infra/images/quality-statistics.ts';
import { seededRandom } from '../../src-main/infra/vectors/rows.ts';

/** An image of the largest working size whose pixels differ as much as they can: the largest sums that occur. */
function checkerboard(px: number) {
  const data = Buffer.alloc(px * px * 3);
  for (let pixel = 0; pixel < px * px; pixel += 1) {
    const isLight = (pixel + Math.floor(pixel / px)) % 2 === 0;
    data.set(isLight ? [255, 255, 0] : [0, 0, 255], pixel * 3);
  }
  return { data, width: px, height: px };
}

/** Random pixels, of which a fifth is grey and some are cut off. */
function randomImage(width: number, height: number) {
  const random = seededRandom(width * 1000 + height);
  const channel = () => (random() < 0.2 ? 255 : Math.floor(random() * 256));
  const grey = () => Array<number>(3).fill(channel());
  const pixels = Array.from({ length: width * height }, () =>
    random() < 0.2 ? grey() : [channel(), channel(), channel()],
  );
  return { data: Buffer.from(pixels.flat()), width, height };
}

/** The statistics of single pixels, in plain arithmetic. */
function plainStatistics({ data, width, height }: ReturnType<typeof randomImage>) {
  const pixels = Array.from({ length: width * height }, (_, at) => [...data.subarray(at * 3, at * 3 + 3)]);
  const luma = pixels.map(([r = 0, g = 0, b = 0]) => (r * 19_595 + g * 38_470 + b * 7471 + 32_768) >> 16);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = (values: number[]) => mean(values.map((value) => value ** 2)) - mean(values) ** 2;
  const rg = pixels.map(([r = 0, g = 0]) => r - g);
  const yb = pixels.map(([r = 0, g = 0, b = 0]) => (r + g) / 2 - b);
  const inner = luma.flatMap((_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return x > 0 && y > 0 && x < width - 1 && y < height - 1 ? [at] : [];
  });
  const at = (place: number) => luma[place] as number;
  const laplacian = (p: number) => at(p - 1) + at(p + 1) + at(p - width) + at(p + width) - 4 * at(p);
  const gradient = (p: number) => Math.hypot(at(p + 1) - at(p - 1), at(p + width) - at(p - width)) / 2;
  const softness = (step: number, diagonal: number) => {
    const bends = inner.map((p) => (at(p - step) + at(p + step) - 2 * at(p)) ** 2 / diagonal);
    const slopes = inner.map((p) => Math.abs(at(p + step) - at(p - step)));
    return (4 * mean(bends)) / mean(slopes) ** 2;
  };
  return {
    mean_luma: mean(luma) / 255,
    contrast: Math.sqrt(variance(luma)) / 255,
    grey_share: mean(pixels.map((channels) => Number(Math.max(...channels) - Math.min(...channels) <= 6))),
    colourfulness: Math.sqrt(variance(rg) + variance(yb)) + 0.3 * Math.hypot(mean(rg), mean(yb)),
    sharpness: variance(inner.map(laplacian)),
    edge_energy: mean(inner.map(gradient)),
    edge_sharpness: Math.min(softness(1, 1), softness(width, 1), softness(width + 1, 2), softness(width - 1, 2)),
  };
}

describe('the statistics of an image', () => {
  it.each([
    [3, 3],
    [16, 5],
    [17, 9],
    [31, 40],
    [64, 33],
    [WORKING_PX, 70],
  ])('are those of plain arithmetic, whatever the size: %i × %i', (width, height) => {
    const image = randomImage(width, height);
    const found = qualityStatistics(image);
    for (const [name, expected] of Object.entries(plainStatistics(image))) {
      const difference = found[name as keyof typeof found] - expected;
      expect(difference / Math.max(1, expected), name).toBeCloseTo(0, 6);
    }
  });

  it('count light as too strong where what surrounds it is nearly as light', () => {
    // Bands of 255, separated by bands of one level.
    const striped = (level: number) => {
      const data = Buffer.alloc(60 * 20 * 3);
      for (let at = 0; at < 60 * 20; at += 1) data.fill(at % 20 < 10 ? 255 : level, at * 3, at * 3 + 3);
      return { data, width: 60, height: 20 };
    };
    expect(qualityStatistics(striped(230)).blown_share).toBe(0.5);
    expect(qualityStatistics(striped(100)).blown_share).toBe(0);
    // An image too narrow for what lies outside has no sign of fading.
    expect(qualityStatistics({ ...randomImage(8, 30), data: Buffer.alloc(8 * 30 * 3, 255) }).blown_share).toBe(0);
  });

  it('do not overflow in the sums of a row', () => {
    const found = qualityStatistics(checkerboard(WORKING_PX));
    const [light, dark] = [226, 29];
    const difference = light - dark;
    // Neighbours in both axes are all of the other level: the Laplacian is four times the difference, up and down in turn.
    expect(found.sharpness).toBeCloseTo((4 * difference) ** 2, 6);
    // Pixels two apart are equal, so no gradient is left, and the diagonals have neither slope nor bend.
    expect(found.edge_energy).toBe(0);
    expect(found.mean_luma).toBeCloseTo((light + dark) / 2 / 255, 12);
    // Yellow minus blue is 255 and -255 in turn; red minus green is 0.
    expect(found.colourfulness).toBeCloseTo(255, 6);
    expect(found.grey_share).toBe(0);
    expect(found.blown_share).toBeGreaterThanOrEqual(0);
  });

  it('find no detail in an image without inner pixels', () => {
    expect(qualityStatistics({ data: Buffer.from([10, 20, 30]), width: 1, height: 1 })).toMatchObject({
      sharpness: 0,
      edge_energy: 0,
      edge_sharpness: 0,
    });
  });
});
