/** Pixels from a decoder other than libvips: RGB, interleaved, 8 bits, upright. */
export interface DecodedPixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 3 | 4;
  /** Images in the file; 1 when it cannot hold more. */
  pages: number;
  /** Colour profile the pixels are in; sRGB where there is none. */
  icc?: Buffer;
}

/**
 * Decodes a whole file that libvips cannot. Throws ImageProblem for corrupt files and for images above `pixelLimit` pixels,
 * before it allocates them.
 */
export type FallbackDecoder = (bytes: Buffer, options: { pixelLimit: number }) => Promise<DecodedPixels>;
