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

/** Computes Laplacian variance and mean gradient magnitude over inner pixels; zero for images without inner pixels. */
function measureDetail(luma: Uint8Array, width: number, height: number): { sharpness: number; edge_energy: number } {
  const count = (width - 2) * (height - 2);
  if (width < 3 || height < 3) return { sharpness: 0, edge_energy: 0 };
  let [sum, sum2, magnitude] = [0, 0, 0];
  for (let y = 1; y < height - 1; y += 1) {
    const end = y * width + width - 1;
    for (let at = y * width + 1; at < end; at += 1) {
      const left = luma[at - 1] ?? 0;
      const right = luma[at + 1] ?? 0;
      const up = luma[at - width] ?? 0;
      const down = luma[at + width] ?? 0;
      const laplacian = left + right + up + down - 4 * (luma[at] ?? 0);
      sum += laplacian;
      sum2 += laplacian * laplacian;
      const dx = right - left;
      const dy = down - up;
      magnitude += Math.sqrt(dx * dx + dy * dy);
    }
  }
  return { sharpness: sum2 / count - (sum / count) ** 2, edge_energy: magnitude / (2 * count) };
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
    entropy_bits: Math.max(0, entropy),
    colourfulness,
    grey_share,
  };
}
