import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildNeighborGraph } from '../../src-main/infra/vectors/built-in/build-graph.ts';
import { buildLists, EXACT_ROWS } from '../../src-main/infra/vectors/built-in/build-lists.ts';
import { ExactVectorIndex } from '../../src-main/infra/vectors/built-in/exact-vector-index.ts';
import { GraphFile, writeGraph } from '../../src-main/infra/vectors/built-in/graph-file.ts';
import type { InvertedLists } from '../../src-main/infra/vectors/built-in/inverted-lists.ts';
import { InvertedVectorIndex } from '../../src-main/infra/vectors/built-in/inverted-vector-index.ts';
import { SharedVectors, sharedVectorMemory } from '../../src-main/infra/vectors/built-in/shared-vectors.ts';
import type { VectorIndex } from '../../src-main/infra/vectors/built-in/vector-index.ts';
import { agglomerate } from '../../src-main/infra/vectors/clustering/agglomerate.ts';
import { runIndexJob } from '../../src-main/infra/vectors/index-job.ts';
import { NEIGHBORS, type NeighborGraph } from '../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { RowSet } from '../../src-main/infra/vectors/row-set.ts';
import { HeldVectors } from '../../src-main/infra/vectors/row-vectors.ts';
import { rowsWhere } from '../../src-main/infra/vectors/rows.ts';
import { indexRequest, storeVectors } from '../support/index-request.ts';
import { manifold } from '../unit/vectors/make-vectors.ts';
import { layeredVectors } from './layered-vectors.ts';
import { quantile } from './timing.ts';

const DIM = 488;
const LINKAGE_THRESHOLDS = [0.92, 0.75, 0.6, 0.45, 0.32];
const THREADS = 2;
const QUERIES = 40;
/** Numbers of results per query (k). */
const ANSWERS = [10, 100, 1000];
/** Number of edges per vector of usearch, as of faiss, and numbers of candidates per search. */
const USEARCH_CONNECTIVITY = 32;
const USEARCH_EXPANSIONS = [64, 512];
/** Number of dimensions of the smooth surface. */
const LATENT = 16;

/**
 * Measures the neighbour graph, clusters, additions and single queries on generated vectors, in seconds unless a name says otherwise.
 * Layered vectors lie in clusters of clusters; smooth vectors have no clusters. References: exact search in the same run, and faiss if
 * VITRINE_BENCH_PYTHON names a Python with it; usearch if VITRINE_BENCH_USEARCH names a folder with it. Sizes are those of VITRINE_BENCH_ROWS, sets those of VITRINE_BENCH_SETS.
 */
export async function measureVectors(folder: string): Promise<object> {
  const sizes = (process.env.VITRINE_BENCH_ROWS ?? '20000,100000').split(',').map(Number);
  const sets = (process.env.VITRINE_BENCH_SETS ?? Object.keys(SETS).join(',')).split(',');
  const figures: Record<string, object> = {};
  for (const count of sizes) {
    for (const name of sets) {
      const make = SETS[name];
      if (!make) throw new Error(`no set of vectors is called ${name}`);
      figures[`${name}_${count}`] = await measureSet(folder, make(count), count);
    }
  }
  return figures;
}

const SETS: Readonly<Record<string, (count: number) => Float32Array>> = {
  layered: (count) => layeredVectors(count, DIM).next().value ?? new Float32Array(),
  smooth: (count) => manifold({ count, dim: DIM, latent: LATENT, seed: 3 }),
};

async function measureSet(folder: string, vectors: Float32Array, count: number): Promise<object> {
  const everyRow = rowsWhere(count, () => true);
  const rows = new HeldVectors(vectors, DIM);
  const source = { vectors: rows, count, threads: THREADS };
  const cpuBefore = process.cpuUsage();
  const [graphS, { graph, lists }] = await timed(async () => {
    const built = count > EXACT_ROWS ? await buildLists({ ...source, alive: everyRow }) : undefined;
    return { graph: await buildNeighborGraph({ ...source, built }), lists: built?.lists };
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const before = process.memoryUsage().rss;
  let highest = before;
  const onProgress = () => {
    highest = Math.max(highest, process.memoryUsage().rss);
  };
  const options = {
    graph,
    vectors: rows,
    rows: everyRow,
    order: lists?.rows,
    linkageThresholds: LINKAGE_THRESHOLDS,
    threads: THREADS,
    onProgress,
  };
  const [agglomerateS, levels] = await timed(async () => (await agglomerate(options)).levels(rows));
  return {
    graph_s: graphS,
    graph_cpu_s: (user + system) / 1e6,
    recall_at_24: graph.recall,
    clustering_of_graph: agglomerateS / graphS,
    clustering_memory_of_vectors: (highest - before) / vectors.byteLength,
    clusters: levels.map((level) => level.offsets.length - 1),
    ...(await measureJobs(folder, vectors, count, graphS)),
    ...(await measureQueries(folder, vectors, graph, lists)),
    faiss: await measureFaiss(folder, vectors),
  };
}

/** Measures faiss on the same vectors in a separate process. */
async function measureFaiss(folder: string, vectors: Float32Array): Promise<unknown> {
  const python = process.env.VITRINE_BENCH_PYTHON;
  if (python === undefined) return { skipped: 'VITRINE_BENCH_PYTHON names no Python that has faiss' };
  const file = join(folder, 'vectors.f32');
  await writeFile(file, new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength));
  const script = join(import.meta.dirname, 'faiss-reference.py');
  const { stdout } = await promisify(execFile)(python, [script, file, String(DIM), String(NEIGHBORS)]);
  return JSON.parse(stdout);
}

/** Measures adding 1% and reclustering, including file access, against the bare graph and a full job. */
async function measureJobs(root: string, vectors: Float32Array, count: number, graphS: number): Promise<object> {
  const folder = await mkdtemp(join(root, 'jobs-'));
  await storeVectors(folder, vectors, DIM);
  const run = (version: number, more: Partial<Parameters<typeof indexRequest>[1]> = {}) =>
    timed(() => {
      const options = { dim: DIM, count, version, linkage_thresholds: LINKAGE_THRESHOLDS, ...more };
      return runIndexJob(indexRequest(folder, options), { threads: THREADS });
    });
  // The store passes the level that is shown first.
  const old = { version: 1, count: Math.floor(count * 0.99), default_level: 2 };
  await run(1, { count: old.count });
  const [fullS] = await run(2);
  const [extendS] = await run(3, { mode: 'extend', published: old });
  const [reclusterS] = await run(4, { mode: 'recluster', published: { version: 3, count } });
  return {
    full_job_s: fullS,
    adding_1_percent_of_full: extendS / fullS,
    adding_1_percent_of_graph: extendS / graphS,
    recluster_of_full: reclusterS / fullS,
  };
}

/** Measures one query at a time, as in interactive search. */
async function measureQueries(
  folder: string,
  vectors: Float32Array,
  graph: NeighborGraph,
  lists?: InvertedLists,
): Promise<object> {
  const { count } = graph;
  const shared = new SharedVectors(DIM, sharedVectorMemory());
  const [loadS] = await timed(async () => {
    shared.extend(count, (row, n) => vectors.subarray(row * DIM, (row + n) * DIM));
    shared.extendCodes(count);
  });
  const exact = new ExactVectorIndex(shared);
  const graphFile = join(folder, 'graph.knn');
  writeGraph(graphFile, graph);
  const inverted = lists && new InvertedVectorIndex(shared, exact, lists, GraphFile.open(graphFile, count));
  const ask = async (index: Searched, k: number, allow: RowSet) => {
    const times: number[] = [];
    const answers: Set<number>[] = [];
    const cpuBefore = process.cpuUsage();
    for (let nth = 0; nth < QUERIES; nth += 1) {
      const row = Math.floor((nth * count) / QUERIES);
      const [seconds, matches] = await timed(() =>
        index.search(vectors.subarray(row * DIM, (row + 1) * DIM), k, allow),
      );
      times.push(seconds * 1000);
      answers.push(new Set(matches.map((match) => match.row)));
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), cpu: (user + system) / 1000 / QUERIES, answers };
  };
  const compare = async (k: number, allow: RowSet, index: Searched = inverted ?? exact) => {
    const truth = await ask(exact, k, allow);
    const found = index === exact ? truth : await ask(index, k, allow);
    const shares = truth.answers.map((expected, nth) => {
      const nFound = [...expected].filter((row) => found.answers[nth]?.has(row)).length;
      return nFound / expected.size;
    });
    const recall = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    return { p50_ms: found.p50, p95_ms: found.p95, cpu_ms: found.cpu, of_exact: found.p50 / truth.p50, recall };
  };
  const everyRow = RowSet.where(count, () => true);
  const tenth = RowSet.where(count, (row) => row % 10 === 0);
  const figures: Record<string, unknown> = { load_s: loadS };
  for (const k of ANSWERS) {
    figures[`query_of_${k}`] = await compare(k, everyRow);
    figures[`query_of_${k}_among_a_tenth`] = await compare(k, tenth);
  }
  figures.usearch = await measureUsearch(vectors, (index, k) => compare(k, everyRow, index));
  inverted?.close();
  shared.close();
  return figures;
}

type Searched = Pick<VectorIndex, 'search'>;

/** Measures usearch on the same vectors, if VITRINE_BENCH_USEARCH names a folder in which that npm package is installed. */
async function measureUsearch(
  vectors: Float32Array,
  compare: (index: Searched, k: number) => Promise<object>,
): Promise<object> {
  const folder = process.env.VITRINE_BENCH_USEARCH;
  if (folder === undefined) return { skipped: 'VITRINE_BENCH_USEARCH names no folder that has usearch' };
  const require = createRequire(join(folder, 'package.json'));
  const { Index, MetricKind, ScalarKind } = require('usearch') as Usearch;
  const figures: Record<string, object> = {};
  for (const expansion of USEARCH_EXPANSIONS) {
    const index = new Index({
      dimensions: DIM,
      metric: MetricKind.IP,
      quantization: ScalarKind.F32,
      connectivity: USEARCH_CONNECTIVITY,
      expansion_search: expansion,
    });
    const keys = BigUint64Array.from({ length: vectors.length / DIM }, (_, row) => BigInt(row));
    const [addS] = await timed(async () => index.add(keys, vectors, THREADS));
    const searched: Searched = {
      search: async (vector, k) => {
        const { keys: rows, distances } = index.search(vector, k, 1);
        return Array.from(rows, (row, nth) => ({ row: Number(row), similarity: 1 - (distances[nth] as number) }));
      },
    };
    const queries: Record<string, object> = {};
    for (const k of ANSWERS) queries[`query_of_${k}`] = await compare(searched, k);
    figures[`expansion_${expansion}`] = { add_s: addS, ...queries };
  }
  return figures;
}

/** The parts of usearch that are measured (https://github.com/unum-cloud/usearch, javascript). */
interface Usearch {
  Index: new (
    config: Record<string, unknown>,
  ) => {
    add: (keys: BigUint64Array, vectors: Float32Array, threads: number) => void;
    search: (vector: Float32Array, k: number, threads: number) => { keys: BigUint64Array; distances: Float32Array };
  };
  MetricKind: { IP: unknown };
  ScalarKind: { F32: unknown };
}

async function timed<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
  const start = performance.now();
  const result = await work();
  return [(performance.now() - start) / 1000, result];
}
