import type { ImageQuality } from '../../core/ports/image-quality.ts';
import type { WorkingImage } from './decode-image.ts';

/** Maximum colour difference of a grey image: tolerates the chroma noise of lossy compression. */
const GREY_TOLERANCE = 6;

/**
 * [Note: Sums of a row]
 * The sums of one row are 32-bit integers, which the processor adds several times as fast as floating-point numbers. A row of a working image
 * has at most {@link WORKING_PX} pixels, and no summand exceeds 1020², so no sum overflows.
 */
interface ColourPass {
  luma: Uint8Array;
  histogram: Uint32Array;
  colourfulness: number;
  grey_share: number;
  /** 1 for pixels with a channel at its maximum, and their number. */
  isCut: Uint8Array;
  nCut: number;
}

/** Computes the luma plane, its histogram, cut-off pixels and the opponent-colour moments in one pass over the pixels. */
function measureColour({ data, width, height }: WorkingImage): ColourPass {
  const count = width * height;
  const luma = new Uint8Array(count);
  const histogram = new Uint32Array(256);
  const isCut = new Uint8Array(count);
  let [sumRg, sumRg2, sumYb, sumYb2, grey, nCut] = [0, 0, 0, 0, 0, 0];
  for (let y = 0, pixel = 0, at = 0; y < height; y += 1) {
    // Of the row; yb is doubled, so that it is an integer.
    let [rowRg, rowRg2, rowYb, rowYb2] = [0, 0, 0, 0];
    for (const end = pixel + width; pixel < end; pixel += 1, at += 3) {
      const red = data[at] as number;
      const green = data[at + 1] as number;
      const blue = data[at + 2] as number;
      const level = (red * 19595 + green * 38470 + blue * 7471 + 32768) >> 16;
      luma[pixel] = level;
      histogram[level] = (histogram[level] as number) + 1;
      const rg = (red - green) | 0;
      const yb = (red + green - 2 * blue) | 0;
      rowRg = (rowRg + rg) | 0;
      rowRg2 = (rowRg2 + Math.imul(rg, rg)) | 0;
      rowYb = (rowYb + yb) | 0;
      rowYb2 = (rowYb2 + Math.imul(yb, yb)) | 0;
      const more = red > green ? red : green;
      const less = red > green ? green : red;
      const most = blue > more ? blue : more;
      if (most - (blue < less ? blue : less) <= GREY_TOLERANCE) grey += 1;
      if (most < CUT_OFF) continue;
      isCut[pixel] = 1;
      nCut += 1;
    }
    sumRg += rowRg;
    sumRg2 += rowRg2;
    sumYb += rowYb / 2;
    sumYb2 += rowYb2 / 4;
  }
  const meanRg = sumRg / count;
  const meanYb = sumYb / count;
  const variance = Math.max(0, sumRg2 / count - meanRg ** 2) + Math.max(0, sumYb2 / count - meanYb ** 2);
  const colourfulness = Math.sqrt(variance) + 0.3 * Math.hypot(meanRg, meanYb);
  return { luma, histogram, colourfulness, grey_share: grey / count, isCut, nCut };
}

/**
 * [Note: Overexposure]
 * Light that is too strong is cut off at a channel's maximum, and what surrounds it fades into it. The white ground of a product shot or a
 * page is cut off too, but ends at sharp edges. So the pixels a few steps outside cut-off areas decide: near white, the area is overexposed.
 */
const CUT_OFF = 252;
const [STEPS_OUTSIDE, SHARP_EDGE, FADING] = [4, 0.62, 0.74];

/** Returns the share of cut-off pixels, less where their surroundings do not fade into them. */
function measureBlown({ width, height }: WorkingImage, { luma, isCut, nCut }: ColourPass): number {
  if (nCut === 0) return 0;
  let [nOutside, sum] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    const end = (y + 1) * width - STEPS_OUTSIDE;
    for (let at = y * width + STEPS_OUTSIDE; at < end; at += 1) {
      if (isCut[at] === 0) continue;
      for (let side = -1; side <= 1; side += 2) {
        if (isCut[at + side] === 1) continue;
        nOutside += 1;
        sum += luma[at + side * STEPS_OUTSIDE] as number;
      }
    }
  }
  if (nOutside === 0) return 0;
  const fading = (sum / nOutside / 255 - SHARP_EDGE) / (FADING - SHARP_EDGE);
  return (nCut / isCut.length) * Math.min(1, Math.max(0, fading));
}

interface Detail {
  sharpness: number;
  edge_energy: number;
  edge_sharpness: number;
}

const ROW_SUMS = 10;

/**
 * Computes the sums of the inner pixels of a row: see [Note: Sums of a row].
 * @param start Index of the row's first pixel.
 * @param sums Receives the Laplacian, its square, the squared second differences and the absolute first differences in four directions.
 * @returns The sum of the gradient's magnitudes.
 */
function sumRow(luma: Uint8Array, start: number, width: number, sums: Int32Array): number {
  const [above, below] = [start - width, start + width];
  let magnitude = 0;
  let [laplacians, laplacians2] = [0, 0];
  let [bendX, bendY, bendDown, bendUp] = [0, 0, 0, 0];
  let [slopeX, slopeY, slopeDown, slopeUp] = [0, 0, 0, 0];
  // The nine pixels around the inner pixel move along the row.
  let [upLeft, up] = [luma[above] as number, luma[above + 1] as number];
  let [left, middle] = [luma[start] as number, luma[start + 1] as number];
  let [downLeft, down] = [luma[below] as number, luma[below + 1] as number];
  for (let x = 2; x < width; x += 1) {
    const upRight = luma[above + x] as number;
    const right = luma[start + x] as number;
    const downRight = luma[below + x] as number;
    const twice = middle << 1;
    const inX = (left + right - twice) | 0;
    const inY = (up + down - twice) | 0;
    const laplacian = (inX + inY) | 0;
    laplacians = (laplacians + laplacian) | 0;
    laplacians2 = (laplacians2 + Math.imul(laplacian, laplacian)) | 0;
    const dx = (right - left) | 0;
    const dy = (down - up) | 0;
    magnitude += Math.sqrt(Math.imul(dx, dx) + Math.imul(dy, dy));
    const inDown = (upLeft + downRight - twice) | 0;
    const inUp = (upRight + downLeft - twice) | 0;
    bendX = (bendX + Math.imul(inX, inX)) | 0;
    bendY = (bendY + Math.imul(inY, inY)) | 0;
    bendDown = (bendDown + Math.imul(inDown, inDown)) | 0;
    bendUp = (bendUp + Math.imul(inUp, inUp)) | 0;
    slopeX = (slopeX + Math.abs(dx)) | 0;
    slopeY = (slopeY + Math.abs(dy)) | 0;
    slopeDown = (slopeDown + Math.abs(downRight - upLeft)) | 0;
    slopeUp = (slopeUp + Math.abs(upRight - downLeft)) | 0;
    upLeft = up;
    up = upRight;
    left = middle;
    middle = right;
    downLeft = down;
    down = downRight;
  }
  sums[0] = laplacians;
  sums[1] = laplacians2;
  sums[2] = bendX;
  sums[3] = bendY;
  sums[4] = bendDown;
  sums[5] = bendUp;
  sums[6] = slopeX;
  sums[7] = slopeY;
  sums[8] = slopeDown;
  sums[9] = slopeUp;
  return magnitude;
}

/** Computes Laplacian variance, mean gradient magnitude and edge sharpness over inner pixels; zero for images without inner pixels. */
function measureDetail(luma: Uint8Array, width: number, height: number): Detail {
  const count = (width - 2) * (height - 2);
  if (width < 3 || height < 3) return { sharpness: 0, edge_energy: 0, edge_sharpness: 0 };
  let [sum, sum2, magnitude] = [0, 0, 0];
  // Sums of squared second differences and of absolute first differences: horizontal, vertical and along both diagonals.
  let [bendX, bendY, bendDown, bendUp] = [0, 0, 0, 0];
  let [slopeX, slopeY, slopeDown, slopeUp] = [0, 0, 0, 0];
  const row = new Int32Array(ROW_SUMS);
  for (let y = 1; y < height - 1; y += 1) {
    magnitude += sumRow(luma, y * width, width, row);
    sum += row[0] as number;
    sum2 += row[1] as number;
    bendX += row[2] as number;
    bendY += row[3] as number;
    bendDown += row[4] as number;
    bendUp += row[5] as number;
    slopeX += row[6] as number;
    slopeY += row[7] as number;
    slopeDown += row[8] as number;
    slopeUp += row[9] as number;
  }
  // A pixel's diagonal is √2 long: its second differences are twice those of the same edge along an axis.
  const directions = [
    { bend: bendX, slope: slopeX },
    { bend: bendY, slope: slopeY },
    { bend: bendDown / 2, slope: slopeDown },
    { bend: bendUp / 2, slope: slopeUp },
  ].filter(({ slope }) => slope > 0);
  const edgeSharpness = Math.min(...directions.map(({ bend, slope }) => (4 * bend * count) / slope ** 2));
  return {
    sharpness: sum2 / count - (sum / count) ** 2,
    edge_energy: magnitude / (2 * count),
    edge_sharpness: directions.length === 0 ? 0 : edgeSharpness,
  };
}

/** Returns the smallest level, 0 to 1, that at least `share` of the pixels do not exceed. */
function percentile(histogram: Uint32Array, count: number, share: number): number {
  let seen = 0;
  for (let level = 0; level < 256; level += 1) {
    seen += histogram[level] ?? 0;
    if (seen >= share * count) return level / 255;
  }
  return 1;
}

/** Measures brightness, contrast, sharpness, information and colour of an image. */
export function qualityStatistics(working: WorkingImage): ImageQuality {
  const colour = measureColour(working);
  const { luma, histogram, colourfulness, grey_share } = colour;
  const count = luma.length;
  let [sum, sum2, entropy] = [0, 0, 0];
  histogram.forEach((times, level) => {
    if (times === 0) return;
    sum += times * level;
    sum2 += times * level * level;
    entropy -= (times / count) * Math.log2(times / count);
  });
  const mean = sum / count;
  return {
    mean_luma: mean / 255,
    p01_luma: percentile(histogram, count, 0.01),
    p05_luma: percentile(histogram, count, 0.05),
    p50_luma: percentile(histogram, count, 0.5),
    p95_luma: percentile(histogram, count, 0.95),
    p99_luma: percentile(histogram, count, 0.99),
    contrast: Math.sqrt(Math.max(0, sum2 / count - mean ** 2)) / 255,
    ...measureDetail(luma, working.width, working.height),
    blown_share: measureBlown(working, colour),
    entropy_bits: Math.max(0, entropy),
    colourfulness,
    grey_share,
  };
}
