import type { JobOptions, VectorCollection } from '../../core/ports/vector-engine.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { searchBatch } from '../vectors/neighbors/batch-search.ts';
import { RowSet } from '../vectors/row-set.ts';
import { HeldVectors } from '../vectors/row-vectors.ts';
import { withoutBorder } from './trim-borders.ts';
import { type TrimmedVector, unpackVector } from './trimmed-file.ts';

/** Searches for the nearest rows of many vectors; see {@link VectorCollection.searchMany}. */
export type SearchMany = VectorCollection['searchMany'];

/**
 * Computes vectors of images without their border, for images that have one.
 * @param images Rows and their pixels, with a longest side of about 160 pixels: descriptors use 128.
 */
export async function describeTrimmed(
  images: readonly { row: number; image: WorkingImage | undefined }[],
  describe: (images: WorkingImage[]) => Promise<(Float32Array | undefined)[]>,
): Promise<{ row: number; vector: Float32Array }[]> {
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
  const floats = new Float32Array(trimmed.length * dim);
  for (const [at, { vector }] of trimmed.entries()) unpackVector(vector, floats.subarray(at * dim, (at + 1) * dim));
  const vectors = new HeldVectors(floats, dim);
  return (queries, k, allowed) => searchBatch({ vectors }, queries, RowSet.from(allowed).toRows(), { ...options, k });
}
