import type { Metadata } from 'sharp';
import { message } from '../../contract/messages.ts';
import { ImageProblem } from './image-problem.ts';

/** Maximum memory in bytes for decoding one image, and for all images together unless another budget is given. */
export const DECODE_BYTES = 1024 ** 3;
/** Bytes per pixel that the WebAssembly decoders need, including the copy that leaves their memory. */
const FALLBACK_PIXEL_BYTES: Readonly<Partial<Record<string, number>>> = { heic: 5, heif: 5 };
const MAGICK_PIXEL_BYTES = 12;

/** Waits until this many bytes are available and reserves them. The caller calls the returned function once to release them. */
export type Borrow = (bytes: number) => Promise<() => void>;

/** A memory budget that serves requests in order. */
export class MemoryBudget {
  readonly #totalBytes: number;
  #usedBytes = 0;
  readonly #waiting: { bytes: number; begin: () => void }[] = [];

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** @param bytes Number of bytes; not more than the budget. */
  async borrow(bytes: number): Promise<() => void> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ bytes, begin });
      this.#admit();
    });
    return () => {
      this.#usedBytes -= bytes;
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#usedBytes + next.bytes > this.#totalBytes) return;
      this.#waiting.shift();
      this.#usedBytes += next.bytes;
      next.begin();
    }
  }
}

/**
 * Decodes an image once enough memory is available.
 * @throws ImageProblem `too_large` when the image needs more than the whole budget.
 */
export async function withMemory<T>(borrow: Borrow, bytes: number, decode: () => Promise<T>): Promise<T> {
  if (bytes > DECODE_BYTES) {
    const sizes = { needed: shown(bytes), limit: shown(DECODE_BYTES) };
    throw new ImageProblem('too_large', message('image_memory_above_limit', sizes));
  }
  if (bytes === 0) return decode();
  const giveBack = await borrow(bytes);
  try {
    return await decode();
  } finally {
    giveBack();
  }
}

/**
 * Maximum memory in bytes that libvips needs for an image. Formats that are decoded line by line need little; those that must be decoded
 * completely before the first line is available (interlaced PNG, progressive JPEG, GIF, WebP, AVIF) need memory for all pixels.
 */
export function libvipsBytes({ width, height, channels, depth, isProgressive, format }: Metadata): number {
  const pixels = width * height;
  if (format === 'png') return isProgressive ? pixels * channels * (depth === 'ushort' ? 2 : 1) : 0;
  // Coefficients of 16 bits; chroma is mostly stored at half the size.
  if (format === 'jpeg') return isProgressive ? pixels * 3 : 0;
  // The frame, and the canvas that it is drawn on.
  if (format === 'gif') return pixels * 8;
  if (format === 'webp') return pixels * 4;
  return format === 'heif' ? pixels * 5 : 0;
}

/**
 * Maximum number of pixels that a decoder other than libvips can process in this many bytes. JPEG 2000 has no limit here: its decoder
 * reduces the size of large images.
 */
export function fallbackPixelLimit(formatId: string, bytes: number): number {
  if (formatId === 'jp2') return Number.POSITIVE_INFINITY;
  return Math.floor(bytes / (FALLBACK_PIXEL_BYTES[formatId] ?? MAGICK_PIXEL_BYTES));
}

function shown(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
