import { describe, expect, it } from 'vitest';
import { withoutBorder } from '../../../src-main/infra/duplicates/trim-borders.ts';
import type { WorkingImage } from '../../../src-main/infra/images/decode-image.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

/** Noise with a border of one colour. */
function framed(width: number, height: number, border: { x: number; y: number }): WorkingImage {
  const random = seededRandom(7);
  const data = Buffer.alloc(width * height * 3, 12);
  for (let y = border.y; y < height - border.y; y += 1) {
    for (let at = (y * width + border.x) * 3; at < (y * width + width - border.x) * 3; at += 1) {
      data[at] = Math.floor(random() * 256);
    }
  }
  return { data, width, height };
}

describe('borders', () => {
  it('of one colour are trimmed on the sides that have them', () => {
    expect(withoutBorder(framed(200, 160, { x: 0, y: 30 }))).toMatchObject({ width: 200, height: 100 });
    expect(withoutBorder(framed(200, 160, { x: 20, y: 10 }))).toMatchObject({ width: 160, height: 140 });
  });

  it('that cover almost nothing, or everything, are not trimmed', () => {
    expect(withoutBorder(framed(200, 160, { x: 0, y: 0 }))).toBeUndefined();
    expect(withoutBorder(framed(200, 160, { x: 1, y: 1 }))).toBeUndefined();
    expect(withoutBorder(framed(200, 160, { x: 100, y: 80 }))).toBeUndefined();
  });
});
