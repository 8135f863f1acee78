import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { MediaSelection } from '../../src-main/contract/schemas/media-selection.ts';
import type { EnrichmentContext, EnrichmentModel } from '../../src-main/contract/schemas/model.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { pythonWith } from '../support/python.ts';
import { startRayCluster } from '../support/ray-cluster.ts';
import { type RayServer, startRayServer } from '../support/ray-server.ts';
import { writeResults } from '../support/results.ts';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData, type TestApi } from '../support/test-api.ts';
import { JOINT_DIM } from '../support/tiny-models/encoders.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

const N_IMAGES = 12;

let ray: RayServer;
let open: () => Promise<TestApi>;
let close: () => Promise<void>;
let api: Api;
let images: string;

beforeAll(async () => {
  ray = await startRayServer();
  atEnd(() => ray.close());
  const data = await temporaryFolder(atEnd);
  open = () => openData(data, { finished: atEnd, environment: { VITRINE_RAY_ADDRESS: ray.url } });
  ({ api, close } = await open());
  images = await temporaryFolder(atEnd);
  await writeImages(
    images,
    Array.from({ length: N_IMAGES }, (_, seed) => seed + 1),
  );
  await importTinyModels(api, ['clip', 'sentence-encoder', 'detector', 'vit-gpt2'], atEnd);
});

async function create(): Promise<string> {
  const id = await api.createFromFolder('far', images, { encoder: 'none' });
  await api.waitFor(id, 'READY');
  return id;
}

const compute = (id: string, location: string, modelId = 'clip', selection?: MediaSelection) =>
  api.call<{ task_id: string; detail: string }>(
    'POST',
    `/dataset/${id}/ray`,
    json({ location, model_id: modelId, media_selection: selection }),
  );

const taskOf = async (taskId: string) =>
  (await api.get<{ tasks: Task[] }>('/tasks?page_size=50&with_service=true')).body.tasks.find(
    (one) => one.task_id === taskId,
  );
const ended = (taskId: string) =>
  until(
    () => taskOf(taskId),
    (task) => task !== undefined && task.end_time !== null,
    120_000,
  );

/** Starts a run and returns its task and its job. */
async function begin(id: string, modelId?: string, selection?: MediaSelection) {
  const location = await temporaryFolder();
  ray.jobs.clear();
  const { status, body, text } = await compute(id, location, modelId, selection);
  expect(status, text).toBe(202);
  const job = await until(
    async () => [...ray.jobs.values()][0],
    (one) => one !== undefined,
  );
  if (!job) throw new Error('no job');
  return { taskId: body.task_id, job, location };
}

const idsIn = async (location: string) => {
  const file = await asyncBufferFromFile(join(location, 'manifest.parquet'));
  return (await parquetReadObjects({ file, columns: ['media_id'] })).map((row) => String(row.media_id));
};

/** Names of the model's files at a location. */
const sent = async (location: string) =>
  (await readdir(join(location, 'model'), { recursive: true })).map((name) => name.replaceAll('\\', '/'));

const importsOf = async (id: string) =>
  (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=RESULT_IMPORT`)).body.tasks;

const importOutcome = async (id: string) => {
  const [task] = await importsOf(id);
  return task?.error_message ?? task?.status_message;
};

const set = async (key: string, value: string) => {
  const { status, text } = await api.call('POST', '/settings', json({ key, value }));
  expect(status, text).toBeLessThan(300);
};

const encoderOf = async (id: string) =>
  (await api.get<EnrichmentContext>(`/enrichment/${id}/context`)).body.dataset_enrichment_models.enrichment_models
    .MULTIMODEL_IMAGE_ENCODING;

describe('a run on a cluster', () => {
  it('submits the program with manifest and model, shows its progress, and imports the results', async () => {
    const id = await create();
    const { taskId, job, location } = await begin(id);
    expect(job.entrypoint).toBe(
      `python apply_model.py --manifest '${location}/manifest.parquet' --model '${location}/model' --model-id 'clip' --results '${location}/results'`,
    );
    expect([...ray.packages.values()]).toEqual([expect.any(Number)]);
    const described = JSON.parse(await readFile(join(location, 'model', 'vitrine.json'), 'utf8'));
    const [{ runner }] = described.models;
    expect(await sent(location)).toContain(runner.model_file);
    expect(await sent(location)).not.toContain(runner.text.model_file);
    const ids = await idsIn(location);
    expect(ids).toHaveLength(N_IMAGES);

    Object.assign(job, { status: 'RUNNING', logs: 'starts\nprogress 3 of 12\nprogress 6 of 12\nnoise' });
    const running = await until(
      () => taskOf(taskId),
      (task) => (task?.progress_percentage ?? 0) > 40,
    );
    expect(running?.step_message).toMatchObject({ code: 'step_computing_on_ray' });
    // A cluster that is away for a moment is asked again.
    ray.cuts = true;
    const before = ray.nCut;
    await until(
      () => ray.nCut,
      (nCut) => nCut >= before + 2,
    );
    ray.cuts = false;

    const rows = ids.map((mediaId, at) => ({
      media_id: mediaId,
      embedding: Array.from({ length: runner.dim }, (_, axis) => Math.cos(at + axis)),
    }));
    const folder = join(location, 'results');
    await mkdir(folder);
    await writeResults(folder, { kind: 'embeddings', model: 'clip', parts: [rows] });
    job.status = 'SUCCEEDED';
    expect(await ended(taskId)).toMatchObject({ task_type: 'RAY_RUN', status: 'COMPLETED' });
    await until(
      () => encoderOf(id),
      (encoder) => encoder === 'clip',
    );
    await api.waitFor(id, 'READY');
  });

  it('imports its results once other tasks on the dataset have ended', async () => {
    const id = await create();
    const { taskId, job, location } = await begin(id);
    const rows = (await idsIn(location)).map((mediaId, at) => ({
      media_id: mediaId,
      embedding: Array.from({ length: JOINT_DIM }, (_, axis) => Math.cos(at + axis)),
    }));
    const folder = join(location, 'results');
    await mkdir(folder);
    await writeResults(folder, { kind: 'embeddings', model: 'clip', parts: [rows] });
    const pause = (paused: boolean) => api.call('POST', '/tasks/pause', json({ paused }));
    await pause(true);
    const others = await temporaryFolder();
    await writeImages(others, [101]);
    expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: others })).status).toBe(202);
    job.status = 'SUCCEEDED';
    const task = await until(
      () => taskOf(taskId),
      (one) => one?.step_message?.code === 'step_waiting_for_dataset' || one?.status === 'FAILED',
    );
    await pause(false);
    expect(task, task?.error_message ?? '').toMatchObject({ status: 'RUNNING' });
    expect(await ended(taskId)).toMatchObject({ status: 'COMPLETED' });
    await until(
      () => encoderOf(id),
      (encoder) => encoder === 'clip',
    );
  });

  it('is submitted as soon as a node of the cluster is ready for jobs', async () => {
    ray.isReady = false;
    ray.jobs.clear();
    const { body } = await compute(await create(), await temporaryFolder());
    await until(
      () => ray.nRefused,
      (nRefused) => nRefused >= 2,
    );
    ray.isReady = true;
    await until(
      () => ray.jobs.size,
      (size) => size === 1,
    );
    expect(await taskOf(body.task_id)).toMatchObject({ status: 'RUNNING' });
    await api.post(`/tasks/${body.task_id}/abort`);
    expect(await ended(body.task_id)).toMatchObject({ status: 'ABORTED' });
  });

  it('stops the job when the task is aborted', async () => {
    const { taskId, job } = await begin(await create());
    job.status = 'RUNNING';
    expect((await api.post(`/tasks/${taskId}/abort`)).status).toBeLessThan(300);
    expect(await ended(taskId)).toMatchObject({ status: 'ABORTED' });
    await until(
      async () => job.status,
      (status) => status === 'STOPPED',
    );
  });

  it.each([
    ['FAILED', 'The job on the Ray cluster failed: no image could be processed: no image in a known format'],
    ['STOPPED', 'The job was stopped on the Ray cluster'],
  ] as const)('fails when the job is %s', async (status, reason) => {
    const { taskId, job } = await begin(await create());
    Object.assign(job, { status, logs: 'progress 0 of 12\nno image could be processed: no image in a known format\n' });
    expect(await ended(taskId)).toMatchObject({ status: 'FAILED', error_message: reason });
  });

  it('fails when the cluster has lost the job', async () => {
    const { taskId } = await begin(await create());
    ray.jobs.clear();
    expect(await ended(taskId)).toMatchObject({ status: 'FAILED' });
  });

  it('sends what an object detector needs, for the selected items, and imports its boxes', async () => {
    const id = await create();
    const { body } = await api.get<ItemPage>(`/explore/${id}/items?sort_by=name`);
    const [first, second] = body.items.map(({ media_id }) => media_id);
    const query = { type: 'query', payload: { vql: '[{"files":{"op":"contains","value":["image-00001"]}}]' } };
    const selection = [query, { type: 'media', payload: { media_ids: [second] } }] as MediaSelection;
    const { taskId, job, location } = await begin(id, 'detector', selection);
    expect(await idsIn(location)).toEqual([first, second]);
    expect(await sent(location)).toEqual(expect.arrayContaining(['labels.txt', 'onnx/model.onnx', 'vitrine.json']));
    const folder = join(location, 'results');
    await mkdir(folder);
    const boxes = [{ media_id: first, box: [1, 2, 30, 20], label: 'dog', confidence: 0.9 }];
    await writeResults(folder, { kind: 'boxes', model: 'detector', parts: [boxes] });
    job.status = 'SUCCEEDED';
    expect(await ended(taskId)).toMatchObject({ status: 'COMPLETED' });
    await api.waitFor(id, 'READY');
    expect(await importOutcome(id)).toBe('Imported 1 box of detector');
  });

  it('sends all files of a captioner, and imports its captions', async () => {
    const id = await create();
    const { body } = await api.get<ItemPage>(`/explore/${id}/items`);
    const [first] = body.items.map(({ media_id }) => media_id);
    const { taskId, job, location } = await begin(id, 'vit-gpt2');
    const graphs = ['onnx/decoder_model_merged.onnx', 'onnx/encoder_model.onnx'];
    expect(await sent(location)).toEqual(expect.arrayContaining([...graphs, 'tokenizer.json', 'vitrine.json']));
    const folder = join(location, 'results');
    await mkdir(folder);
    const captions = [{ media_id: first, caption: 'a boat on a lake' }];
    await writeResults(folder, { kind: 'captions', model: 'vit-gpt2', parts: [captions] });
    job.status = 'SUCCEEDED';
    expect(await ended(taskId)).toMatchObject({ status: 'COMPLETED' });
    await api.waitFor(id, 'READY');
    expect(await importOutcome(id)).toBe('Imported 1 caption of vit-gpt2');
  });

  it('is refused for other models, without items, and with 503 while the cluster is away', async () => {
    const id = await create();
    const location = await temporaryFolder();
    for (const modelId of ['sentence-encoder', 'vit-gpt2-objects', 'unknown']) {
      const { status, body } = await compute(id, location, modelId);
      expect(status).toBe(400);
      expect(body.detail).toContain('cannot run on a Ray cluster');
    }
    const { body: models } = await api.get<EnrichmentModel[]>(`/enrichment/${id}/list_models`);
    const onRay = models.filter((model) => model.runs_on_ray).map((model) => model.id);
    expect(onRay.toSorted()).toEqual(['clip', 'detector', 'vit-gpt2']);
    const nothing = await compute(id, location, 'clip', [{ type: 'media', payload: { media_ids: [] } }]);
    expect(nothing).toMatchObject({ status: 400, body: { detail: 'The selection has no items' } });
    ray.cuts = true;
    const answer = await compute(id, location);
    ray.cuts = false;
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answer.text).not.toContain(ray.url);
  });

  it('continues after a restart of the server', async () => {
    const id = await create();
    const { taskId, job } = await begin(id);
    await close();
    job.status = 'RUNNING';
    ({ api, close } = await open());
    await until(
      () => taskOf(taskId),
      (task) => task?.status === 'RUNNING',
    );
    expect(ray.jobs.size).toBe(1);
    expect(job.status).toBe('RUNNING');
    Object.assign(job, { status: 'FAILED', logs: 'out of memory' });
    expect((await ended(taskId))?.error_message).toContain('out of memory');
  });
});

describe(
  'a real cluster',
  needs(pythonWith('ray', 'onnxruntime', 'pyarrow', 'PIL', 'aiohttp_cors', 'opencensus')),
  () => {
    let s3: S3Server;

    beforeAll(async () => {
      s3 = await startS3Server(await temporaryFolder(atEnd));
      atEnd(() => s3.close());
      for (const [name, value] of Object.entries(S3_CREDENTIALS)) vi.stubEnv(name, value);
      const cluster = await startRayCluster({
        ...S3_CREDENTIALS,
        AWS_ENDPOINT_URL: s3.endpoint,
        // The test's server stores the checksums of newer clients as content.
        AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
      });
      atEnd(() => cluster.close());
      await set('RAY_ADDRESS', cluster.url);
      await set('S3_ENDPOINT', s3.endpoint);
    }, 600_000);

    const finish = async ({ status, body, text }: Awaited<ReturnType<typeof compute>>) => {
      expect(status, text).toBe(202);
      const task = await until(
        () => taskOf(body.task_id),
        (one) => one !== undefined && one.end_time !== null,
        300_000,
      );
      expect(task, task?.error_message ?? '').toMatchObject({ status: 'COMPLETED' });
    };

    it('computes embeddings', { timeout: 600_000 }, async () => {
      const id = await create();
      await finish(await compute(id, await temporaryFolder()));
      await until(
        () => encoderOf(id),
        (encoder) => encoder === 'clip',
      );
      await api.waitFor(id, 'READY');
      expect(await importOutcome(id)).toBe(`Imported ${N_IMAGES} vectors of clip`);
    });

    it('extends them by those of further items, exchanging files in object storage', { timeout: 600_000 }, async () => {
      await s3.makeBucket('cluster');
      const id = await create();
      const { body } = await api.get<ItemPage>(`/explore/${id}/items?sort_by=name`);
      const ids = body.items.map(({ media_id }) => media_id);
      for (const [from, to] of [
        [0, 5],
        [3, 9],
      ] as const) {
        const selection = { type: 'media', payload: { media_ids: ids.slice(from, to) } } as const;
        await finish(await compute(id, 's3://cluster/run', 'clip', [selection]));
        await until(
          () => importsOf(id),
          (imports) => imports.every(({ status }) => status === 'COMPLETED'),
        );
        await api.waitFor(id, 'READY');
      }
      expect((await importsOf(id)).map(({ status_message }) => status_message).toSorted()).toEqual([
        'Imported 4 vectors of clip; 2 items keep the vector that they had; 3 items have no vector',
        'Imported 5 vectors of clip; 7 items have no vector',
      ]);
    });
  },
);
