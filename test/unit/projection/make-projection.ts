import { join } from 'node:path';
import type { ProjectionJob } from '../../../src-main/core/ports/projection.ts';
import { type ProjectionInput, projectRows } from '../../../src-main/infra/projection/project-rows.ts';
import { type Projection, readProjection } from '../../../src-main/infra/projection/projection-file.ts';
import { BuiltInEngine } from '../../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { looksOfItems, storeVectors } from '../../support/index-request.ts';

interface Vectors {
  vectors: Float32Array;
  dim: number;
  dead?: number[];
}

/** A prepared projection job and its input. */
export type MadeProjection = ProjectionJob & { input: ProjectionInput };

/** Stores vectors and their neighbour graph, and prepares their projection. */
export async function projectionJob(folder: string, { vectors, dim, dead = [] }: Vectors): Promise<MadeProjection> {
  const count = vectors.length / dim;
  await storeVectors(folder, vectors, dim);
  const engine = new BuiltInEngine({ folder });
  const index = { version: count, count };
  await engine.open(looksOfItems(dim)).index({ ...index, base: undefined, dead_rows: dead, threads: 2 });
  await engine.close();
  return {
    space: 'looks',
    entity_type: 'IMAGES',
    count,
    index_version: count,
    input: {
      engine: { kind: 'built-in', folder },
      vectors: looksOfItems(dim),
      index,
      dead_rows: dead,
      layout: 1,
      known_file: undefined,
      file: join(folder, `${count}.projection`),
    },
  };
}

export async function project(job: MadeProjection): Promise<Projection> {
  await projectRows(job, {});
  return readProjection(job.input.file);
}

/**
 * Returns the share of the k nearest rows on the plane that are among the k nearest by vectors, for every `stride`-th row.
 * @param places x and y of each row.
 */
export function neighborsKept(
  { vectors, dim }: Vectors,
  places: Float32Array,
  { k = 15, stride = 1 }: { k?: number; stride?: number } = {},
): number {
  const count = vectors.length / dim;
  let [kept, requested] = [0, 0];
  for (let row = 0; row < count; row += stride) {
    const near = new Set(
      nearest(count, k, row, (other) => {
        let product = 0;
        for (let axis = 0; axis < dim; axis += 1) {
          product += (vectors[row * dim + axis] as number) * (vectors[other * dim + axis] as number);
        }
        return -product;
      }),
    );
    const shown = nearest(count, k, row, (other) => {
      const [dx, dy] = [0, 1].map((axis) => (places[row * 2 + axis] as number) - (places[other * 2 + axis] as number));
      return Math.hypot(dx ?? 0, dy ?? 0);
    });
    kept += shown.filter((other) => near.has(other)).length;
    requested += k;
  }
  return kept / requested;
}

function nearest(count: number, k: number, row: number, distance: (other: number) => number): number[] {
  const distances = Float64Array.from({ length: count }, (_, other) =>
    other === row ? Number.POSITIVE_INFINITY : distance(other),
  );
  return Array.from({ length: count }, (_, other) => other)
    .sort((a, b) => (distances[a] as number) - (distances[b] as number))
    .slice(0, k);
}
