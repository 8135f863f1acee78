import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../../src-main/contract/schemas/explore.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { type Answer, Api, json, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../../support/ffmpeg.ts';
import { writeImages } from '../../support/images.ts';
import { needs } from '../../support/needs.ts';
import { startServer } from '../../support/server.ts';
import { type SmallDisk, smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { importTinyModels } from '../../support/tiny-models/import-tiny-models.ts';
import { buildTar } from '../archives/build-archive.ts';

const FIRST = 20;
const ADDED = 40;
const LIMIT_MS = 90_000;
const SECONDS = 60;
/** A data folder of a stopped server, with an encoder and a dataset without one. */
let sound: string;
let id: string;
let videos: string;
let archive: Buffer;

beforeAll(async () => {
  const root = await temporaryFolder(atEnd);
  const first = join(root, 'first');
  await writeImages(
    first,
    Array.from({ length: FIRST }, (_, at) => at),
  );
  sound = await temporaryFolder(atEnd);
  const server = await startServer(sound);
  atEnd(() => server.process.kill('SIGKILL'));
  const api = new Api(server.baseUrl);
  await importTinyModels(api, ['clip'], atEnd);
  id = await api.createFromFolder('d', first, { encoder: 'none' });
  await api.waitFor(id, 'READY');
  await api.atRest();
  await server.stop();
  const added = await writeImages(
    join(root, 'added'),
    Array.from({ length: ADDED }, (_, at) => 500 + at),
  );
  const parts = added.map(async (file, at) => ({ name: `${at}.jpg`, data: await readFile(file) }));
  archive = buildTar(await Promise.all(parts));
  videos = await temporaryFolder(atEnd);
  if ('missing' in ffmpegPrograms) return;
  const source = ['-f', 'lavfi', '-i', 'mandelbrot=s=640x360:r=1', '-t', String(SECONDS)];
  makeWithFfmpeg([...source, '-c:v', 'mpeg4', '-q:v', '4', join(videos, 'clip.mp4')]);
});

/** Disk size in MiB: enough for a model, whose download leaves 64 MiB free. */
const DISK_MIB = 160;

async function ready(context: Parameters<typeof smallDisk>[0]): Promise<{ disk: SmallDisk; api: Api }> {
  const disk = await smallDisk(context, DISK_MIB);
  await cp(sound, disk.data, { recursive: true });
  const server = await startServer(disk.data);
  onTestFinished(() => {
    server.process.kill('SIGKILL');
  });
  return { disk, api: new Api(server.baseUrl) };
}

async function latest(api: Api, type: Task['task_type']): Promise<Task | undefined> {
  return (await api.get<{ tasks: Task[] }>(`/tasks?task_type=${type}`)).body.tasks[0];
}

const isOpen = (task: Task | undefined) => task?.status === 'INITIALIZING' || task?.status === 'RUNNING';

/** Returns how a step ends on a full disk: refused, or its finished task after space was freed to record the outcome. */
async function endOf(api: Api, disk: SmallDisk, answer: Answer, type: Task['task_type']): Promise<Task | 'refused'> {
  if (answer.status === 507) {
    disk.free();
    return 'refused';
  }
  expect([200, 202], answer.text).toContain(answer.status);
  const reported = await until(
    () => latest(api, type),
    (task) => !isOpen(task) || task?.error_message !== null,
    LIMIT_MS,
  );
  if (reported?.error_message) expect(reported.error_message).toContain('full');
  disk.free();
  const ended = await until(
    () => latest(api, type),
    (task) => !isOpen(task),
    LIMIT_MS,
  );
  if (!ended) throw new Error(`there is no task ${type}`);
  return ended;
}

async function expectAsBefore(api: Api, status: Dataset['status_new'], images: number, datasetId = id): Promise<void> {
  expect((await api.get(`/dataset/${datasetId}`)).body).toMatchObject({
    status_new: status,
    fatal_error_msg: null,
    n_images: images,
  });
  const { status: code, body } = await api.get<ExploreResult>(`/explore/${datasetId}?threshold=0`);
  expect(code).toBe(200);
  expect(body.clusters.length).toBeGreaterThan(0);
}

function addArchive(api: Api): Promise<Answer> {
  const body = new FormData();
  body.append('archive', new Blob([new Uint8Array(archive)]), 'more.tar');
  return api.call('POST', `/dataset/${id}/add_media`, { body });
}

const LEFT_KIB = [0, 96];

it.for(LEFT_KIB)('an archive with %i KiB left is imported completely or leaves no trace', async (leftKib, context) => {
  const { disk, api } = await ready(context);
  disk.fill(leftKib);
  const end = await endOf(api, disk, await addArchive(api), 'MEDIA_ADDITION');
  if (end === 'refused' || end.status !== 'COMPLETED') {
    await expectAsBefore(api, 'READY', FIRST);
    expect((await addArchive(api)).status).toBe(202);
  }
  expect(await api.waitFor(id, 'PARTIAL INDEX')).toMatchObject({ n_images: FIRST + ADDED, n_file_errors: 0 });
});

it.for(LEFT_KIB)(
  'a reindex with %i KiB left leaves the dataset unchanged, and works later',
  async (leftKib, context) => {
    const { disk, api } = await ready(context);
    expect((await addArchive(api)).status).toBe(202);
    await api.waitFor(id, 'PARTIAL INDEX');
    disk.fill(leftKib);
    const end = await endOf(api, disk, await api.post(`/dataset/${id}/reindex`), 'REINDEX');
    if (end === 'refused' || end.status !== 'COMPLETED') {
      await expectAsBefore(api, 'PARTIAL INDEX', FIRST + ADDED);
      expect((await api.post(`/dataset/${id}/reindex`)).status).toBe(202);
    }
    await api.waitFor(id, 'READY');
    await expectAsBefore(api, 'READY', FIRST + ADDED);
  },
);

it.for(LEFT_KIB)(
  'adding semantic embeddings with %i KiB left leaves no trace, and works later',
  async (leftKib, context) => {
    const { disk, api } = await ready(context);
    const add = () => api.call('POST', `/dataset/${id}/meaning`, json({}));
    disk.fill(leftKib);
    const end = await endOf(api, disk, await add(), 'MEANING_ADDITION');
    if (end === 'refused' || end.status !== 'COMPLETED') {
      await expectAsBefore(api, 'READY', FIRST);
      expect((await add()).status).toBe(200);
    }
    await api.waitFor(id, 'READY');
    expect((await latest(api, 'MEANING_ADDITION'))?.status).toBe('COMPLETED');
    expect((await api.get(`/explore/${id}?caption=a%20dog`)).status).toBe(200);
  },
);

// The free space ranges from none for a catalog row, past enough for the database copy and its vectors, to enough for all but the index.
it.for([0, 32, 96, 256, 768])(
  'an enrichment with %i KiB left leaves its source unchanged, and can be retried',
  async (leftKib, context) => {
    const { disk, api } = await ready(context);
    const enrich = () =>
      api.call<{ dataset_id: string }>(
        'POST',
        `/dataset/${id}/enrich_dataset`,
        json({ enrichment_models: { MULTIMODEL_IMAGE_ENCODING: 'clip' } }),
      );
    disk.fill(leftKib);
    let answer = await enrich();
    const end = await endOf(api, disk, answer, 'ENRICHMENT');
    await expectAsBefore(api, 'READY', FIRST);
    if (end === 'refused') answer = await enrich();
    else if (end.status !== 'COMPLETED') {
      expect((await api.get(`/dataset/${answer.body.dataset_id}`)).body).toMatchObject({
        status_new: 'ERROR',
        fatal_error_msg: expect.stringContaining('full'),
      });
      expect((await api.post(`/tasks/${end.task_id}/retry`)).status).toBe(200);
      await until(
        () => latest(api, 'ENRICHMENT'),
        (task) => !isOpen(task),
        LIMIT_MS,
      );
    }
    await api.waitFor(answer.body.dataset_id, 'READY');
    await expectAsBefore(api, 'READY', FIRST, answer.body.dataset_id);
  },
);

it.for([1024])(
  'frames of a video with %i KiB left report a full disk, not a damaged video',
  needs(ffmpegPrograms),
  async (leftKib, context) => {
    const { disk, api } = await ready(context);
    const add = () => api.post(`/dataset/${id}/add_media`, { s3_uri: videos });
    disk.fill(leftKib);
    const end = await endOf(api, disk, await add(), 'MEDIA_ADDITION');
    expect(end).toMatchObject({ status: 'FAILED' });
    await expectAsBefore(api, 'READY', FIRST);
    expect((await add()).status).toBe(202);
    expect(await api.waitFor(id, 'PARTIAL INDEX')).toMatchObject({ n_videos: 1, n_file_errors: 0 });
  },
);
