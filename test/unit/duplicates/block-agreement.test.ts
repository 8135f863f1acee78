import { describe, expect, it } from 'vitest';
import { agreementOf } from '../../../src-main/infra/duplicates/block-agreement.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const SIZE = { width: 64, height: 48 };
const PIXELS = SIZE.width * SIZE.height;
const everywhere = new Uint8Array(PIXELS).fill(255);

function noise(seed: number): Uint8Array {
  const random = seededRandom(seed);
  return Uint8Array.from({ length: PIXELS }, () => 40 + Math.floor(random() * 100));
}

describe('agreement of two images', () => {
  it('is complete for the same image, at any brightness', () => {
    const image = noise(1);
    const bright = image.map((level) => Math.min(255, level * 1.5 + 20));
    expect(agreementOf(image, image, everywhere, SIZE)).toEqual({ share: 1, blocks: 12 });
    expect(agreementOf(image, bright, everywhere, SIZE).share).toBe(1);
  });

  it('is zero for other images, and is weighted by contrast when a part differs', () => {
    const [image, other] = [noise(1), noise(2)];
    expect(agreementOf(image, other, everywhere, SIZE).share).toBe(0);
    const half = image.map((level, at) => (at % SIZE.width < SIZE.width / 2 ? level : (other[at] as number)));
    expect(agreementOf(image, half, everywhere, SIZE).share).toBeCloseTo(0.5, 1);
  });

  it('ignores plain and uncovered blocks', () => {
    const plain = new Uint8Array(PIXELS).fill(90);
    expect(agreementOf(plain, plain, everywhere, SIZE)).toEqual({ share: 0, blocks: 0 });
    const upper = everywhere.map((_, at) => (at < PIXELS / 3 ? 255 : 0));
    expect(agreementOf(noise(1), noise(1), upper, SIZE)).toEqual({ share: 1, blocks: 4 });
  });

  it('is zero when only one of them has content', () => {
    const plain = new Uint8Array(PIXELS).fill(90);
    expect(agreementOf(noise(1), plain, everywhere, SIZE)).toEqual({ share: 0, blocks: 12 });
  });

  it('is reduced by different colours, even without texture', () => {
    const image = noise(1);
    const left = (at: number) => (at < SIZE.width / 2 ? 1 : 0);
    expect(agreementOf(image, image, everywhere, SIZE, left).share).toBeCloseTo(0.5, 1);
    const leftIsPlain = image.map((level, at) => (at % SIZE.width < SIZE.width / 2 ? 90 : level));
    expect(agreementOf(leftIsPlain, leftIsPlain, everywhere, SIZE).share).toBe(1);
    expect(agreementOf(leftIsPlain, leftIsPlain, everywhere, SIZE, left).share).toBeCloseTo(0.5, 1);
    // Some differing pixels along an edge are errors of the alignment.
    expect(agreementOf(image, image, everywhere, SIZE, () => 0.05).share).toBe(1);
  });

  it('counts a difference of high contrast by its area', () => {
    const image = noise(1).map((level) => level / 2);
    const logo = image.map((level, at) => (at < SIZE.width * 16 && at % SIZE.width < 16 ? (at % 2) * 255 : level));
    expect(agreementOf(image, logo, everywhere, SIZE).share).toBeCloseTo(11 / 12, 1);
  });
});
