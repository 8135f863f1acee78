import { describe, expect, it } from 'vitest';
import { WORKING_PX } from '../../src-main/infra/images/decode-image.ts';
import { qualityStatistics } from '../../src-main/infra/images/quality-statistics.ts';

/** An image of the largest working size whose pixels differ as much as they can: the largest sums that occur. */
function checkerboard(px: number) {
  const data = Buffer.alloc(px * px * 3);
  for (let pixel = 0; pixel < px * px; pixel += 1) {
    const isLight = (pixel + Math.floor(pixel / px)) % 2 === 0;
    data.set(isLight ? [255, 255, 0] : [0, 0, 255], pixel * 3);
  }
  return { data, width: px, height: px };
}

describe('the statistics of an image', () => {
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
