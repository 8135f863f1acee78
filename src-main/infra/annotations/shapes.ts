import type { AnnotationBox } from './annotation-row.ts';

/** Computes the box around points. Undefined without points, or if one of them is not a number. */
export function boxAround(points: readonly (readonly [number, number])[]): AnnotationBox | undefined {
  if (points.length === 0 || !points.flat().every(Number.isFinite)) return undefined;
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Computes the box between two corners. */
export function boxBetween(left: number, top: number, right: number, bottom: number): AnnotationBox | undefined {
  return boxAround([
    [left, top],
    [right, bottom],
  ]);
}

/** Whether a box has an area. */
export function hasArea({ width, height }: AnnotationBox): boolean {
  return width > 0 && height > 0;
}
