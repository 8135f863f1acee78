import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { CLUSTERS_PER_PAGE } from '../../src-main/contract/schemas/explore.ts';
import { ISSUES } from '../../src-main/contract/schemas/issues.ts';
import { type Condition, everything, type QueryPlan, TEXT_COLUMNS } from '../../src-main/core/ports/query.ts';
import { DuplicatePairRepository } from '../../src-main/infra/dataset-store/duplicates/duplicate-pair.repository.ts';
import { GenerationReader } from '../../src-main/infra/dataset-store/thread/generation-reader.ts';
import { GenerationWriter } from '../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { writeArrays } from '../../src-main/infra/vectors/array-file.ts';
import { buildNeighborGraph } from '../../src-main/infra/vectors/built-in/build-graph.ts';
import { buildLists, EXACT_ROWS } from '../../src-main/infra/vectors/built-in/build-lists.ts';
import { BuiltInEngine } from '../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { writeGraph } from '../../src-main/infra/vectors/built-in/graph-file.ts';
import { checksumsOf, indexFiles } from '../../src-main/infra/vectors/built-in/index-files.ts';
import { noLists } from '../../src-main/infra/vectors/built-in/inverted-lists.ts';
import { writeLists } from '../../src-main/infra/vectors/built-in/lists-file.ts';
import { writeClusters } from '../../src-main/infra/vectors/clustering/cluster-file.ts';
import { makeLevel } from '../../src-main/infra/vectors/clustering/cluster-level.ts';
import type { IndexInput } from '../../src-main/infra/vectors/index-job.ts';
import { createEngineMemories } from '../../src-main/infra/vectors/open-engine.ts';
import { groupByList, seededRandom } from '../../src-main/infra/vectors/rows.ts';
import { describedFile } from '../support/described-file.ts';
import { ISSUE_LIMITS } from '../support/issue-limits.ts';
import { enterDataset, GENERATED_DATASET, layOutData } from './generated-dataset.ts';
import { measureOverHttp } from './queries-over-http.ts';

const DIM = Number(process.env.VITRINE_BENCH_DIMS ?? 512);
const TIMES = 40;
const N_LABELS = 200;
const N_FOLDERS = 97;
const BATCH = 2000;
const ITEMS_OF_CLUSTER = 25;

/**
 * Measures plans of every kind inside the store and over HTTP, in milliseconds, on generated items with labels. Sizes are those of
 * VITRINE_BENCH_ROWS.
 */
export async function measureQueries(folder: string): Promise<object> {
  const sizes = (process.env.VITRINE_BENCH_ROWS ?? '10000,100000').split(',').map(Number);
  const figures: Record<string, object> = {};
  for (const count of sizes) figures[`rows_${count}`] = await measureSize(join(folder, String(count)), count);
  return figures;
}

async function measureSize(dataFolder: string, count: number): Promise<object> {
  const folder = await layOutData(dataFolder);
  await generateLabelled(folder, count);
  await enterDataset(dataFolder, count);
  const open = async () => {
    const start = { dataset_id: GENERATED_DATASET, dataFolder, folder, parquetEntryFile: '' };
    const opened = new GenerationReader({ ...start, memories: createEngineMemories() });
    await opened.subjects.explore.listClusters({ plan: everything('IMAGES'), level: 2, page_number: 0 });
    return opened;
  };
  const firstOpenMs = await once(async () => (await open()).close());
  const opened = performance.now();
  const store = await open();
  const coldMs = performance.now() - opened;
  const anchor = store.subjects.enrichment.sampleImages(1)[0]?.media_id ?? '';
  const like = { name: 'like' as const, media_id: anchor, max_distance: null };
  const search: QueryPlan = { ...everything('IMAGES'), scores: [like] };
  const firstSearchMs = await once(() =>
    store.subjects.explore.listClusters({ plan: search, level: 2, page_number: 0 }),
  );
  // Threads load what searches read into memory after the first search is answered.
  const intoMemory = await piecesOf(store.prepare({ plans: [search], issues: [] }));
  const label = (nth: number): Condition => ({ name: 'labels', op: 'one_of', value: [`label ${nth % N_LABELS}`] });
  const wide: Condition = { name: 'width', op: 'range', from: 700 };
  const ask =
    (plan: Partial<QueryPlan>, page = 0) =>
    (nth: number) => {
      const conditions = plan.conditions ?? [];
      // Each query uses another label, so that its bitmap is not cached yet.
      const fresh = conditions.map((condition) => (condition.name === 'labels' ? label(nth) : condition));
      return store.subjects.explore.listClusters({
        plan: { ...everything('IMAGES'), ...plan, conditions: fresh },
        level: 2,
        page_number: page,
      });
    };
  const inFolder: Condition = { name: 'folders', op: 'one_of', value: ['folder 7'] };
  /** A ranked search for a different word each time. One item in {@link N_FOLDERS} has the word in its folder. */
  const byWord = (wordOf: (nth: number) => string) => (nth: number) => {
    const phrase = { op: 'phrase' as const, text: wordOf(nth), is_prefix: false };
    const words = { name: 'words' as const, query: phrase, columns: TEXT_COLUMNS };
    return ask({ conditions: [words], scores: [{ ...words, max_distance: null }] })(nth);
  };
  const issues = await firstIssues(store);
  /** Runs each query against one consistent state, as the threads do. */
  const measured = (work: (nth: number) => unknown) => timed((nth) => store.atOneMoment(() => work(nth)));
  const figures = {
    // Without cached columns, as after all columns have changed.
    first_open_ms: Math.round(firstOpenMs),
    cold_open_ms: Math.round(coldMs),
    first_search_ms: Math.round(firstSearchMs),
    then_into_memory: intoMemory,
    first_page: await measured(ask({})),
    page_50_or_last: await measured(ask({}, page50OrLast(count))),
    by_label: await measured(ask({ conditions: [label(0)] })),
    by_label_and_width: await measured(ask({ conditions: [label(0), wide] })),
    three_filters: await measured(ask({ conditions: [label(0), wide, inFolder] })),
    fts_of_1_percent: await measured(byWord((nth) => String(nth % N_FOLDERS))),
    fts_of_all_ms: Math.round(await once(() => byWord(() => 'item')(0))),
    first_issues: issues,
    first_duplicates_ms: Math.round(await once(() => listDuplicates(store, 0))),
    duplicates_page_5: await measured(() => listDuplicates(store, 5)),
    like: await measured(ask({ scores: [like] })),
    like_with_label: await measured(ask({ conditions: [label(0)], scores: [like] })),
    like_with_width: await measured(ask({ conditions: [wide], scores: [like] })),
    label_counts: await measured(async (nth) =>
      store.subjects.explore.listLabels({ ...everything('IMAGES'), conditions: [label(nth)] }, 1000),
    ),
    facets: await measured(async (nth) =>
      store.subjects.explore.countFacets({ ...everything('IMAGES'), conditions: [label(nth)] }, ISSUE_LIMITS),
    ),
    facets_of_all: await measured(async () => store.subjects.explore.countFacets(everything('IMAGES'), ISSUE_LIMITS)),
    items_by_name_page_50: await measured(async () =>
      store.subjects.explore.list({
        plan: everything('IMAGES'),
        sort: 'name',
        descending: false,
        offset: 5000,
        limit: 100,
      }),
    ),
  };
  store.close();
  const generated = {
    times: TIMES,
    vectorBytes: count * DIM * 4,
    anchor,
    label: (nth: number) => `label ${nth % N_LABELS}`,
    folder: 'folder 7',
    word: (nth: number) => String(nth % N_FOLDERS),
    page50OrLast: page50OrLast(count),
  };
  return { ...figures, over_http: await measureOverHttp(dataFolder, generated) };
}

/** Page number 50 of the clusters with 100 per page, or the last page. */
function page50OrLast(count: number): number {
  return Math.min(50, Math.ceil(count / ITEMS_OF_CLUSTER / CLUSTERS_PER_PAGE) - 1);
}

/** Returns milliseconds until issues are counted for the first time. */
function firstIssues(store: GenerationReader): Promise<{ ms: number; longest_piece_ms: number }> {
  return piecesOf(
    store.prepare({ plans: [], issues: [{ entity_type: 'IMAGES', issues: ISSUES, limits: ISSUE_LIMITS }] }),
  );
}

/** Returns the milliseconds of some work and of its longest chunk. Other calls never wait longer than for one chunk. */
async function piecesOf(
  pieces: AsyncGenerator<unknown> | undefined,
): Promise<{ ms: number; longest_piece_ms: number }> {
  let [ms, longest, isDone] = [0, 0, false];
  while (!isDone) {
    const started = performance.now();
    isDone = pieces === undefined || (await pieces.next()).done === true;
    const taken = performance.now() - started;
    ms += taken;
    longest = Math.max(longest, taken);
  }
  return { ms: Math.round(ms), longest_piece_ms: Math.round(longest) };
}

function listDuplicates(store: GenerationReader, page: number) {
  return store.subjects.duplicates.list({ conditions: [], threshold: 0.95, offset: page * 20, limit: 20 });
}

/** Makes every hundredth item a duplicate of the following one. */
function pairItems(folder: string, count: number): void {
  const db = new Database(join(folder, 'data.db'));
  const pairs = new DuplicatePairRepository(db);
  db.transaction(() => {
    for (let row = 0; row + 1 < count; row += 100) pairs.add({ row_a: row, row_b: row + 1, share: 0.97 });
  })();
  db.close();
}

/** Generates items around centres of uneven size. The centres are their clusters. */
export async function generateLabelled(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const store = new GenerationWriter({
    dataset_id: GENERATED_DATASET,
    dataFolder: folder,
    folder,
    parquetEntryFile: '',
  });
  await store.subjects.vectors.openSpace('looks', { encoder_id: 'bench', dim: DIM });
  store.subjects.intake.addSource({ source_id: 's', kind: 'folder', root: folder });
  store.subjects.intake.addBatch({ batch_id: 'b', source_id: 's', kind: 'folder' });
  const random = seededRandom(7);
  const nCentres = Math.ceil(count / ITEMS_OF_CLUSTER);
  const centres = Array.from({ length: Math.min(nCentres, 4000) }, () => unit(() => random() - 0.5));
  const groupOf = new Int32Array(count);
  const thumbnail = new Uint8Array(16);
  for (let first = 0; first < count; first += BATCH) {
    const names = Array.from(
      { length: Math.min(BATCH, count - first) },
      (_, at) => `folder ${(first / BATCH) % N_FOLDERS}/item-${first + at}.jpg`,
    );
    store.subjects.intake.addFiles(
      'b',
      names.map((name) => ({ file_path: name, location: name, kind: 'image' as const, size_bytes: 1, mtime_ms: 1 })),
    );
    const pending = store.subjects.intake.listPending('b', 'image', null, BATCH);
    await store.subjects.intake.saveResults(
      pending.map((file, at) => {
        const group = Math.floor(random() ** 2 * nCentres);
        groupOf[first + at] = group;
        const centre = centres[group % centres.length] ?? new Float32Array(DIM);
        let axis = 0;
        const vector = unit(() => (centre[axis++] ?? 0) + 0.03 * (random() - 0.5));
        return describedFile(file, vector, { width: 100 + Math.floor(random() * 900), thumbnail });
      }),
    );
    const saved = store.subjects.enrichment.listImages('models', first - 1, BATCH);
    await store.subjects.enrichment.saveImages(
      'models',
      saved.map(({ row, media_id }) => ({
        row,
        media_id,
        outputs: [
          {
            model_id: 'tagger',
            output: {
              kind: 'labels' as const,
              labels: [{ label: `label ${Math.floor(random() ** 2 * N_LABELS)}`, class_id: null, confidence: 1 }],
            },
          },
        ],
      })),
      first + BATCH,
      null,
    );
  }
  await publish(store, folder, groupOf, nCentres);
  store.close();
  pairItems(folder, count);
}

async function publish(store: GenerationWriter, folder: string, groupOf: Int32Array, nGroups: number): Promise<void> {
  const count = groupOf.length;
  const { version, input } = await store.subjects.vectors.prepareIndex('looks', 'IMAGES');
  const { clusters_file, uniqueness_file } = input as IndexInput;
  const rows = Int32Array.from(groupOf.keys());
  const level = makeLevel(groupByList(groupOf, rows, nGroups), count);
  writeClusters(clusters_file, [level, level, level, level, level]);
  writeArrays(uniqueness_file, [new Float32Array(count)]);
  const engineFiles = indexFiles(folder, { space: 'looks', entity_type: 'IMAGES' }, version);
  const engine = new BuiltInEngine({ folder });
  const collection = engine.open({ space: 'looks', entity_type: 'IMAGES', encoder_id: 'bench', dim: DIM });
  const options = { vectors: collection.vectorsOf(count), count, threads: 2 };
  await engine.close();
  const listed = count > EXACT_ROWS ? await buildLists({ ...options, alive: rows }) : undefined;
  writeLists(engineFiles.lists, listed?.lists ?? noLists(DIM, count));
  writeGraph(engineFiles.graph, await buildNeighborGraph({ ...options, built: listed }));
  const linkageThresholds = [0.9, 0.8, 0.7, 0.6, 0.5];
  const built = {
    n_clusters: [],
    default_level: 0,
    recall_estimate: 1,
    linkage_thresholds: linkageThresholds,
    engine_sha256: checksumsOf(engineFiles),
  };
  await store.subjects.vectors.publishIndex([{ space: 'looks', entity_type: 'IMAGES', version, count, built }]);
}

function unit(component: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIM }, component);
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}

async function once(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function timed(work: (nth: number) => unknown): Promise<{ p50_ms: number; p95_ms: number }> {
  const times: number[] = [];
  for (let nth = 0; nth < TIMES; nth += 1) times.push(await once(() => work(nth)));
  times.sort((a, b) => a - b);
  const at = (fraction: number) => Math.round((times[Math.floor(TIMES * fraction)] ?? 0) * 100) / 100;
  return { p50_ms: at(0.5), p95_ms: at(0.95) };
}
