/** Pixels from a decoder other than libvips: interleaved RGB, 8 bits per channel, upright. */
export interface DecodedPixels {
  data: Uint8Array;
  width: number;
  height: number;
  /** Size of the file's image, if it was decoded at a reduced size. */
  full_size?: { width: number; height: number };
  channels: 3 | 4;
  /** Number of images in the file; 1 when the format allows only one. */
  pages: number;
  /** ICC profile of the pixels (default sRGB). */
  icc?: Buffer;
}

/**
 * Decodes a file that libvips cannot decode.
 * @param options `memoryBytes` is reserved for the decoder.
 * @throws ImageProblem for a corrupt file, and, before memory is allocated, for an image with more than `pixelLimit` pixels.
 */
export type FallbackDecoder = (
  bytes: Buffer,
  options: { pixelLimit: number; memoryBytes: number },
) => Promise<DecodedPixels>;
