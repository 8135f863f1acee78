import type { StoredThumbnail } from '../../core/ports/duplicates.ts';
import type { JobOptions, VectorCollection } from '../../core/ports/vector-engine.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { QUERY_ROOM, searchBatch } from '../vectors/neighbors/batch-search.ts';
import { RowSet } from '../vectors/row-set.ts';
import { readPixels } from './read-thumbnail.ts';
import { withoutBorder } from './trim-borders.ts';
import { type TrimmedVector, unpackVector } from './trimmed-file.ts';

/** Longest side in pixels at which borders are searched. Descriptors use 128 pixels. */
const TRIMMED_PX = 160;

/** Searches for the nearest rows of many vectors; see {@link VectorCollection.searchMany}. */
export type SearchMany = VectorCollection['searchMany'];

/** Computes vectors of images without their border, for images that have one. */
export async function describeTrimmed(
  thumbnails: readonly StoredThumbnail[],
  describe: (images: WorkingImage[]) => Promise<(Float32Array | undefined)[]>,
): Promise<{ row: number; vector: Float32Array }[]> {
  const images = await Promise.all(
    thumbnails.map(async (thumbnail) => ({ row: thumbnail.row, image: await readPixels(thumbnail, TRIMMED_PX) })),
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

/** Searches exactly among vectors of images without their border, numbered from 0. */
export function searchTrimmed(trimmed: readonly TrimmedVector[], dim: number, options: JobOptions): SearchMany {
  const count = trimmed.length;
  const vectors = new Float32Array((count + QUERY_ROOM) * dim);
  for (const [at, { vector }] of trimmed.entries()) unpackVector(vector, vectors.subarray(at * dim, (at + 1) * dim));
  return (queries, k, allowed) =>
    searchBatch({ vectors, dim, count }, queries, RowSet.from(allowed).toRows(), { ...options, k });
}
