import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agglomerate } from '../../src-main/infra/vectors/agglomerate.ts';
import { buildNeighborGraph } from '../../src-main/infra/vectors/build-graph.ts';
import { buildLists, EXACT_ROWS } from '../../src-main/infra/vectors/build-lists.ts';
import { ExactVectorIndex } from '../../src-main/infra/vectors/exact-vector-index.ts';
import { runIndexJob } from '../../src-main/infra/vectors/index-job.ts';
import type { InvertedLists } from '../../src-main/infra/vectors/inverted-lists.ts';
import { InvertedVectorIndex } from '../../src-main/infra/vectors/inverted-vector-index.ts';
import { RowSet } from '../../src-main/infra/vectors/row-set.ts';
import { rowsWhere, seededRandom } from '../../src-main/infra/vectors/rows.ts';
import { SharedVectors, sharedVectorMemory } from '../../src-main/infra/vectors/shared-vectors.ts';
import { VectorSegments } from '../../src-main/infra/vectors/vector-segments.ts';

const DIM = 488;
const CUTS = [0.92, 0.75, 0.6, 0.45, 0.32];
const THREADS = 2;
const QUERIES = 40;

/** Neighbour graph, clusters, additions and single queries on generated vectors; seconds unless a name says otherwise. */
export async function measureVectors(): Promise<object> {
  return { rows_20000: await measureSize(20_000), rows_100000: await measureSize(100_000) };
}

async function measureSize(count: number): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-vectors-'));
  try {
    const vectors = layered(count);
    const everyRow = rowsWhere(count, () => true);
    const source = { vectors, dim: DIM, count, threads: THREADS };
    const [graphS, { graph, lists }] = await timed(async () => {
      const built = count > EXACT_ROWS ? await buildLists({ ...source, alive: everyRow }) : undefined;
      return { graph: await buildNeighborGraph({ ...source, built }), lists: built?.lists };
    });
    const before = process.memoryUsage().rss;
    let highest = before;
    const onProgress = () => {
      highest = Math.max(highest, process.memoryUsage().rss);
    };
    const options = { graph, vectors, dim: DIM, rows: everyRow, cuts: CUTS, threads: THREADS, onProgress };
    const [agglomerateS, levels] = await timed(() => agglomerate(options));
    return {
      graph_s: graphS,
      recall_at_24: graph.recall,
      agglomerate_s: agglomerateS,
      agglomerate_memory_of_vectors: (highest - before) / vectors.byteLength,
      clusters: levels.map((level) => level.offsets.length - 1),
      largest: levels.map((level) => level.offsets[1]),
      ...(await measureJobs(folder, vectors, count)),
      ...(await measureQueries(vectors, count, lists)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adding 1% and clustering again, as shares of a full job's time, files included. */
async function measureJobs(folder: string, vectors: Float32Array, count: number): Promise<object> {
  const at = (name: string) => join(folder, name);
  const segments = VectorSegments.open(at('vectors'), { encoder_id: 'bench', dim: DIM });
  segments.writeRows(0, vectors);
  segments.close();
  const job = (name: string) => ({
    vectors_folder: at('vectors'),
    dim: DIM,
    count,
    graph_out: at(`${name}.knn`),
    clusters_out: at(`${name}.clusters`),
    uniqueness_out: at(`${name}.uniqueness`),
    lists_out: at(`${name}.lists`),
    cuts: CUTS,
    threads: THREADS,
  });
  const known = { graph_in: at('old.knn'), clusters_in: at('old.clusters'), lists_in: at('old.lists') };
  await runIndexJob({ ...job('old'), mode: 'full', count: Math.floor(count * 0.99) }, {});
  const [fullS] = await timed(() => runIndexJob({ ...job('full'), mode: 'full' }, {}));
  const [extendS] = await timed(() => runIndexJob({ ...job('more'), mode: 'extend', ...known }, {}));
  const [reclusterS] = await timed(() =>
    runIndexJob({ ...job('anew'), mode: 'recluster', graph_in: at('more.knn'), lists_in: at('more.lists') }, {}),
  );
  return {
    full_job_s: fullS,
    extend_1_percent_of_full: extendS / fullS,
    recluster_of_full: reclusterS / fullS,
  };
}

/** One query at a time, 100 answers each, as the interactive search asks. */
async function measureQueries(vectors: Float32Array, count: number, lists?: InvertedLists): Promise<object> {
  const shared = new SharedVectors(DIM, sharedVectorMemory());
  const [loadS] = await timed(async () =>
    shared.extend(count, (row, n) => vectors.subarray(row * DIM, (row + n) * DIM)),
  );
  const exact = new ExactVectorIndex(shared);
  const index = lists ? new InvertedVectorIndex(shared, exact, lists) : exact;
  const ask = async (allow: RowSet) => {
    const [seconds] = await timed(async () => {
      for (let nth = 0; nth < QUERIES; nth += 1) {
        const row = Math.floor((nth * count) / QUERIES);
        await index.search(vectors.subarray(row * DIM, (row + 1) * DIM), 100, allow);
      }
    });
    return (seconds * 1000) / QUERIES;
  };
  const figures = {
    load_s: loadS,
    query_ms: await ask(RowSet.where(count, () => true)),
    query_among_a_tenth_ms: await ask(RowSet.where(count, (row) => row % 10 === 0)),
  };
  shared.close();
  return figures;
}

async function timed<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
  const start = performance.now();
  const result = await work();
  return [(performance.now() - start) / 1000, result];
}

/** Unit vectors in layers, as photos come: 40 kinds of image, in them subjects, in those scenes of about 30 images, uneven in size. */
function layered(count: number): Float32Array {
  const random = seededRandom(5);
  const around = (rows: number, centres: Float32Array, spread: number): Float32Array => {
    const made = new Float32Array(rows * DIM);
    const nCentres = centres.length / DIM;
    for (let row = 0; row < rows; row += 1) {
      const centre = Math.floor(random() ** 1.5 * nCentres) * DIM;
      const ownSpread = spread * (0.4 + 1.2 * random());
      for (let axis = 0; axis < DIM; axis += 1) {
        made[row * DIM + axis] = (centres[centre + axis] ?? 0) + ownSpread * (random() + random() + random() - 1.5);
      }
    }
    return made;
  };
  const kinds = around(40, new Float32Array(DIM), 1);
  const subjects = around(Math.ceil(count / 500), kinds, 0.9);
  const scenes = around(Math.ceil(count / 30), subjects, 0.6);
  const vectors = around(count, scenes, 0.4);
  for (let row = 0; row < count; row += 1) {
    let squares = 0;
    for (let axis = 0; axis < DIM; axis += 1) squares += (vectors[row * DIM + axis] ?? 0) ** 2;
    const scale = 1 / Math.sqrt(squares);
    for (let axis = 0; axis < DIM; axis += 1) {
      vectors[row * DIM + axis] = (vectors[row * DIM + axis] ?? 0) * scale;
    }
  }
  return vectors;
}
