import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { EncoderList, EnrichmentContext } from '../../src-main/contract/schemas/model.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { type ModelHub, sha256Of, startModelHub } from '../support/model-hub.ts';
import { type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TINY_RUNNER, tinyEncoder } from '../support/tiny-encoder.ts';

const MODEL = tinyEncoder(1_000_000);
const PATH = '/someone/tiny/resolve/main/onnx/model.onnx';
/** Number of images, more than one encoder batch. */
const IMAGES = 80;
/** Number of boxes per image. */
const BOXES = 8;

let hub: ModelHub;
let data: string;
let environment: Record<string, string>;
let server: Server;
let api: Api;
let images: string;

beforeAll(async () => {
  hub = await startModelHub({ [PATH]: MODEL });
  atEnd(() => hub.close());
  const catalogue = join(await temporaryFolder(atEnd), 'models.json');
  const files = [
    { path: 'model.onnx', remote_path: 'onnx/model.onnx', size_bytes: MODEL.length, sha256: sha256Of(MODEL) },
  ];
  const about = { name: 'Tiny', description: '', type: 'MULTIMODEL_IMAGE_ENCODING', runner: TINY_RUNNER };
  const source = { hub_repository: 'someone/tiny' };
  await writeFile(
    catalogue,
    JSON.stringify({
      packages: [{ id: 'tiny', name: 'Tiny', vendor: '', licence: '', source, files }],
      models: [{ id: 'tiny', package_id: 'tiny', ...about }],
    }),
  );
  environment = {
    VITRINE_MODELS_CATALOGUE: catalogue,
    VITRINE_MODELS_HUB_URL: hub.url,
  };
  data = await temporaryFolder(atEnd);
  await start();
  atEnd(() => server.stop().then(() => undefined));
  images = await temporaryFolder(atEnd);
  await writeImages(
    images,
    Array.from({ length: IMAGES }, (_, seed) => seed),
  );
});

it('applies the chosen encoder of a dataset as soon as it is installed, even after a restart', async () => {
  const { body: listed } = await api.get<EncoderList>('/encoders');
  expect(listed.encoders).toMatchObject([{ model_id: 'tiny', installed: false, can_download: true }]);
  const id = await create('tiny');
  await api.waitFor(id, 'READY');
  expect(await contextOf(id)).toMatchObject({ wanted_encoder: 'tiny', status: 'NEW' });
  expect(await encoderOf(id)).toBeUndefined();
  const plain = await create('none');
  await api.waitFor(plain, 'READY');

  await server.stop('SIGKILL');
  await start();
  expect(await contextOf(id)).toMatchObject({ wanted_encoder: 'tiny' });
  expect((await api.call('POST', '/models/tiny/download', json({}))).status).toBe(202);
  await until(
    () => encoderOf(id),
    (encoder) => encoder === 'tiny',
  );
  await api.waitFor(id, 'READY');
  expect(await contextOf(id)).toMatchObject({ wanted_encoder: null });
  expect(await meaningTasks(id)).toMatchObject([{ status: 'COMPLETED' }]);
  expect(await meaningTasks(plain)).toEqual([]);
});

it('leaves the dataset READY by appearance when an encoder fails, and does not retry forever', async () => {
  await api.call('DELETE', '/models/tiny');
  const id = await create('tiny');
  await api.waitFor(id, 'READY');
  const before = await clustersOf(id);
  expect((await api.call('POST', '/models/tiny/download', json({}))).status).toBe(202);
  await until(
    () => meaningTasks(id),
    ([task]) => task?.step === 'Adding meaning' && task.done > 0,
  );
  await server.stop('SIGKILL');
  await damageModel();
  await start();
  const [failed] = await until(
    () => meaningTasks(id),
    ([task]) => task?.status === 'FAILED',
  );
  expect(failed?.error_message).toContain('tiny');
  expect(failed?.error_message).not.toContain(data);
  await api.waitFor(id, 'READY');
  expect(await contextOf(id)).toMatchObject({ wanted_encoder: null, status: 'NEW' });
  expect(await clustersOf(id)).toEqual(before);

  await server.stop('SIGKILL');
  await start();
  expect((await api.get<{ status_new: string }>(`/dataset/${id}`)).body.status_new).toBe('READY');
  expect(await meaningTasks(id)).toHaveLength(1);
});

it('uses the encoder for images while objects are encoded, and no more when it fails on objects', async () => {
  const labelled = await temporaryFolder(atEnd);
  await cp(images, labelled, { recursive: true });
  const boxes = Array.from({ length: BOXES }, (_, nth) => `0 ${(nth + 1) / (BOXES + 1)} 0.5 0.1 0.4`).join('\n');
  for (const name of await readdir(images)) await writeFile(join(labelled, name.replace(/\.\w+$/, '.txt')), boxes);
  await api.call('DELETE', '/models/tiny');
  const id = await create('tiny', labelled);
  const { n_objects } = await api.waitFor(id, 'READY');
  expect(n_objects).toBe(IMAGES * BOXES);
  const before = await clustersOf(id);
  expect((await api.call('POST', '/models/tiny/download', json({}))).status).toBe(202);
  await until(
    () => meaningTasks(id),
    ([task]) => task?.step === 'Looking at objects' && task.done > 0,
  );
  expect(await encoderOf(id)).toBe('tiny');
  await server.stop('SIGKILL');
  await damageModel();
  await start();
  await until(
    () => meaningTasks(id),
    ([task]) => task?.status === 'FAILED',
  );
  await api.waitFor(id, 'READY');
  expect(await encoderOf(id)).toBeUndefined();
  expect(await clustersOf(id)).toEqual(before);
});

/** Replaces the weights of the installed model by other bytes. */
async function damageModel(): Promise<void> {
  const folder = join(data, 'models', 'tiny');
  for (const name of await readdir(folder)) {
    if (name.endsWith('.onnx')) await writeFile(join(folder, name), Buffer.alloc(MODEL.length, 1));
  }
}

async function start(): Promise<void> {
  server = await startServer(data, environment);
  api = new Api(server.baseUrl);
}

async function create(encoder: string, folder = images): Promise<string> {
  const { status, body } = await api.post('/dataset', { dataset_name: encoder, bucket_path: folder, encoder });
  expect(status).toBe(200);
  return String(body.dataset_id);
}

async function clustersOf(id: string): Promise<string[]> {
  const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=2`);
  return body.clusters.map(({ cluster_id }) => cluster_id);
}

async function contextOf(id: string): Promise<EnrichmentContext> {
  return (await api.get<EnrichmentContext>(`/enrichment/${id}/context`)).body;
}

async function encoderOf(id: string): Promise<string | undefined> {
  return (await contextOf(id)).dataset_enrichment_models.enrichment_models.MULTIMODEL_IMAGE_ENCODING;
}

async function meaningTasks(id: string): Promise<Task[]> {
  return (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=MEANING_ADDITION`)).body.tasks;
}
