import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedImage } from '../../src-main/core/ports/compute.ts';
import type { NewFile, PendingFile } from '../../src-main/core/ports/dataset-files.ts';
import { openCatalog } from '../../src-main/infra/catalog/catalog.ts';
import { createDatasetFolders } from '../../src-main/infra/dataset-store/disk/dataset-folders.ts';
import { createDatasetStores } from '../../src-main/infra/dataset-store/thread/dataset-store.client.ts';
import { LocalDatasetWriter } from '../../src-main/infra/dataset-store/thread/local-dataset-writer.ts';
import { Api } from '../support/api.ts';
import { buildIndex } from '../support/build-index.ts';
import { describedFile } from '../support/described-file.ts';
import { seeded } from '../support/images.ts';
import { silentLog } from '../support/silent-log.ts';
import { startMeasuredServer } from './measured-server.ts';
import { toMib, totalOf } from './process-memory.ts';

const DIM = 488;
const ITEMS = 100_000;
const REQUESTS = 200;
/** Rows that an addition saves at a time. */
const ADDED_AT_ONCE = 32;
const THUMBNAIL = new Uint8Array(2000);
const DATASET = '00000000-0000-4000-8000-00000000bec0';

/** Explore over HTTP on a generated dataset of 100,000 items made through the real store. */
export async function measureExplore(folder: string): Promise<unknown> {
  const dataFolder = join(folder, 'data');
  await startAndStop(dataFolder);
  await generate(dataFolder);
  const server = await startMeasuredServer(dataFolder);
  try {
    const api = new Api(server.baseUrl);
    const explore = (query: string) =>
      api.get<{ clusters: { previews: { media_id: string }[] }[] }>(`/explore/${DATASET}?${query}`);
    const openedMs = performance.now();
    const first = await explore('threshold=2');
    const coldMs = performance.now() - openedMs;
    const anchor = first.body.clusters[0]?.previews[0]?.media_id;
    const measure = async () => ({
      first_page: await timed(() => explore('threshold=2')),
      page_50: await timed(() => explore('threshold=0&page_number=50')),
      by_anchor: await timed(() => explore(`threshold=2&anchor_type=MEDIA&anchor_media_id=${anchor}`)),
    });
    const figures = {
      items: ITEMS,
      cold_open_ms: Math.round(coldMs),
      ...(await measure()),
      while_adding: await whileAdding(dataFolder, measure),
      memory_mb: toMib(totalOf(await server.memory())),
      vectors_mb: Math.round((ITEMS * DIM * 4) / 2 ** 20),
    };
    return figures;
  } finally {
    await server.stop();
  }
}

/** What `measure` gives while a writing thread adds rows, as fast as it can, as an addition of files does. */
async function whileAdding(dataFolder: string, measure: () => Promise<object>): Promise<object> {
  const main = join(import.meta.dirname, '..', '..', 'out', 'main');
  const stores = createDatasetStores({
    entries: {
      writer: join(main, 'dataset-writer.worker.js'),
      reader: join(main, 'dataset-reader.worker.js'),
      parquet: join(main, 'parquet.worker.js'),
    },
    dataFolder,
    folders: createDatasetFolders(dataFolder),
    onDamaged: () => undefined,
    maxOpen: () => 1,
    nReaders: () => 1,
    log: silentLog,
  });
  const { write } = stores.open(DATASET, 1);
  const random = seeded(11);
  const vectors = Array.from({ length: 100 }, () => near(new Float32Array(DIM), random));
  let isMeasured = false;
  const add = async (): Promise<number> => {
    let nAdded = 0;
    for (; !isMeasured; nAdded += ADDED_AT_ONCE) {
      await write.addFiles('b', newFiles(ITEMS + nAdded, ADDED_AT_ONCE));
      const files = await write.listPending('b', 'image', null, ADDED_AT_ONCE);
      await write.saveResults(files.map((file) => described(file, vectors[file.file_id % vectors.length])));
    }
    return nAdded;
  };
  const adding = add();
  try {
    const figures = await measure();
    isMeasured = true;
    return { ...figures, rows_added: await adding };
  } finally {
    isMeasured = true;
    await stores.close();
  }
}

function newFiles(first: number, count: number): NewFile[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `folder/item-${String(first + index).padStart(6, '0')}.jpg`;
    return { file_path: name, location: name, kind: 'image', size_bytes: 1, mtime_ms: 1 };
  });
}

function described(file: PendingFile, vector: Float32Array = new Float32Array(DIM)): DescribedImage {
  return describedFile(file, vector, { thumbnail: THUMBNAIL });
}

async function timed(call: () => Promise<{ status: number }>): Promise<{ p50_ms: number; p95_ms: number }> {
  const times: number[] = [];
  for (let nth = 0; nth < REQUESTS; nth += 1) {
    const started = performance.now();
    const { status } = await call();
    if (status !== 200) throw new Error(`explore answered ${status}`);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (fraction: number) => Math.round((times[Math.floor(times.length * fraction)] ?? 0) * 100) / 100;
  return { p50_ms: at(0.5), p95_ms: at(0.95) };
}

async function startAndStop(dataFolder: string): Promise<void> {
  const server = await startMeasuredServer(dataFolder);
  await server.stop();
}

/** Items around 4,000 centres of uneven size, so that clusters look like those of photos. */
async function generate(dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'datasets', DATASET, '1');
  mkdirSync(folder, { recursive: true });
  const store = new LocalDatasetWriter({ dataset_id: DATASET, dataFolder, folder, parquetEntryFile: '' });
  store.openVectorSpace('looks', { encoder_id: 'bench', dim: DIM });
  store.addSource({ source_id: 's', kind: 'folder', root: folder });
  store.addBatch({ batch_id: 'b', source_id: 's', kind: 'folder' });
  const random = seeded(7);
  const centres = Array.from({ length: 4000 }, () => Float32Array.from({ length: DIM }, () => random() - 0.5));
  for (let first = 0; first < ITEMS; first += 1000) {
    store.addFiles('b', newFiles(first, 1000));
    const results = store
      .listPending('b', 'image', null, 1000)
      .map((file) =>
        described(file, near(centres[Math.floor(random() ** 2 * centres.length)] ?? new Float32Array(DIM), random)),
      );
    store.saveResults(results);
  }
  const files = store.prepareIndex('looks', 'IMAGES');
  const options = { entityType: 'IMAGES' as const, linkageThresholds: [0.95, 0.9, 0.8, 0.7, 0.6], threads: 2 };
  store.publishIndex([await buildIndex(files, options)]);
  store.close();

  const { catalog } = await openCatalog(dataFolder);
  catalog.run(
    `INSERT INTO dataset (dataset_id, display_name, description, source_type, source_uri, owner_id, status_new, status, progress, n_images,
       n_videos, n_objects, n_file_errors, generation, preview_media_ids, created_at, updated_at)
     SELECT :id, 'bench', '', 'FOLDER', '', user_id, 'READY', 'READY', 100, :n, 0, 0, 0, 1, '["cover"]', :at, :at FROM user LIMIT 1`,
    { id: DATASET, n: ITEMS, at: new Date(0).toISOString() },
  );
  catalog.close();
}

function near(centre: Float32Array, random: () => number): Float32Array {
  const spread = 0.15 + 0.35 * random();
  const vector = centre.map((value) => value + spread * (random() - 0.5));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
