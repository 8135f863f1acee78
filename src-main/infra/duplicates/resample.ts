import type { ColourGrid, Luma } from './image-planes.ts';

/** Scales an image to a size: each pixel is the mean of the area that it covers, or interpolated where the image is enlarged (bilinear). */
export function resample({ width, height, data }: Luma, newWidth: number, newHeight: number): Luma {
  const across = spansOf(width, newWidth);
  const down = spansOf(height, newHeight);
  const rows = new Float32Array(newWidth * height);
  for (let y = 0; y < height; y += 1) {
    for (const [x, span] of across.entries()) {
      let sum = 0;
      for (const [at, weight] of span) sum += weight * (data[y * width + at] as number);
      rows[y * newWidth + x] = sum;
    }
  }
  const scaled = new Uint8Array(newWidth * newHeight);
  for (const [y, span] of down.entries()) {
    for (let x = 0; x < newWidth; x += 1) {
      let sum = 0;
      for (const [at, weight] of span) sum += weight * (rows[at * newWidth + x] as number);
      scaled[y * newWidth + x] = sum + 0.5;
    }
  }
  return { width: newWidth, height: newHeight, data: scaled };
}

/** Scales colours to a size, as {@link resample} scales brightness. */
export function resampleColours({ data, width, height }: ColourGrid, newWidth: number, newHeight: number): ColourGrid {
  const scaled = new Uint8Array(newWidth * newHeight * 3);
  for (let channel = 0; channel < 3; channel += 1) {
    const plane = Uint8Array.from({ length: width * height }, (_, pixel) => data[pixel * 3 + channel] as number);
    const { data: levels } = resample({ width, height, data: plane }, newWidth, newHeight);
    for (let pixel = 0; pixel < levels.length; pixel += 1) scaled[pixel * 3 + channel] = levels[pixel] as number;
  }
  return { data: scaled, width: newWidth, height: newHeight };
}

/** For each pixel of a scaled line: the pixels of the line that it is computed from, and their weights. */
function spansOf(length: number, newLength: number): (readonly [at: number, weight: number])[][] {
  const step = length / newLength;
  // A triangle as wide as two pixels, of the coarser line.
  const reach = Math.max(1, step);
  return Array.from({ length: newLength }, (_, nth) => {
    const middle = (nth + 0.5) * step - 0.5;
    const span: [number, number][] = [];
    for (let at = Math.ceil(middle - reach); at <= Math.floor(middle + reach); at += 1) {
      const weight = 1 - Math.abs(at - middle) / reach;
      if (weight > 0) span.push([Math.min(length - 1, Math.max(0, at)), weight]);
    }
    const sum = span.reduce((total, [, weight]) => total + weight, 0);
    return span.map(([at, weight]) => [at, weight / sum] as const);
  });
}

/** Turns an image clockwise by quarters. */
export function turned({ width, height, data }: Luma, quarters: number): Luma {
  if (quarters === 0) return { width, height, data };
  const isUpright = quarters === 2;
  const result: Luma = {
    width: isUpright ? width : height,
    height: isUpright ? height : width,
    data: new Uint8Array(data.length),
  };
  for (let y = 0; y < result.height; y += 1) {
    for (let x = 0; x < result.width; x += 1) {
      const [fromX, fromY] =
        quarters === 1 ? [y, height - 1 - x] : quarters === 2 ? [width - 1 - x, height - 1 - y] : [width - 1 - y, x];
      result.data[y * result.width + x] = data[fromY * width + fromX] as number;
    }
  }
  return result;
}
