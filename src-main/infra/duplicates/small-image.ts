import type { ColourGrid, Luma } from './image-planes.ts';
import { resample, resampleColours, turned } from './resample.ts';

/** Longest side in pixels up to which an image counts as small. */
export const SMALL_PX = 64;
/** Longest side in pixels at which small images are compared, and at which places are searched. */
const [COMPARED_PX, SEARCHED_PX] = [32, 16];
/** Sizes of one image in the other that are searched. A smaller part of 16 pixels is found in many other images. */
const SCALES = [0.95, 0.87, 0.8, 0.72, 0.65];

/** An image with zero mean and unit norm. */
export interface Patch {
  width: number;
  height: number;
  data: Float32Array;
}

/** An image turned by quarters. */
export interface Turned {
  quarters: number;
  /** Size in pixels at which images are compared. */
  width: number;
  height: number;
  /** The image stretched to a square. */
  square: Patch;
}

/** Data that is computed once per small image for all its comparisons. */
export class SmallImage {
  readonly luma: Luma;
  /** At half the size of `luma`. */
  readonly colours: ColourGrid;
  /** The image in which others are searched, and its sizes at which it is searched in others. */
  readonly searched: Luma;
  readonly patches: readonly Patch[];
  /** Upright first. */
  readonly turns: readonly Turned[];

  constructor(luma: Luma, colours: ColourGrid) {
    const scale = COMPARED_PX / Math.max(luma.width, luma.height);
    const [width, height] = [even(luma.width * scale), even(luma.height * scale)];
    this.luma = smoothed(resample(luma, width, height));
    this.colours = resampleColours(colours, width / 2, height / 2);
    this.searched = sized(this.luma, SEARCHED_PX);
    this.patches = SCALES.map((scale) => normalised(sized(this.luma, SEARCHED_PX * scale)));
    const square = resample(this.luma, SEARCHED_PX, SEARCHED_PX);
    this.turns = [0, 1, 2, 3].map((quarters) => {
      const isUpright = quarters % 2 === 0;
      return {
        quarters,
        width: isUpright ? width : height,
        height: isUpright ? height : width,
        square: normalised(turned(square, quarters)),
      };
    });
  }
}

function sized(luma: Luma, longest: number): Luma {
  const scale = longest / Math.max(luma.width, luma.height);
  return resample(luma, Math.max(2, Math.round(luma.width * scale)), Math.max(2, Math.round(luma.height * scale)));
}

function normalised({ width, height, data }: Luma): Patch {
  const mean = data.reduce((sum, level) => sum + level, 0) / data.length;
  const norm = Math.sqrt(data.reduce((sum, level) => sum + (level - mean) ** 2, 0)) || 1;
  return { width, height, data: Float32Array.from(data, (level) => (level - mean) / norm) };
}

/** Weighs each pixel with its neighbours as 1 : 2 : 1 along both axes, which removes differences from compression and resampling. */
function smoothed({ width, height, data }: Luma): Luma {
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    const [above, below] = [Math.max(0, y - 1) * width, Math.min(height - 1, y + 1) * width];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
      const line = (from: number) =>
        (data[from + left] as number) + 2 * (data[from + x] as number) + (data[from + right] as number);
      result[y * width + x] = (line(above) + 2 * line(y * width) + line(below) + 8) >> 4;
    }
  }
  return { width, height, data: result };
}

function even(px: number): number {
  return Math.max(4, 2 * Math.round(px / 2));
}
