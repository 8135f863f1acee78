import type { ImageQuality } from '../../core/ports/image-quality.ts';
import type { WorkingImage } from './decode-image.ts';

/** Maximum colour difference of a grey image: tolerates the chroma noise of lossy compression. */
const GREY_TOLERANCE = 6;

interface ColourPass {
  luma: Uint8Array;
  histogram: Uint32Array;
  colourfulness: number;
  grey_share: number;
}

/** Computes the luma plane, its histogram and the opponent-colour moments in one pass over the pixels. */
function measureColour(working: WorkingImage): ColourPass {
  const { data } = working;
  const count = working.width * working.height;
  const luma = new Uint8Array(count);
  const histogram = new Uint32Array(256);
  let [sumRg, sumRg2, sumYb, sumYb2, grey] = [0, 0, 0, 0, 0];
  for (let pixel = 0, at = 0; pixel < count; pixel += 1, at += 3) {
    const red = data[at] ?? 0;
    const green = data[at + 1] ?? 0;
    const blue = data[at + 2] ?? 0;
    const level = (red * 19595 + green * 38470 + blue * 7471 + 32768) >> 16;
    luma[pixel] = level;
    histogram[level] = (histogram[level] ?? 0) + 1;
    const rg = red - green;
    const yb = (red + green) / 2 - blue;
    sumRg += rg;
    sumRg2 += rg * rg;
    sumYb += yb;
    sumYb2 += yb * yb;
    if (Math.max(red, green, blue) - Math.min(red, green, blue) <= GREY_TOLERANCE) grey += 1;
  }
  const meanRg = sumRg / count;
  const meanYb = sumYb / count;
  const variance = Math.max(0, sumRg2 / count - meanRg ** 2) + Math.max(0, sumYb2 / count - meanYb ** 2);
  const colourfulness = Math.sqrt(variance) + 0.3 * Math.hypot(meanRg, meanYb);
  return { luma, histogram, colourfulness, grey_share: grey / count };
}

/**
 * [Note: Overexposure]
 * Light that is too strong is cut off at a channel's maximum, and what surrounds it fades into it. The white ground of a product shot or a
 * page is cut off too, but ends at sharp edges. So the pixels a few steps outside cut-off areas decide: near white, the area is overexposed.
 */
const CUT_OFF = 252;
const [STEPS_OUTSIDE, SHARP_EDGE, FADING] = [4, 0.62, 0.74];

/** Returns the share of pixels with a channel at its maximum, less where their surroundings do not fade into them. */
function measureBlown({ data, width, height }: WorkingImage, luma: Uint8Array): number {
  const isCut = new Uint8Array(luma.length);
  let nCut = 0;
  for (let pixel = 0, at = 0; pixel < isCut.length; pixel += 1, at += 3) {
    if (Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) < CUT_OFF) continue;
    isCut[pixel] = 1;
    nCut += 1;
  }
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

/** Computes Laplacian variance, mean gradient magnitude and edge sharpness over inner pixels; zero for images without inner pixels. */
function measureDetail(luma: Uint8Array, width: number, height: number): Detail {
  const count = (width - 2) * (height - 2);
  if (width < 3 || height < 3) return { sharpness: 0, edge_energy: 0, edge_sharpness: 0 };
  let [sum, sum2, magnitude] = [0, 0, 0];
  // Sums of squared second differences and of absolute first differences: horizontal, vertical and along both diagonals.
  let [bendX, bendY, bendDown, bendUp] = [0, 0, 0, 0];
  let [slopeX, slopeY, slopeDown, slopeUp] = [0, 0, 0, 0];
  for (let y = 1; y < height - 1; y += 1) {
    const end = y * width + width - 1;
    for (let at = y * width + 1; at < end; at += 1) {
      const left = luma[at - 1] ?? 0;
      const right = luma[at + 1] ?? 0;
      const up = luma[at - width] ?? 0;
      const down = luma[at + width] ?? 0;
      const twice = 2 * (luma[at] ?? 0);
      const [inX, inY] = [left + right - twice, up + down - twice];
      const laplacian = inX + inY;
      sum += laplacian;
      sum2 += laplacian * laplacian;
      const dx = right - left;
      const dy = down - up;
      magnitude += Math.sqrt(dx * dx + dy * dy);
      const [upLeft, upRight] = [luma[at - width - 1] ?? 0, luma[at - width + 1] ?? 0];
      const [downLeft, downRight] = [luma[at + width - 1] ?? 0, luma[at + width + 1] ?? 0];
      const [inDown, inUp] = [upLeft + downRight - twice, upRight + downLeft - twice];
      bendX += inX * inX;
      bendY += inY * inY;
      bendDown += inDown * inDown;
      bendUp += inUp * inUp;
      slopeX += Math.abs(dx);
      slopeY += Math.abs(dy);
      slopeDown += Math.abs(downRight - upLeft);
      slopeUp += Math.abs(upRight - downLeft);
    }
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
  const { luma, histogram, colourfulness, grey_share } = measureColour(working);
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
    blown_share: measureBlown(working, luma),
    entropy_bits: Math.max(0, entropy),
    colourfulness,
    grey_share,
  };
}
