import type { Metadata } from 'sharp';
import { ImageProblem } from './image-problem.ts';

/** What one image may take, and all together where nothing else is said. */
export const DECODE_BYTES = 1024 ** 3;
/** Bytes a pixel that the WebAssembly decoders take for an image, with the copy that leaves them. */
const FALLBACK_PIXEL_BYTES: Readonly<Partial<Record<string, number>>> = { heic: 5, heif: 5 };
const MAGICK_PIXEL_BYTES = 12;

/** Waits until there is room for so many bytes. What it gives is called when they are free again, once. */
export type Borrow = (bytes: number) => Promise<() => void>;

/** Memory that is given out in the order in which it is asked for. */
export class MemoryBudget {
  readonly #totalBytes: number;
  #usedBytes = 0;
  readonly #waiting: { bytes: number; begin: () => void }[] = [];

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** @param bytes At most the budget. */
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

/** Decodes an image once there is room for it. @throws ImageProblem `too_large` when there never will be. */
export async function withMemory<T>(borrow: Borrow, bytes: number, decode: () => Promise<T>): Promise<T> {
  if (bytes > DECODE_BYTES) {
    const reason = `Decoding the image takes ${shown(bytes)} of memory, more than the limit of ${shown(DECODE_BYTES)}.`;
    throw new ImageProblem('too_large', reason);
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
 * Memory that libvips holds for an image, at most. Formats that are read line by line take little; those that come whole before the
 * first line is there (interlaced PNG, progressive JPEG, GIF, WebP, AVIF) take what all pixels take.
 */
export function libvipsBytes({ width, height, channels, depth, isProgressive, format }: Metadata): number {
  const pixels = width * height;
  if (format === 'png') return isProgressive ? pixels * channels * (depth === 'ushort' ? 2 : 1) : 0;
  // Coefficients of 16 bits; colour mostly at half the size.
  if (format === 'jpeg') return isProgressive ? pixels * 3 : 0;
  // The frame, and the one that it is drawn onto.
  if (format === 'gif') return pixels * 8;
  if (format === 'webp') return pixels * 4;
  return format === 'heif' ? pixels * 5 : 0;
}

/** Pixels that a decoder other than libvips can hold in so many bytes. */
export function fallbackPixelLimit(formatId: string, bytes: number): number {
  return Math.floor(bytes / (FALLBACK_PIXEL_BYTES[formatId] ?? MAGICK_PIXEL_BYTES));
}

function shown(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
