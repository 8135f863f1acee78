import { describe, expect, it } from 'vitest';
import { type MapView, NO_COLOUR } from '../../../src-main/contract/schemas/map.ts';
import { decodeMarks, drawMarks, nearestMark, simplify } from '../../../src-renderer/features/explore/map/map-marks.ts';
import { frameOf, zoomWindow } from '../../../src-renderer/features/explore/map/use-map-window.ts';

const GROUND = 0xff000000;
const PALETTE = {
  colours: [0xff0000ff, 0xff00ff00],
  plain: 0xffaaaaaa,
  dim: 0xff222222,
  ground: GROUND,
  ring: 0xffff8800,
};

function base64(numbers: Uint8Array | Uint16Array | Uint32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}

function view(change: Partial<MapView> = {}): MapView {
  return {
    map_id: 'looks-1',
    placed_items: 3,
    waiting_items: 0,
    matching_items: 2,
    window: { x: 0, y: 0, side: 1 },
    marks: 'points',
    n_marks: 3,
    x: base64(Uint16Array.of(0, 32_768, 65_535)),
    y: base64(Uint16Array.of(0, 32_768, 0)),
    counts: base64(Uint32Array.of(1, 1, 1)),
    matching: base64(Uint32Array.of(1, 1, 0)),
    colours: base64(Uint8Array.of(1, NO_COLOUR, 0)),
    level: null,
    legend: [],
    ...change,
  };
}

const picture = (side: number) => ({
  pixels: new Uint32Array(side * side),
  width: side,
  height: side,
  left: 0,
  top: 0,
  scale: side - 1,
});

describe('marks of a map', () => {
  it('are drawn at their positions in their colours, and dimmed if they do not match', () => {
    const drawn = picture(5);
    drawMarks(decodeMarks(view()), PALETTE, drawn, 0.5);
    expect(drawn.pixels[0]).toBe(PALETTE.colours[1]);
    expect(drawn.pixels[2 * 5 + 2]).toBe(PALETTE.plain);
    expect(drawn.pixels[4]).toBe(PALETTE.dim);
    expect(drawn.pixels.filter((pixel) => pixel !== GROUND)).toHaveLength(3);
  });

  it('of cells fill them, more strongly for more items', () => {
    const cells = view({
      marks: 'cells',
      counts: base64(Uint32Array.of(1, 100, 1)),
      matching: base64(Uint32Array.of(1, 100, 1)),
    });
    const drawn = picture(513);
    drawMarks(decodeMarks(cells), PALETTE, drawn, 0.5);
    expect(drawn.pixels[256 * 513 + 256]).toBe(PALETTE.plain);
    expect(drawn.pixels[0]).not.toBe(GROUND);
    expect(drawn.pixels[0]).not.toBe(PALETTE.colours[1]);
  });

  it('are found by the pointer if they match', () => {
    const marks = decodeMarks(view());
    expect(nearestMark(marks, 0.49, 0.5, 0.05)).toBe(1);
    expect(nearestMark(marks, 0.3, 0.3, 0.05)).toBe(-1);
    expect(nearestMark(marks, 1, 0, 0.05)).toBe(-1);
  });
});

it('a line drawn by hand is reduced to its corners', () => {
  const line = Array.from({ length: 21 }, (_, at): [number, number] => (at <= 10 ? [at / 10, 0] : [1, (at - 10) / 10]));
  expect(simplify(line, 0.01)).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
});

it('zooming keeps the point under the pointer in place', () => {
  const size = { width: 800, height: 600 };
  const before = { x: 0, y: 0, side: 1 };
  const at = { x: 0.25, y: 0.75 };
  const after = zoomWindow(before, 2, at);
  expect(after.side).toBe(0.5);
  const [from, to] = [frameOf(before, size), frameOf(after, size)];
  // Both are square windows in the middle of the same view.
  expect((at.y - to.top) * to.scale).toBeCloseTo((at.y - from.top) * from.scale, 6);
});
