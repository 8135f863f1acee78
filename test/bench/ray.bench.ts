import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { runner } from '../../src-main/contract/schemas/model-definition.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { packFile, THUMBNAIL_FOLDERS } from '../../src-main/infra/dataset-store/disk/thumbnail-packs.ts';
import { DuplicatePairRepository } from '../../src-main/infra/dataset-store/duplicates/duplicate-pair.repository.ts';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import { GenerationWriter } from '../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { DESCRIPTOR_ID } from '../../src-main/infra/inference/descriptor-shape.ts';
import { openImageEncoder } from '../../src-main/infra/inference/image-encoder.ts';
import { openParquet } from '../../src-main/infra/parquet/read-parquet.ts';
import { openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { writeArrays } from '../../src-main/infra/vectors/array-file.ts';
import { BuiltInEngine } from '../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { writeGraph } from '../../src-main/infra/vectors/built-in/graph-file.ts';
import { checksumsOf, indexFiles } from '../../src-main/infra/vectors/built-in/index-files.ts';
import { noLists } from '../../src-main/infra/vectors/built-in/inverted-lists.ts';
import { writeLists } from '../../src-main/infra/vectors/built-in/lists-file.ts';
import { writeClusters } from '../../src-main/infra/vectors/clustering/cluster-file.ts';
import { makeLevel } from '../../src-main/infra/vectors/clustering/cluster-level.ts';
import type { IndexInput } from '../../src-main/infra/vectors/index-job.ts';
import { emptyGraph } from '../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { groupByList, seededRandom } from '../../src-main/infra/vectors/rows.ts';
import { Api, json } from '../support/api.ts';
import { applyToFile } from '../support/apply-to-file.ts';
import { fillDatabase } from '../support/fill-database.ts';
import { missingAmong } from '../support/needs.ts';
import { python, pythonWith } from '../support/python.ts';
import { type RayCluster, rayEnvironment, startRayCluster } from '../support/ray-cluster.ts';
import { repository, startServer } from '../support/server.ts';
import { enterDataset, GENERATED_DATASET, layOutData } from './generated-dataset.ts';
import { followSteps, type Step } from './indexing-stages.ts';
import { type KnownVectors, readVectors, vectorOf } from './known-vectors.ts';
import { memoryOf, peakDuring } from './process-memory.ts';
import { FIRST_MS, layOutRealImages, type RealImage, STEP_MS } from './real-images.ts';
import { compareEngines, type EngineName } from './same-answers.ts';
import { quantile, round, seconds } from './timing.ts';
import { importEncoder } from './trained-encoder.ts';

/** Number of real images, and numbers of generated items; 0 leaves a part out. The full run has 5000 and 1000000. */
const IMAGES = Number(process.env.VITRINE_BENCH_IMAGES ?? 300);
const SIZES = (process.env.VITRINE_BENCH_ROWS ?? '20000').split(',').map(Number).filter(Boolean);
/** Engines that are compared with the built-in one. */
const ENGINES = (process.env.VITRINE_BENCH_ENGINES ?? 'pgvector,qdrant').split(',').filter(Boolean) as EngineName[];
/** Length of the generated vectors, and of the vectors by appearance of the same items. */
const [DIM, LOOKS_DIM] = [64, 8];
/** Share of a run after which a node is killed. */
const KILLED_AT = 1 / 3;
/** Number of images whose vectors are also computed here. */
const COMPUTED_HERE = 300;
/** Tolerance of models against their references. */
const SAME_COSINE = 0.999;
/** Rows of a part that the program for generated vectors writes. */
const PART_ROWS = 4096;
/** Thumbnail of every generated item. */
const THUMBNAIL = Buffer.from('no image');
const LIMIT_MS = 3_600_000;

/**
 * Measures runs on a Ray cluster of two nodes, of which one is killed in the middle: the list of items, the run, and the import of the results.
 * Then compares clusters, duplicates and searches of the built-in engine with those of external vector engines.
 */
export async function measureRay(media: string, folder: string): Promise<object> {
  const missing = missingAmong(pythonWith('ray', 'onnxruntime', 'pyarrow', 'PIL', 'aiohttp_cors', 'opencensus'));
  if (missing !== undefined) return { skipped: missing };
  const figures: Record<string, object> = {};
  if (IMAGES > 0) figures.real = await measureReal(media, await subfolder(folder, 'real'));
  for (const items of SIZES)
    figures[`generated_${items}`] = await measureGenerated(await subfolder(folder, `${items}`), items);
  return figures;
}

async function measureReal(media: string, folder: string): Promise<object> {
  const images = await layOutRealImages(media, join(folder, 'images'), IMAGES);
  const server = await startServer(join(folder, 'data'));
  try {
    const [api, pid] = [new Api(server.baseUrl), server.process.pid ?? 0];
    const model = await importEncoder(api);
    if (model === undefined) return { skipped: 'no encoder is among the shared models' };
    const id = await api.createFromFolder('real', join(folder, 'images'), { encoder: 'none' });
    const indexed = await followSteps(api, id, pid);
    await api.atRest(LIMIT_MS);
    const location = await subfolder(folder, 'exchange');
    const run = await onCluster((cluster) => runByVitrine({ api, pid, id, location, model, cluster }));
    const imported = await followSteps(api, id, pid, 'RESULT_IMPORT');
    await api.atRest(LIMIT_MS);
    const known = await readVectors(join(location, 'results'));
    const names = await namesOf(api, id);
    const kindOf = new Map(images.map(({ name, kind }) => [name, kind]));
    const placeOf = new Map(images.map(({ name }, nth) => [name, nth]));
    const nameOf = (mediaId: string) => names.get(mediaId) ?? '';
    const half = Math.floor(images.length / 2);
    const filters = [
      { name: 'without', vql: [], allows: () => true },
      {
        name: 'label',
        vql: [{ labels: { op: 'one_of', value: ['frame'] } }],
        allows: (one: string) => kindOf.get(nameOf(one)) === 'frame',
      },
      {
        name: 'date',
        vql: [{ taken: { op: 'range', from: new Date(FIRST_MS + half * STEP_MS).toISOString() } }],
        allows: (one: string) => (placeOf.get(nameOf(one)) ?? 0) >= half,
      },
    ];
    return {
      images: countKinds(images),
      indexing: stepsOf(indexed.steps),
      run,
      import: {
        message: imported.task.status_message,
        failed: imported.task.error_message,
        ...stepsOf(imported.steps),
      },
      vectors: known.ids.length,
      items_without: images.length - known.ids.length,
      computed_here: await compareWithLocal(join(folder, 'images'), join(location, 'model'), known, names),
      engines: await compareEngines({ api, pid, id, known, filters, engines: ENGINES }),
    };
  } finally {
    await server.stop();
  }
}

async function measureGenerated(folder: string, items: number): Promise<object> {
  const data = join(folder, 'data');
  const ids = await generate(data, items);
  const server = await startServer(data);
  try {
    const [api, pid] = [new Api(server.baseUrl), server.process.pid ?? 0];
    const exchange = await subfolder(folder, 'exchange');
    const manifest = await measured(pid, () =>
      vitrine('manifest', GENERATED_DATASET, exchange, '--url', server.baseUrl),
    );
    const results = join(exchange, 'results');
    const run = await onCluster((cluster) => runProgram(exchange, items, cluster));
    const bareS = await seconds(async () => {
      for (const name of await readdir(results)) if (name.endsWith('.parquet')) await readBare(join(results, name));
    });
    const known = await readVectors(results);
    const { status, text } = await api.call(
      'POST',
      `/dataset/${GENERATED_DATASET}/results`,
      json({ location: results }),
    );
    if (status !== 202) throw new Error(text);
    let imported: Awaited<ReturnType<typeof followSteps>> | undefined;
    const { peak_memory } = await measured(pid, async () => {
      imported = await followSteps(api, GENERATED_DATASET, pid, 'RESULT_IMPORT');
    });
    if (!imported) throw new Error('nothing was imported');
    const { task, steps } = imported;
    const importS = steps.filter(({ step }) => /check|sav/i.test(step)).reduce((sum, { wall_s }) => sum + wall_s, 0);
    await abortOthers(api);
    const rowOf = new Map(ids.map((id, row) => [id, row]));
    const filters = [
      { name: 'without', vql: [], allows: () => true },
      {
        name: 'label',
        vql: [{ labels: { op: 'one_of', value: ['class 7'] } }],
        allows: (id: string) => (rowOf.get(id) ?? 0) % 80 === 7,
      },
      {
        name: 'half_by_width',
        vql: [{ width: { op: 'range', from: items / 2 } }],
        allows: (id: string) => (rowOf.get(id) ?? 0) >= items / 2,
      },
      {
        name: 'tenth_by_date',
        vql: [{ taken: { op: 'range', to: timeOf(Math.floor(items / 10)) } }],
        allows: (id: string) => (rowOf.get(id) ?? 0) <= Math.floor(items / 10),
      },
    ];
    return {
      manifest,
      run,
      vectors: known.ids.length,
      dim: DIM,
      import: {
        message: task.status_message,
        failed: task.error_message,
        steps,
        vectors_per_s: Math.round(items / importS),
        bare_vectors_per_s: Math.round(items / bareS),
        peak_memory,
        vectors_mib: Math.round((items * DIM * 4) / 2 ** 20),
      },
      engines: await compareEngines({ api, pid, id: GENERATED_DATASET, known, filters, engines: ENGINES }),
    };
  } finally {
    await server.stop();
  }
}

/** Durations of a run in seconds, before and after a node was killed. */
interface LossOfNode {
  /** Items, or parts, that were finished when the node was killed. */
  killed_at: number;
  of: number;
  before_s: number;
  after_s: number;
}

/** Has Vitrine run its program on the cluster, whose second node is killed in the middle. @throws Error unless the run succeeds. */
async function runByVitrine(on: {
  api: Api;
  pid: number;
  id: string;
  location: string;
  model: string;
  cluster: RayCluster;
}): Promise<LossOfNode & { steps: Step[] }> {
  const { api, pid, id, location, model, cluster } = on;
  await api.call('POST', '/settings', json({ key: 'RAY_ADDRESS', value: cluster.url }));
  const { status, text } = await api.call('POST', `/dataset/${id}/ray`, json({ location, model_id: model }));
  if (status !== 202) throw new Error(text);
  let [beganMs, killedMs, killedAt, of] = [0, 0, 0, 0];
  const onLook = ({ step_message, done, total }: Task) => {
    if (step_message?.code !== 'step_computing_on_ray' || total === null || killedMs > 0) return;
    beganMs ||= performance.now();
    if (done < total * KILLED_AT) return;
    cluster.killSecondNode();
    [killedMs, killedAt, of] = [performance.now(), done, total];
  };
  const { task, steps } = await followSteps(api, id, pid, 'RAY_RUN', onLook);
  if (task.status !== 'COMPLETED') throw new Error(task.error_message ?? task.status);
  if (killedMs === 0 || killedAt >= of) throw new Error('no node was lost during the run');
  const endedMs = performance.now();
  return { killed_at: killedAt, of, ...secondsOf(beganMs, killedMs, endedMs), steps };
}

/** Runs the program that writes generated vectors. */
async function runProgram(exchange: string, items: number, cluster: RayCluster): Promise<LossOfNode> {
  const results = await subfolder(exchange, 'results');
  const nParts = Math.ceil(items / PART_ROWS);
  const beganMs = performance.now();
  const child = spawn(
    python,
    [
      join(import.meta.dirname, 'generated-vectors.py'),
      ...['--manifest', join(exchange, 'manifest.parquet'), '--results', results, '--dim', String(DIM)],
    ],
    {
      env: { ...rayEnvironment, PYTHONPATH: join(repository, 'integrations', 'ray'), RAY_ADDRESS: cluster.address },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let output = '';
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const ended = once(child, 'close');
  let [killedMs, killedAt] = [0, 0];
  while (child.exitCode === null && killedMs === 0) {
    const n = (await readdir(results)).filter((name) => name.endsWith('.parquet')).length;
    if (n >= nParts * KILLED_AT) {
      cluster.killSecondNode();
      [killedMs, killedAt] = [performance.now(), n];
    }
    await pause(20);
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(output.slice(-5000));
  if (killedMs === 0 || killedAt >= nParts) throw new Error('no node was lost during the run');
  return { killed_at: killedAt, of: nParts, ...secondsOf(beganMs, killedMs, performance.now()) };
}

function secondsOf(beganMs: number, killedMs: number, endedMs: number) {
  return { before_s: round((killedMs - beganMs) / 1000), after_s: round((endedMs - killedMs) / 1000) };
}

async function onCluster<T>(work: (cluster: RayCluster) => Promise<T>): Promise<T> {
  // Workers of Ray otherwise give way to every other program of the machine.
  const cluster = await startRayCluster({ RAY_worker_niceness: '0' });
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
  }
}

/** Computes vectors of some images without Ray, and compares them with those of the run. */
async function compareWithLocal(
  images: string,
  modelFolder: string,
  known: KnownVectors,
  names: ReadonlyMap<string, string>,
): Promise<object> {
  const described = JSON.parse(await readFile(join(modelFolder, 'vitrine.json'), 'utf8')) as { models: Described[] };
  const definition = described.models.find(({ id }) => id === known.manifest.model.id);
  const parsed = runner.parse(definition?.runner);
  if (parsed.kind !== 'image_encoder') throw new Error('the model is no encoder');
  const session = { executionProviders: ['cpu'], threads: 1 };
  const model = await openImageEncoder(modelFolder, parsed, { session, alive: () => undefined });
  const byKind: Record<string, number[]> = {};
  const step = Math.max(1, Math.floor(known.ids.length / COMPUTED_HERE));
  for (let at = 0; at < known.ids.length; at += step) {
    const id = known.ids[at] ?? '';
    const { output } = await applyToFile(model, join(images, names.get(id) ?? ''));
    if (output.kind !== 'vector') throw new Error('no vector');
    const there = vectorOf(known, id);
    const cosine = output.vector.reduce((sum, value, axis) => sum + value * (there[axis] ?? 0), 0);
    const [kind = ''] = names.get(id)?.split('-') ?? [];
    byKind[kind] = [...(byKind[kind] ?? []), cosine];
  }
  return Object.fromEntries(Object.entries(byKind).map(([kind, cosines]) => [kind, describeCosines(cosines)]));
}

function describeCosines(cosines: readonly number[]): object {
  return {
    images: cosines.length,
    median_cosine: quantile(cosines, 0.5),
    least_cosine: Math.min(...cosines),
    within_tolerance: round(cosines.filter((cosine) => cosine > SAME_COSINE).length / cosines.length),
  };
}

interface Described {
  id: string;
  runner: unknown;
}

/** Returns the file name of each item. */
async function namesOf(api: Api, id: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let page = 0; ; page += 1) {
    const path = `/explore/${id}/items?sort_by=name&page_size=500&page_number=${page}`;
    const { items } = (await api.get<ItemPage>(path)).body;
    for (const { media_id, file_name } of items) names.set(media_id, file_name);
    if (items.length < 500) return names;
  }
}

/** Aborts the tasks that follow an import, such as the map, which is not compared. */
async function abortOthers(api: Api): Promise<void> {
  const { body } = await api.get<{ tasks: Task[] }>('/tasks?page_size=50&with_service=true');
  for (const { task_id, end_time } of body.tasks) if (end_time === null) await api.post(`/tasks/${task_id}/abort`);
  await api.atRest(LIMIT_MS);
}

/**
 * Creates a data folder with a dataset of items that have a label, a width, a time, and some duplicates. By appearance they are not compared.
 * @returns Ids by row.
 */
async function generate(dataFolder: string, items: number): Promise<string[]> {
  const folder = await layOutData(dataFolder);
  const store = new GenerationWriter({ dataset_id: GENERATED_DATASET, dataFolder, folder, parquetEntryFile: '' });
  const made = { encoder_id: DESCRIPTOR_ID, dim: LOOKS_DIM };
  await store.subjects.vectors.openSpace('looks', made);
  store.close();
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  const ids = fillDatabase(db, items);
  const pack = packFile(join(folder, THUMBNAIL_FOLDERS.IMAGES), 0);
  await mkdir(dirname(pack), { recursive: true });
  await writeFile(pack, THUMBNAIL);
  db.exec(`UPDATE media SET created_at = '${timeOf(0)}', exif = NULL, format = 'jpeg', pages = 1,
    thumbnail_offset = 0, thumbnail_bytes = ${THUMBNAIL.length}, thumbnail_crc32 = ${crc32(THUMBNAIL)}`);
  db.exec(`UPDATE file SET mtime_ms = ${FIRST_MS} + (file_id - 1) * 1000`);
  const pairs = new DuplicatePairRepository(db);
  db.transaction(() => {
    for (let row = 0; row + 2 < items; row += 100) {
      pairs.add({ row_a: row, row_b: row + 1, share: 0.97 });
      if (row % 300 === 0) pairs.add({ row_a: row + 1, row_b: row + 2, share: 0.9 });
    }
  })();
  db.close();
  await publishLooks(dataFolder, folder, items);
  await enterDataset(dataFolder, items);
  return ids;
}

/** Stores random vectors, and publishes an index without neighbours, in which every item is a cluster of its own. */
async function publishLooks(dataFolder: string, folder: string, count: number): Promise<void> {
  const space = { space: 'looks', entity_type: 'IMAGES' } as const;
  const engine = new BuiltInEngine({ folder });
  const collection = engine.open({ ...space, encoder_id: DESCRIPTOR_ID, dim: LOOKS_DIM });
  const rows = Int32Array.from({ length: count }, (_, row) => row);
  const random = seededRandom(5);
  const vectors = new Float32Array(count * LOOKS_DIM);
  for (let first = 0; first < vectors.length; first += LOOKS_DIM) {
    const vector = Array.from({ length: LOOKS_DIM }, () => random() - 0.5);
    const length = Math.hypot(...vector);
    for (const [axis, value] of vector.entries()) vectors[first + axis] = value / length;
  }
  await collection.upsert(rows, vectors);
  await collection.flush();
  await engine.close();
  const store = new GenerationWriter({ dataset_id: GENERATED_DATASET, dataFolder, folder, parquetEntryFile: '' });
  const { version, input } = await store.subjects.vectors.prepareIndex('looks', 'IMAGES');
  const { clusters_file, uniqueness_file } = input as IndexInput;
  const level = makeLevel(groupByList(rows, rows, count), count);
  writeClusters(clusters_file, [level, level, level, level, level]);
  writeArrays(uniqueness_file, [new Float32Array(count)]);
  const files = indexFiles(folder, space, version);
  writeLists(files.lists, noLists(LOOKS_DIM, count));
  writeGraph(files.graph, emptyGraph(count));
  const linkageThresholds = [0.9, 0.8, 0.7, 0.6, 0.5];
  const summary = { n_clusters: [], default_level: 0, recall_estimate: 1, linkage_thresholds: linkageThresholds };
  const built = { ...summary, engine_sha256: checksumsOf(files) };
  await store.subjects.vectors.publishIndex([{ ...space, version, count, built }]);
  store.close();
}

function timeOf(row: number): string {
  return new Date(FIRST_MS + row * 1000).toISOString();
}

async function readBare(path: string): Promise<void> {
  const table = await openParquet(path);
  for await (const _batch of table.vectors('media_id', 'embedding', new AbortController().signal));
  await table.close();
}

/** Runs the command line program. */
async function vitrine(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(repository, 'out', 'main', 'vitrine.js'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`vitrine ${args.join(' ')} ended with ${code}`);
}

/** Measures the duration of some work of the server and the memory of its processes meanwhile. */
async function measured(pid: number, work: () => Promise<unknown>) {
  const started = performance.now();
  const peak = await peakDuring(() => memoryOf(pid), work);
  return { seconds: round((performance.now() - started) / 1000), peak_memory: peak };
}

function stepsOf(steps: readonly Step[]): Record<string, number> {
  return Object.fromEntries(steps.map(({ step, wall_s }) => [step, wall_s]));
}

function countKinds(images: readonly RealImage[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of images) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

async function subfolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  return path;
}
