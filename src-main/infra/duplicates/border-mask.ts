import type { Luma } from './image-planes.ts';

/** Maximum difference in grey levels between a border and the corner that it starts from. */
const ONE_LEVEL = 10;
/** Minimum share of the image that a border takes. */
const LEAST_BORDER = 0.01;
/** Minimum share of the convex hull of the rest that the rest fills: a picture does, an object on plain ground hardly ever. */
const FILLS_HULL = 0.97;
/** Pixels beside a border in which a blur mixes it with the picture. */
const BLURRED_PX = 4;

/**
 * Marks the border of an image, such as a frame, black bars, or the ground of a rotated picture, with the pixels beside it: 1 where the border
 * is. Undefined for an image without a border.
 */
export function borderMask({ width, height, data }: Luma): Uint8Array | undefined {
  const mask = new Uint8Array(width * height);
  for (const corner of [0, width - 1, (height - 1) * width, height * width - 1])
    flood({ width, height, data }, corner, mask);
  const nBorder = mask.reduce((sum, one) => sum + one, 0);
  const nInside = mask.length - nBorder;
  if (nBorder < mask.length * LEAST_BORDER || nInside === 0) return undefined;
  return nInside < hullArea(mask, width, height) * FILLS_HULL ? undefined : widened(mask, width, height);
}

/** Marks the pixels of about one level that are connected to a corner. */
function flood({ width, height, data }: Luma, corner: number, mask: Uint8Array): void {
  if (mask[corner] === 1) return;
  const level = data[corner] as number;
  const waiting = [corner];
  mask[corner] = 1;
  const visit = (at: number) => {
    if (mask[at] === 1 || Math.abs((data[at] as number) - level) > ONE_LEVEL) return;
    mask[at] = 1;
    waiting.push(at);
  };
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < width * (height - 1)) visit(at + width);
  }
}

/** Area of the convex hull of the unmarked pixels (monotone chain: Andrew 1979), from the first and the last of each row. */
function hullArea(mask: Uint8Array, width: number, height: number): number {
  const [lefts, rights]: [Point[], Point[]] = [[], []];
  for (let y = 0; y < height; y += 1) {
    const row = mask.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(0);
    if (first === -1) continue;
    for (const edge of [y, y + 1]) {
      pushConvex(lefts, [first, edge], 1);
      pushConvex(rights, [row.lastIndexOf(0) + 1, edge], -1);
    }
  }
  const corners = [...lefts, ...rights.reverse()];
  const doubled = corners.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = corners[(at + 1) % corners.length] as Point;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(doubled) / 2;
}

type Point = [x: number, y: number];

/** Adds a point to a chain from top to bottom, and removes points that are inside the hull. */
function pushConvex(chain: Point[], point: Point, side: 1 | -1): void {
  while (chain.length >= 2) {
    const [[aX, aY], [bX, bY]] = chain.slice(-2) as [Point, Point];
    if (side * ((bX - aX) * (point[1] - aY) - (bY - aY) * (point[0] - aX)) < 0) break;
    chain.pop();
  }
  chain.push(point);
}

function widened(mask: Uint8Array, width: number, height: number): Uint8Array {
  const across = new Uint8Array(mask.length);
  const all = new Uint8Array(mask.length);
  for (let at = 0; at < mask.length; at += 1) {
    if (mask[at] === 0) continue;
    const x = at % width;
    across.fill(1, at - Math.min(x, BLURRED_PX), at + Math.min(width - 1 - x, BLURRED_PX) + 1);
  }
  for (let at = 0; at < mask.length; at += 1) {
    if (across[at] === 0) continue;
    const y = Math.floor(at / width);
    for (let row = Math.max(0, y - BLURRED_PX); row <= Math.min(height - 1, y + BLURRED_PX); row += 1)
      all[at + (row - y) * width] = 1;
  }
  return all;
}
