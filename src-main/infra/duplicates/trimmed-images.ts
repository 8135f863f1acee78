import type { StoredThumbnail } from '../../core/ports/duplicates.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { ForeignSearch } from './foreign-search.ts';
import { readWorking } from './read-thumbnail.ts';
import { withoutBorder } from './trim-borders.ts';
import { type TrimmedVector, unpackVector } from './trimmed-file.ts';

/** Of those of some images that have a border, what they look like without it. */
export async function describeTrimmed(
  thumbnails: readonly StoredThumbnail[],
  describe: (images: WorkingImage[]) => Promise<(Float32Array | undefined)[]>,
): Promise<{ row: number; vector: Float32Array }[]> {
  const images = await Promise.all(
    thumbnails.map(async (thumbnail) => ({ row: thumbnail.row, image: await readWorking(thumbnail) })),
  );
  const bordered = images.flatMap(({ row, image }) => {
    const inner = image && withoutBorder(image);
    return inner ? [{ row, inner }] : [];
  });
  if (bordered.length === 0) return [];
  const vectors = await describe(bordered.map(({ inner }) => inner));
  return bordered.flatMap(({ row }, at) => {
    const vector = vectors[at];
    return vector ? [{ row, vector }] : [];
  });
}

/** Searches among images without their border, numbered from 0. */
export function searchTrimmed(
  trimmed: readonly TrimmedVector[],
  dim: number,
  options: { threads: number; signal?: AbortSignal | undefined },
): ForeignSearch {
  const read = (target: Float32Array<ArrayBuffer>) => {
    for (const [at, { vector }] of trimmed.entries()) unpackVector(vector, target.subarray(at * dim, (at + 1) * dim));
  };
  return new ForeignSearch({ count: trimmed.length, dim, read }, options);
}
