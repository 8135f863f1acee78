import { describe, expect, it } from 'vitest';
import { agreementOf } from '../../../src-main/infra/duplicates/block-agreement.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const SIZE = { width: 64, height: 48 };
const PIXELS = SIZE.width * SIZE.height;
const PARTS = { block_px: 16, cells: 2, agrees: 0.7 };
const ACROSS = SIZE.width / PARTS.block_px;
const everywhere = new Uint8Array(PIXELS).fill(1);

function noise(seed: number): Uint8Array {
  const random = seededRandom(seed);
  return Uint8Array.from({ length: PIXELS }, () => 40 + Math.floor(random() * 100));
}

describe('agreement of two images', () => {
  it('is complete for the same image, at any brightness', () => {
    const image = noise(1);
    const bright = image.map((level) => Math.min(255, level * 1.5 + 20));
    expect(agreementOf(image, image, everywhere, SIZE, PARTS)).toMatchObject({ share: 1, blocks: 12 });
    expect(agreementOf(image, bright, everywhere, SIZE, PARTS).share).toBe(1);
  });

  it('is zero for other images, and is weighted by contrast when a part differs', () => {
    const [image, other] = [noise(1), noise(2)];
    expect(agreementOf(image, other, everywhere, SIZE, PARTS).share).toBe(0);
    const half = image.map((level, at) => (at % SIZE.width < SIZE.width / 2 ? level : (other[at] as number)));
    expect(agreementOf(image, half, everywhere, SIZE, PARTS).share).toBeCloseTo(0.5, 1);
  });

  it('ignores plain and uncovered blocks', () => {
    const plain = new Uint8Array(PIXELS).fill(90);
    expect(agreementOf(plain, plain, everywhere, SIZE, PARTS)).toMatchObject({ share: 0, blocks: 0 });
    const upper = everywhere.map((_, at) => (at < PIXELS / 3 ? 1 : 0));
    expect(agreementOf(noise(1), noise(1), upper, SIZE, PARTS)).toMatchObject({ share: 1, blocks: 4 });
  });

  it('is zero when only one of them has content', () => {
    const plain = new Uint8Array(PIXELS).fill(90);
    expect(agreementOf(noise(1), plain, everywhere, SIZE, PARTS)).toMatchObject({ share: 0, blocks: 12 });
  });

  it('is reduced by different colours, even without texture', () => {
    const image = noise(1);
    const colours = (shareAt: (column: number) => number) => () => ({
      across: ACROSS,
      shares: Float32Array.from({ length: 12 }, (_, block) => shareAt(block % ACROSS)),
    });
    const left = colours((column) => (column < ACROSS / 2 ? 1 : 0));
    expect(agreementOf(image, image, everywhere, SIZE, PARTS, left).share).toBeCloseTo(0.5, 1);
    const leftIsPlain = image.map((level, at) => (at % SIZE.width < SIZE.width / 2 ? 90 : level));
    expect(agreementOf(leftIsPlain, leftIsPlain, everywhere, SIZE, PARTS).share).toBe(1);
    expect(agreementOf(leftIsPlain, leftIsPlain, everywhere, SIZE, PARTS, left).share).toBeCloseTo(0.5, 1);
    // Some differing pixels along an edge are errors of the alignment.
    const edge = colours(() => 0.05);
    expect(agreementOf(image, image, everywhere, SIZE, PARTS, edge).share).toBe(1);
  });

  it('counts a difference by its area, whatever its contrast is', () => {
    const image = noise(1).map((level) => level / 2);
    const inLogo = (at: number, px: number) => at < SIZE.width * px && at % SIZE.width < px;
    const logo = (px: number) => image.map((level, at) => (inLogo(at, px) ? (at % 2) * 255 : level));
    expect(agreementOf(image, logo(16), everywhere, SIZE, PARTS).share).toBeCloseTo(11 / 12, 2);
    // A part of a block counts as such.
    expect(agreementOf(image, logo(8), everywhere, SIZE, PARTS).share).toBeCloseTo(47 / 48, 2);
  });

  it('counts parts that correlate worse than the rest, and no edit that makes all parts correlate worse', () => {
    const [image, other] = [noise(1), noise(2)];
    const mixed = (isPart: (at: number) => boolean) =>
      image.map((level, at) => (isPart(at) ? (level * 5 + (other[at] as number) * 4) / 9 : level));
    expect(
      agreementOf(
        image,
        mixed(() => true),
        everywhere,
        SIZE,
        PARTS,
      ).share,
    ).toBeGreaterThan(0.95);
    const isTop = (at: number) => at < PIXELS / 3;
    expect(agreementOf(image, mixed(isTop), everywhere, SIZE, PARTS).share).toBeLessThan(0.9);
  });
});
