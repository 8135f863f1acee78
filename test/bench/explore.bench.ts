import { join } from 'node:path';
import { createDatasetFolders } from '../../src-main/infra/dataset-store/disk/dataset-folders.ts';
import { createDatasetStores } from '../../src-main/infra/dataset-store/thread/dataset-store.client.ts';
import { Api, until } from '../support/api.ts';
import { image, seeded } from '../support/images.ts';
import { silentLog } from '../support/silent-log.ts';
import {
  describedItem,
  GENERATED_DATASET,
  GENERATED_DIM,
  generateDataset,
  near,
  newFiles,
} from './generated-dataset.ts';
import { startClient } from './http-client.ts';
import { startMeasuredServer } from './measured-server.ts';
import { toMib, totalOf } from './process-memory.ts';
import { latencies, seconds } from './timing.ts';

/** Number of items; `VITRINE_BENCH_ITEMS` overrides it. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 100_000);
const REQUESTS = 200;
/** Number of rows that an addition saves at a time. */
const ADDED_AT_ONCE = 32;

/** Measures Explore over HTTP on a generated dataset of 100,000 items made through the real store. */
export async function measureExplore(folder: string): Promise<unknown> {
  const dataFolder = join(folder, 'data');
  await generateDataset(dataFolder, ITEMS);
  const server = await startMeasuredServer(dataFolder);
  const client = startClient();
  try {
    const api = new Api(server.baseUrl);
    const path = `/explore/${GENERATED_DATASET}?threshold=`;
    const explore = (query: string) => client.ask(`${server.baseUrl}/api/v1${path}${query}`);
    const coldMs = await explore('2');
    const { body } = await api.get<{ clusters: { previews: { media_id: string }[] }[] }>(`${path}2`);
    const anchor = body.clusters[0]?.previews[0]?.media_id;
    const measure = async () => ({
      first_page: await latencies(REQUESTS, () => explore('2')),
      page_50: await latencies(REQUESTS, () => explore('0&page_number=50')),
      by_anchor: await latencies(REQUESTS, () => explore(`2&anchor_type=MEDIA&anchor_media_id=${anchor}`)),
    });
    const figures = {
      items: ITEMS,
      cold_open_ms: Math.round(coldMs),
      ...(await measure()),
      ...(await measureUpload(api, (anchorId) => explore(`2&anchor_type=UPLOAD&anchor_media_id=${anchorId}`))),
      while_working: await whileWorking(api, () => latencies(REQUESTS, () => explore('2'))),
      while_adding: await whileAdding(dataFolder, measure),
      memory_mb: toMib(totalOf(await server.memory())),
      vectors_mb: Math.round((ITEMS * GENERATED_DIM * 4) / 2 ** 20),
    };
    return figures;
  } finally {
    client.close();
    await server.stop();
  }
}

/** Measures search with an uploaded image: the time until the upload can be used, and the time of the similarity search. */
async function measureUpload(
  api: Api,
  search: (anchorId: string) => Promise<number>,
): Promise<{ upload: object; by_upload: object }> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await image(3))]), 'photo.jpg');
  const path = `/dataset/${GENERATED_DATASET}/search-image-similarity?entity_type=IMAGES`;
  const upload = async () => {
    const answer = await api.call<{ anchor_media_id: string }>('POST', path, { body });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  // The first upload starts the process that describes images.
  const { anchor_media_id } = (await upload()).body;
  return {
    upload: await latencies(REQUESTS, async () => (await seconds(upload)) * 1000),
    by_upload: await latencies(REQUESTS, () => search(anchor_media_id)),
  };
}

/** Runs `measure` while the dataset is exported, and while snapshots and values of a custom field are written in turn. */
async function whileWorking(api: Api, measure: () => Promise<object>): Promise<object> {
  let isMeasured = false;
  const repeat = async (work: (nth: number) => Promise<unknown>): Promise<number> => {
    let nth = 0;
    for (; !isMeasured; nth += 1) await work(nth);
    return nth;
  };
  const mediaIds = (await api.get(`/dataset/${GENERATED_DATASET}/export_media_id`)).text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trimEnd().split(',').at(-1));
  const exporting = repeat(async () => {
    const { body } = await api.get<{ id: string }>(
      `/dataset/${GENERATED_DATASET}/export_context_async?export_format=json`,
    );
    await until(
      () => api.get<{ status: string }>(`/dataset/${GENERATED_DATASET}/export_status?export_task_id=${body.id}`),
      ({ body: { status } }) => status === 'COMPLETED',
    );
  });
  const changing = repeat(async (nth) => {
    await post(api, `/dataset/${GENERATED_DATASET}/snapshot`, {});
    const tasks = `/datasets/${GENERATED_DATASET}/custom_metadata/tasks`;
    const { task_id } = await post<{ task_id: string }>(api, tasks, {
      field_name: `field ${nth}`,
      field_type: 'float',
    });
    await post(
      api,
      `${tasks}/${task_id}`,
      mediaIds.map((mediaId, value) => ({ media_id: mediaId, value })),
    );
    await until(
      () => api.get<{ status: string }>(`${tasks}/${task_id}/status`),
      ({ body }) => body.status === 'COMPLETED',
    );
  });
  try {
    const figures = await measure();
    isMeasured = true;
    return { ...figures, exports: await exporting, snapshots_and_imports: await changing };
  } finally {
    isMeasured = true;
  }
}

async function post<Body>(api: Api, path: string, body: unknown): Promise<Body> {
  const init = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await api.call<Body>('POST', path, init);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Runs `measure` while a writer thread adds rows as fast as it can, as an addition of files does. */
async function whileAdding(dataFolder: string, measure: () => Promise<object>): Promise<object> {
  const main = join(import.meta.dirname, '..', '..', 'out', 'main');
  const stores = createDatasetStores({
    entries: {
      writer: join(main, 'dataset-writer.worker.js'),
      reader: join(main, 'dataset-reader.worker.js'),
      parquet: join(main, 'parquet.worker.js'),
    },
    dataFolder,
    folders: createDatasetFolders(dataFolder, { log: silentLog }),
    listNeeded: () => [],
    onDamaged: () => undefined,
    maxOpen: () => 1,
    nReaders: () => 1,
    log: silentLog,
  });
  const { intake } = stores.open(GENERATED_DATASET, 1);
  const random = seeded(11);
  const vectors = Array.from({ length: 100 }, () => near(new Float32Array(GENERATED_DIM), random));
  let isMeasured = false;
  const add = async (): Promise<number> => {
    let nAdded = 0;
    for (; !isMeasured; nAdded += ADDED_AT_ONCE) {
      await intake.addFiles('b', newFiles(ITEMS + nAdded, ADDED_AT_ONCE));
      const files = await intake.listPending('b', 'image', null, ADDED_AT_ONCE);
      await intake.saveResults(files.map((file) => describedItem(file, vectors[file.file_id % vectors.length])));
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
