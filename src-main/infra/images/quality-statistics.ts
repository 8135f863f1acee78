import { readFileSync } from 'node:fs';
import type { ImageQuality } from '../../core/ports/image-quality.ts';
import { resourceFile } from '../resources.ts';
import { WORKING_PX, type WorkingImage } from './decode-image.ts';

/** Functions over one memory, compiled from tools/kernels/assembly; parameters are byte addresses, except for sizes in pixels. */
interface ImageKernels {
  measureColour: (pixels: number, count: number, luma: number, isCut: number, histogram: number, out: number) => void;
  measureDetail: (luma: number, width: number, height: number, out: number) => void;
  measureEdges: (luma: number, isCut: number, width: number, height: number, out: number) => void;
}

const PAGE_BYTES = 65_536;
const LEVELS = 256;
/** Number of sums that a kernel stores at most. */
const MAX_SUMS = 11;
/** Places in the memory of the kernels, which read and write a few bytes behind an image. */
const PLANE_BYTES = WORKING_PX ** 2 + 64;
const [SUMS_AT, HISTOGRAM_AT, LUMA_AT] = [0, MAX_SUMS * 8, MAX_SUMS * 8 + LEVELS * 4];
const CUT_AT = LUMA_AT + PLANE_BYTES;
const PIXELS_AT = CUT_AT + PLANE_BYTES;

interface Opened {
  kernels: ImageKernels;
  pixels: Uint8Array;
  histogram: Uint32Array;
  sums: Float64Array;
}

let opened: Opened | undefined;

function open(): Opened {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((PIXELS_AT + 3 * PLANE_BYTES) / PAGE_BYTES) });
  const module = new WebAssembly.Module(readFileSync(resourceFile('kernels', 'image-kernels.wasm')));
  return {
    kernels: new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as ImageKernels,
    pixels: new Uint8Array(memory.buffer, PIXELS_AT, 3 * PLANE_BYTES),
    histogram: new Uint32Array(memory.buffer, HISTOGRAM_AT, LEVELS),
    sums: new Float64Array(memory.buffer, SUMS_AT, MAX_SUMS),
  };
}

/** Returns colourfulness from the sums of opponent colours, the second of which is doubled. */
function colourfulnessOf(rg: number, rg2: number, yb: number, yb2: number, count: number): number {
  const [meanRg, meanYb] = [rg / count, yb / 2 / count];
  const variance = Math.max(0, rg2 / count - meanRg ** 2) + Math.max(0, yb2 / 4 / count - meanYb ** 2);
  return Math.sqrt(variance) + 0.3 * Math.hypot(meanRg, meanYb);
}

/**
 * [Note: Overexposure]
 * Light that is too strong is cut off at a channel's maximum, and what surrounds it fades into it. The white ground of a product shot or a
 * page is cut off too, but ends at sharp edges. So the pixels a few steps outside cut-off areas decide: near white, the area is overexposed.
 */
const [SHARP_EDGE, FADING] = [0.62, 0.74];

/** Returns the share of cut-off pixels, less where their surroundings do not fade into them. */
function blownShareOf(nCut: number, count: number, nOutside: number, sum: number): number {
  if (nOutside === 0) return 0;
  const fading = (sum / nOutside / 255 - SHARP_EDGE) / (FADING - SHARP_EDGE);
  return (nCut / count) * Math.min(1, Math.max(0, fading));
}

type Detail = Pick<ImageQuality, 'sharpness' | 'edge_energy' | 'edge_sharpness'>;

/** Returns the Laplacian's variance, the mean gradient and the sharpness of edges from the sums over inner pixels. */
function detailOf(sums: Float64Array, count: number): Detail {
  const [laplacians = 0, laplacians2 = 0, bendX = 0, bendY = 0, bendDown = 0, bendUp = 0] = sums;
  const [slopeX = 0, slopeY = 0, slopeDown = 0, slopeUp = 0, magnitude = 0] = sums.subarray(6);
  // A pixel's diagonal is √2 long: its second differences are twice those of the same edge along an axis.
  const directions = [
    { bend: bendX, slope: slopeX },
    { bend: bendY, slope: slopeY },
    { bend: bendDown / 2, slope: slopeDown },
    { bend: bendUp / 2, slope: slopeUp },
  ].filter(({ slope }) => slope > 0);
  const edgeSharpness = Math.min(...directions.map(({ bend, slope }) => (4 * bend * count) / slope ** 2));
  return {
    sharpness: laplacians2 / count - (laplacians / count) ** 2,
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

/**
 * Measures brightness, contrast, sharpness, information and colour of an image.
 * @param working Longest side at most {@link WORKING_PX}.
 */
export function qualityStatistics({ data, width, height }: WorkingImage): ImageQuality {
  opened ??= open();
  const { kernels, pixels, histogram, sums } = opened;
  const count = width * height;
  pixels.set(data);
  kernels.measureColour(PIXELS_AT, count, LUMA_AT, CUT_AT, HISTOGRAM_AT, SUMS_AT);
  const [rg = 0, rg2 = 0, yb = 0, yb2 = 0, nGrey = 0, nCut = 0] = sums;
  kernels.measureEdges(LUMA_AT, CUT_AT, width, height, SUMS_AT);
  const [nOutside = 0, sumOutside = 0] = sums;
  const hasInner = width >= 3 && height >= 3;
  if (hasInner) kernels.measureDetail(LUMA_AT, width, height, SUMS_AT);
  const detail = hasInner
    ? detailOf(sums, (width - 2) * (height - 2))
    : { sharpness: 0, edge_energy: 0, edge_sharpness: 0 };

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
    ...detail,
    blown_share: blownShareOf(nCut, count, nOutside, sumOutside),
    entropy_bits: Math.max(0, entropy),
    colourfulness: colourfulnessOf(rg, rg2, yb, yb2, count),
    grey_share: nGrey / count,
  };
}
