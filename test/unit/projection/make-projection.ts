import { join } from 'node:path';
import type { ProjectionRequest } from '../../../src-main/core/ports/projection.ts';
import { projectRows } from '../../../src-main/infra/projection/project-rows.ts';
import { type Projection, readProjection } from '../../../src-main/infra/projection/projection-file.ts';
import { buildNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { buildLists, EXACT_ROWS } from '../../../src-main/infra/vectors/built-in/build-lists.ts';
import { VectorSegments } from '../../../src-main/infra/vectors/built-in/vector-segments.ts';
import { writeGraph } from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { rowsWhere } from '../../../src-main/infra/vectors/rows.ts';

interface Vectors {
  vectors: Float32Array;
  dim: number;
  dead?: number[];
}

/** Writes vectors and their neighbour graph, and says how to project them. */
export async function projectionRequest(
  folder: string,
  { vectors, dim, dead = [] }: Vectors,
): Promise<ProjectionRequest> {
  const count = vectors.length / dim;
  const segments = VectorSegments.open(join(folder, 'vectors'), { encoder_id: 'made', dim });
  segments.writeRows(0, vectors);
  segments.close();
  const source = { vectors, dim, count, dead: new Set(dead), threads: 2 };
  const alive = rowsWhere(count, (row) => !source.dead.has(row));
  const built = count > EXACT_ROWS ? await buildLists({ ...source, alive }) : undefined;
  const graph = await buildNeighborGraph({ ...source, built });
  const graphFile = join(folder, `${count}.knn`);
  writeGraph(graphFile, graph);
  return {
    space: 'looks',
    entity_type: 'IMAGES',
    encoder_id: 'made',
    vectors_folder: join(folder, 'vectors'),
    dim,
    count,
    dead_rows: dead,
    graph_file: graphFile,
    layout: 1,
    projection_out: join(folder, `${count}.projection`),
  };
}

export async function project(request: ProjectionRequest): Promise<Projection> {
  await projectRows(request, {});
  return readProjection(request.projection_out);
}

/**
 * The share of the k nearest rows on the plane that are among the k nearest by vectors, over every `stride`-th row.
 * @param places x and y of each row.
 */
export function neighborsKept(
  { vectors, dim }: Vectors,
  places: Float32Array,
  { k = 15, stride = 1 }: { k?: number; stride?: number } = {},
): number {
  const count = vectors.length / dim;
  let [kept, asked] = [0, 0];
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
    asked += k;
  }
  return kept / asked;
}

function nearest(count: number, k: number, row: number, distance: (other: number) => number): number[] {
  const distances = Float64Array.from({ length: count }, (_, other) =>
    other === row ? Number.POSITIVE_INFINITY : distance(other),
  );
  return Array.from({ length: count }, (_, other) => other)
    .sort((a, b) => (distances[a] as number) - (distances[b] as number))
    .slice(0, k);
}
