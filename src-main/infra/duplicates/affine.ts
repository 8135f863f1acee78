/** x' = xx·x + xy·y + x0, y' = yx·x + yy·y + y0. */
export type Affine = readonly [xx: number, xy: number, x0: number, yx: number, yy: number, y0: number];

export function inverse([xx, xy, x0, yx, yy, y0]: Affine): Affine {
  const determinant = xx * yy - xy * yx;
  const [a, b, c, d] = [yy / determinant, -xy / determinant, -yx / determinant, xx / determinant];
  return [a, b, -(a * x0 + b * y0), c, d, -(c * x0 + d * y0)];
}

/** Returns the transformation that applies `first` and then `second`. */
export function followedBy(first: Affine, second: Affine): Affine {
  const [a, b, x, c, d, y] = first;
  const [xx, xy, x0, yx, yy, y0] = second;
  return [
    xx * a + xy * c,
    xx * b + xy * d,
    xx * x + xy * y + x0,
    yx * a + yy * c,
    yx * b + yy * d,
    yx * x + yy * y + y0,
  ];
}

/** Returns by how much lengths grow, as the mean of both axes. */
export function scaleOf([xx, xy, , yx, yy]: Affine): number {
  return Math.sqrt(Math.abs(xx * yy - xy * yx));
}

/** Converts a transformation to images of half the size: the middle of their pixel x is at 2·x + 0.5 of the full image. */
export function betweenHalves([xx, xy, x0, yx, yy, y0]: Affine): Affine {
  return [xx, xy, (x0 + (xx + xy - 1) / 2) / 2, yx, yy, (y0 + (yx + yy - 1) / 2) / 2];
}

/** Whether a transformation is plausible: not mirrored, not degenerate and not scaled beyond the limits. */
export function isPlausible(
  [xx, xy, , yx, yy]: Affine,
  { max_scale, max_stretch }: { max_scale: number; max_stretch: number },
): boolean {
  const determinant = xx * yy - xy * yx;
  const squares = xx * xx + xy * xy + yx * yx + yy * yy;
  if (!(determinant > 0)) return false;
  // Singular values of the linear part.
  const spread = Math.sqrt(Math.max(0, squares * squares - 4 * determinant * determinant));
  const [largest, smallest] = [Math.sqrt((squares + spread) / 2), Math.sqrt(Math.max(0, (squares - spread) / 2))];
  return largest <= max_scale && smallest >= 1 / max_scale && largest <= smallest * max_stretch;
}
