import type { ComparisonBatch } from '../../core/ports/duplicates.ts';
import { type ComparedImage, comparedImage, compareImages } from './compare-images.ts';
import { openCv } from './open-cv.ts';
import { mirrored, readLuma } from './read-thumbnail.ts';

/** Images that are held with their features, mirrored ones apart: 200 kB each. Batches come in an order that brings them back soon. */
const MOST_HELD = 1000;

/** The least recently used first. */
const held = new Map<string, ComparedImage | undefined>();

/** Compares the pairs of a batch; what is made of an image is kept for the next. */
export async function compareBatch(
  { pairs, thumbnails }: ComparisonBatch,
  options: { onProgress: (fraction: number) => void; signal: AbortSignal },
): Promise<number[]> {
  const { cv } = await openCv();
  const thumbnailOf = new Map(thumbnails.map((thumbnail) => [thumbnail.row, thumbnail]));
  const imageOf = async (row: number, isMirrored: boolean): Promise<ComparedImage | undefined> => {
    const thumbnail = thumbnailOf.get(row);
    if (!thumbnail) return undefined;
    const key = `${thumbnail.path}:${thumbnail.offset}:${isMirrored}`;
    if (!held.has(key)) {
      const luma = await readLuma(thumbnail);
      keep(key, luma && comparedImage(cv, isMirrored ? mirrored(luma) : luma));
    }
    const image = held.get(key);
    keep(key, image);
    return image;
  };
  const shares: number[] = [];
  for (const { a, b, is_mirrored, is_aligned } of pairs) {
    options.signal.throwIfAborted();
    const [one, other] = [await imageOf(a, false), await imageOf(b, is_mirrored)];
    shares.push(one && other ? compareImages(cv, one, other, is_aligned) : 0);
    options.onProgress(shares.length / pairs.length);
  }
  return shares;
}

function keep(key: string, image: ComparedImage | undefined): void {
  held.delete(key);
  held.set(key, image);
  for (const oldest of held.keys()) {
    if (held.size <= MOST_HELD) break;
    held.delete(oldest);
  }
}
