import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** A small seeded random generator (mulberry32, Tommy Ettinger, public domain), so that runs are repeatable. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns JPEG bytes of a random image of soft blobs. The same seed gives the same image. Sizes are in pixels. */
export async function image(seed: number, width = 320, height = 240): Promise<Buffer> {
  const random = seeded(seed);
  const small = Buffer.from(Array.from({ length: 6 * 5 * 3 }, () => Math.floor(random() * 256)));
  return sharp(small, { raw: { width: 6, height: 5, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** Writes images `<name>-<seed>.jpg` into a folder and returns their paths. */
export async function writeImages(folder: string, seeds: readonly number[], name = 'image'): Promise<string[]> {
  const files = seeds.map((seed) => join(folder, `${name}-${String(seed).padStart(5, '0')}.jpg`));
  for (const [index, file] of files.entries()) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await image(seeds[index] ?? 0));
  }
  return files;
}
