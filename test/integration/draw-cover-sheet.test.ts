import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawCoverSheet } from '../../src-main/infra/images/draw-cover-sheet.ts';

const PX = 384;

const COLOURS = [
  [200, 40, 40],
  [40, 200, 40],
  [40, 40, 200],
  [200, 200, 40],
  [40, 200, 200],
  [200, 40, 200],
] as const;

function solid([r, g, b]: readonly [number, number, number], width = 60, height = 40): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}

/** Returns colour and opacity at a place in covers: 0.5, 0.5 is the middle of the first one, 1.5, 0.5 that of the next one. */
async function colourAt(sheet: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(sheet).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * PX) * info.width + Math.floor(x * PX)) * info.channels;
  return [...data.subarray(at, at + 4)];
}

function expectColour([r = 0, g = 0, b = 0, alpha = 0]: number[], expected: readonly number[]): void {
  expect(alpha).toBe(255);
  for (const [nth, value] of [r, g, b].entries()) expect(Math.abs(value - (expected[nth] ?? 0))).toBeLessThan(16);
}

describe('covers of clusters', () => {
  it.each([
    [1, [[0.5, 0.5, 0]]],
    [
      2,
      [
        [0.25, 0.5, 0],
        [0.75, 0.5, 1],
      ],
    ],
    [
      3,
      [
        [0.3, 0.5, 0],
        [0.8, 0.25, 1],
        [0.8, 0.75, 2],
      ],
    ],
    [
      4,
      [
        [0.25, 0.25, 0],
        [0.75, 0.25, 1],
        [0.25, 0.75, 2],
        [0.75, 0.75, 3],
      ],
    ],
    [
      5,
      [
        [0.25, 0.25, 0],
        [0.75, 0.75, 3],
      ],
    ],
    [
      6,
      [
        [0.3, 0.3, 0],
        [0.83, 0.17, 1],
        [0.83, 0.5, 2],
        [0.17, 0.83, 3],
        [0.5, 0.83, 4],
        [0.83, 0.83, 5],
      ],
    ],
  ] as const)('places %i images', async (count, places) => {
    const cover = await drawCoverSheet([await Promise.all(COLOURS.slice(0, count).map((colour) => solid(colour)))], PX);
    expect(await sharp(cover).metadata()).toMatchObject({ format: 'webp', width: 5 * PX, height: PX });
    for (const [x, y, nth] of places) expectColour(await colourAt(cover, x, y), COLOURS[nth]);
    if (count > 1) {
      const [, , , betweenAlpha] = await colourAt(cover, count === 3 ? 0.6 : count === 6 ? 2 / 3 : 0.5, 0.2);
      expect(betweenAlpha).toBeLessThan(128);
    }
  });

  it('leaves the cell of a damaged image empty', async () => {
    const cover = await drawCoverSheet(
      [[await solid(COLOURS[0]), undefined, Buffer.from('no image'), await solid(COLOURS[3])]],
      PX,
    );
    expectColour(await colourAt(cover, 0.25, 0.25), COLOURS[0]);
    expectColour(await colourAt(cover, 0.75, 0.75), COLOURS[3]);
    expect((await colourAt(cover, 0.75, 0.25))[3]).toBe(0);
    expect((await colourAt(cover, 0.25, 0.75))[3]).toBe(0);
  });

  it('places covers row by row, and leaves the place of one without images empty', async () => {
    const [red, green, blue] = await Promise.all(COLOURS.slice(0, 3).map((colour) => solid(colour)));
    const sheet = await drawCoverSheet([[red], [green], [], [undefined], [red, green], [blue]], PX);
    expect(await sharp(sheet).metadata()).toMatchObject({ width: 5 * PX, height: 2 * PX });
    expectColour(await colourAt(sheet, 0.5, 0.5), COLOURS[0]);
    expectColour(await colourAt(sheet, 1.5, 0.5), COLOURS[1]);
    expect((await colourAt(sheet, 2.5, 0.5))[3]).toBe(0);
    expect((await colourAt(sheet, 3.5, 0.5))[3]).toBe(0);
    expectColour(await colourAt(sheet, 4.25, 0.5), COLOURS[0]);
    expectColour(await colourAt(sheet, 4.75, 0.5), COLOURS[1]);
    expectColour(await colourAt(sheet, 0.5, 1.5), COLOURS[2]);
  });
});
