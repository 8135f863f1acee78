import type { WorkingImage } from '../images/decode-image.ts';
import { borderMask } from './border-mask.ts';
import { findFeatures, type ImageFeatures } from './image-features.ts';
import { type ColourGrid, coloursOf, halved, type Luma, lumaOf } from './image-planes.ts';
import { type OpenCv, scoped } from './open-cv.ts';
import { SMALL_PX, SmallImage } from './small-image.ts';

/** Longest side in pixels of compared images: that of thumbnails. Smaller images are enlarged, unless they are small images. */
export const COMPARED_PX = 320;
const DETAIL = { keypoints: 400, levels: 8, step: 1.2, margin: 31 };
/** Standard deviation, in pixels of the halved image, of the blur that removes differences from compression, sharpening and rounding. */
export const BLUR_PX = 1.25;
/** Side in pixels of the cells of which a compared image stores the colour. */
const COLOUR_PX = 4;

/** Data that is computed at most once per image for all its comparisons. */
export class ComparedImage {
  readonly isSmall: boolean;
  readonly luma: Luma;
  /** Colours at a quarter of the size; at full size for a small image. */
  readonly colours: ColourGrid;
  readonly #cv: OpenCv;
  #half: Luma | undefined;
  #blurred: Uint8Array | undefined;
  #features: ImageFeatures | undefined;
  #small: SmallImage | undefined;
  #border: { mask: Uint8Array | undefined } | undefined;

  constructor(cv: OpenCv, pixels: WorkingImage) {
    this.#cv = cv;
    this.isSmall = isSmall(pixels);
    this.luma = lumaOf(pixels);
    this.colours = coloursOf(pixels, this.isSmall ? 1 : COLOUR_PX);
  }

  /** The image at half size: blurred images contain no more detail at full size. */
  get half(): Luma {
    this.#half ??= halved(this.luma);
    return this.#half;
  }

  get blurred(): Uint8Array {
    this.#blurred ??= blur(this.#cv, this.half, BLUR_PX);
    return this.#blurred;
  }

  /** Where the halved image has a border; undefined for an image without one. */
  get border(): Uint8Array | undefined {
    this.#border ??= { mask: borderMask(this.half) };
    return this.#border.mask;
  }

  /** Corners for the comparison: copies of equal size need none. */
  get features(): ImageFeatures {
    this.#features ??= findFeatures(this.#cv, this.luma, DETAIL);
    return this.#features;
  }

  /** The image at the size at which small images are compared. */
  get small(): SmallImage {
    this.#small ??= new SmallImage(this.luma, this.colours);
    return this.#small;
  }
}

/** Whether an image has too few pixels for corners. */
export function isSmall({ width, height }: { width: number; height: number }): boolean {
  return Math.max(width, height) <= SMALL_PX;
}

export function blur(cv: OpenCv, image: Luma, blurPx: number): Uint8Array {
  return scoped((scope) => {
    const target = scope.own(new cv.Mat());
    const source = scope.own(cv.matFromArray(image.height, image.width, cv.CV_8UC1, image.data));
    cv.GaussianBlur(source, target, new cv.Size(0, 0), blurPx);
    return target.data.slice();
  });
}
