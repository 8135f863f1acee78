import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ResultManifest, resultManifest } from '../../src-main/contract/schemas/results.ts';
import { openParquet } from '../../src-main/infra/parquet/read-parquet.ts';
import { innerProduct } from '../../src-main/infra/vectors/rows.ts';
import { TopRows } from '../../src-main/infra/vectors/top-rows.ts';

/** Similarities that differ by less count as equal: sums of floats in another order. */
const ROUNDING = 1e-5;

/** The vectors of a result folder, read whole. */
export interface KnownVectors {
  manifest: ResultManifest;
  ids: readonly string[];
  /** Place of an item's vector among the others. */
  places: ReadonlyMap<string, number>;
  dim: number;
  vectors: Float32Array;
}

/** Reads results, and checks rows and hashes of every part. @throws Error if an item has two vectors. */
export async function readVectors(folder: string): Promise<KnownVectors> {
  const manifest = resultManifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  const { dim = 0, parts } = manifest;
  const vectors = new Float32Array(parts.reduce((sum, { rows }) => sum + rows, 0) * dim);
  const ids: string[] = [];
  for (const { file, rows, sha256 } of parts) {
    const path = join(folder, file);
    const first = ids.length;
    if (
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex') !== sha256
    )
      throw new Error(`${file} is damaged`);
    const table = await openParquet(path);
    for await (const batch of table.vectors('media_id', 'embedding', new AbortController().signal)) {
      vectors.set(batch.components, ids.length * dim);
      ids.push(...(batch.ids as string[]));
    }
    await table.close();
    if (ids.length - first !== rows) throw new Error(`${file} has ${ids.length - first} rows instead of ${rows}`);
  }
  const places = new Map(ids.map((id, at) => [id, at]));
  if (places.size !== ids.length) throw new Error(`${ids.length - places.size} items have two vectors`);
  return { manifest, ids, places, dim, vectors };
}

export function vectorOf({ dim, vectors, places }: KnownVectors, id: string): Float32Array {
  const at = places.get(id);
  if (at === undefined) throw new Error(`${id} has no vector`);
  return vectors.subarray(at * dim, (at + 1) * dim);
}

/** The least similarity among the `n` most similar items: at most `k`, fewer if fewer are allowed. */
export interface Nearest {
  n: number;
  least: number;
}

/** Compares an item with all allowed items. */
export function nearestOf(known: KnownVectors, anchor: string, k: number, isAllowed: (id: string) => boolean): Nearest {
  const { ids, dim, vectors } = known;
  const query = vectorOf(known, anchor);
  const top = new TopRows(k);
  for (const [at, id] of ids.entries()) {
    if (isAllowed(id)) top.offer(at, innerProduct(query, 0, vectors, at * dim, dim));
  }
  const best = top.best();
  return { n: best.length, least: (best.at(-1)?.similarity ?? 0) - ROUNDING };
}

/** Returns the share of the nearest items that an answer has among its first `n`. */
export function recallOf(
  known: KnownVectors,
  anchor: string,
  answer: readonly string[],
  { n, least }: Nearest,
): number {
  const query = vectorOf(known, anchor);
  const isNear = (id: string) => innerProduct(query, 0, vectorOf(known, id), 0, known.dim) >= least;
  return n === 0 ? 1 : [...new Set(answer.slice(0, n))].filter(isNear).length / n;
}
