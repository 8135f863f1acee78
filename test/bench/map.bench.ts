import { mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRows } from '../../src-main/infra/projection/project-rows.ts';
import { readProjection } from '../../src-main/infra/projection/projection-file.ts';
import { principalPlaces } from '../../src-main/infra/projection/start-places.ts';
import { BuiltInEngine } from '../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { rowsWhere } from '../../src-main/infra/vectors/rows.ts';
import { neighborsKept, projectionJob } from '../unit/projection/make-projection.ts';
import { bunches, manifold } from '../unit/vectors/make-vectors.ts';
import { round, seconds } from './timing.ts';

const DIM = 256;
/** Number of rows whose neighbours are compared. */
const COMPARED = 60;
/** Share of rows that are added in the measurement of additions. */
const ADDED = 0.01;

/**
 * Measures the time to compute the map against the time to compute its neighbour graph, in seconds, and the share of a row's 15 nearest
 * neighbours on the map that are among its 15 nearest by vectors. The reference is the plane of the two principal directions. Sizes are
 * those of VITRINE_BENCH_ROWS.
 */
export async function measureMap(folder: string): Promise<object> {
  const sizes = (process.env.VITRINE_BENCH_ROWS ?? '10000,100000').split(',').map(Number);
  const figures: Record<string, object> = {};
  for (const count of sizes) {
    const groups = Math.round(Math.sqrt(count));
    figures[`bunches_${count}`] = await measureSet(
      folder,
      bunches({ count, dim: DIM, groups, spread: 0.6, seed: 3 }),
      count,
    );
    figures[`smooth_${count}`] = await measureSet(folder, manifold({ count, dim: DIM, latent: 6, seed: 3 }), count);
  }
  return figures;
}

async function measureSet(parent: string, vectors: Float32Array, count: number): Promise<object> {
  const nBefore = Math.round(count * (1 - ADDED));
  const folder = await mkdtemp(join(parent, 'map-'));
  const before = await projectionJob(folder, { vectors: vectors.subarray(0, nBefore * DIM), dim: DIM });
  await projectRows(before, {});
  let job = before;
  const graphS = await seconds(async () => {
    job = await projectionJob(folder, { vectors, dim: DIM });
  });
  const addS = await seconds(() => projectRows({ ...job, input: { ...job.input, known_file: before.input.file } }, {}));
  const mapS = await seconds(() => projectRows(job, {}));
  const engine = new BuiltInEngine(job.input.engine);
  const flat = await principalPlaces(
    engine.open(job.input.vectors),
    count,
    rowsWhere(count, () => true),
  );
  await engine.close();
  const { places } = readProjection(job.input.file);
  const compared = { stride: Math.max(1, Math.floor(count / COMPARED)) };
  return {
    graph_s: round(graphS),
    map_s: round(mapS),
    map_beside_graph: round(mapS / graphS),
    add_1_percent_s: round(addS),
    neighbors_kept: round(neighborsKept({ vectors, dim: DIM }, places, compared)),
    neighbors_kept_by_principal_plane: round(neighborsKept({ vectors, dim: DIM }, flat, compared)),
    map_bytes_per_item: round((await stat(job.input.file)).size / count),
  };
}
