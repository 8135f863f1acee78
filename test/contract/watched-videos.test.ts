import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { ClusterPage, ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { Snapshot } from '../../src-main/contract/schemas/snapshot.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import type { WatchedFolder } from '../../src-main/contract/schemas/watched-folder.ts';
import { Api, json, until } from '../support/api.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { writeTinyModel } from '../support/tiny-models/generate.ts';

interface Place {
  data: string;
  server: Server;
  api: Api;
  id: string;
  clip: string;
}

/** Disables snapshots, because the automatic first snapshot of each dataset would keep the files that it shows. */
const WITHOUT_SNAPSHOTS = { VITRINE_DATASET_SNAPSHOTS_ENABLED: 'false' };

/** Creates a dataset of two images and a clip of three frames, whose folder is watched. */
async function watchedClip(environment: Record<string, string> = WITHOUT_SNAPSHOTS): Promise<Place> {
  const data = await temporaryFolder();
  const root = await temporaryFolder();
  const server = await startServer(data, environment);
  onTestFinished(() => server.stop().then(() => undefined));
  const api = new Api(server.baseUrl);
  await writeImages(root, [1, 2]);
  const clip = join(root, 'clip.avi');
  make(clip, 'testsrc', 3);
  const id = await api.createFromFolder('clips', root);
  const watch = await api.call<WatchedFolder>('POST', `/dataset/${id}/watched_folders`, json({ path: root }));
  await api.waitFor(id, 'READY');
  await until(
    () => api.get<{ watched_folders: WatchedFolder[] }>(`/dataset/${id}/watched_folders`),
    ({ body }) => body.watched_folders.some((one) => one.watch_id === watch.body.watch_id && one.state === 'watching'),
  );
  return { data, server, api, id, clip };
}

function make(clip: string, source: string, seconds: number): void {
  makeWithFfmpeg(['-f', 'lavfi', '-i', `${source}=size=160x120:rate=5`, '-t', String(seconds), clip]);
}

/** Returns the image files of frames below the data folder, for all videos. */
async function framesOnDisk(data: string): Promise<string[]> {
  const names = await readdir(join(data, 'media'), { recursive: true });
  return names.filter((name) => name.endsWith('.jpg')).sort();
}

/** Returns the bytes of every frame that Explore shows, by name. */
async function framesShown(api: Api, id: string): Promise<Map<string, Buffer>> {
  const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=4`);
  const shown = new Map<string, Buffer>();
  for (const { cluster_id } of body.clusters) {
    const page = await api.get<ClusterPage>(`/explore/${id}/cluster/${cluster_id}?page_size=500`);
    if (page.status === 404) continue;
    for (const { media_id } of page.body.items) {
      const { body: item } = await api.get<Image>(`/dataset/${id}/image/${media_id}`);
      if (item.video === null) continue;
      const original = await fetch(item.image_uri);
      expect(original.status, item.file_name).toBe(200);
      shown.set(item.file_name, Buffer.from(await original.arrayBuffer()));
    }
  }
  return shown;
}

async function settles(api: Api, id: string): Promise<void> {
  await until(
    () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
    ({ body }) => body.tasks.every((task) => task.status !== 'RUNNING' && task.status !== 'INITIALIZING'),
  );
}

async function countsFrames(api: Api, id: string, nFrames: number): Promise<void> {
  await until(
    () => api.get(`/dataset/${id}/stats`),
    ({ body }) => body.n_frames === nFrames,
  );
  await settles(api, id);
}

describe('images of frames of a watched video', needs(ffmpegPrograms), () => {
  it('are deleted when its content changes, and only those', async () => {
    const { data, api, id, clip } = await watchedClip();
    const first = await framesOnDisk(data);
    expect(first).toHaveLength(3);
    const before = await framesShown(api, id);

    make(clip, 'smptebars', 2);
    await countsFrames(api, id, 2);
    const second = await framesOnDisk(data);
    expect(second).toHaveLength(2);
    expect(second.filter((name) => first.includes(name))).toEqual([]);
    const after = await framesShown(api, id);
    expect(after.size).toBe(2);
    for (const [name, bytes] of after) expect(bytes.equals(before.get(name) ?? bytes), name).toBe(false);

    await writeFile(clip, 'no video any more');
    await countsFrames(api, id, 0);
    expect(await framesOnDisk(data)).toEqual([]);

    make(clip, 'testsrc', 3);
    await countsFrames(api, id, 3);
    expect(await framesOnDisk(data)).toHaveLength(3);
    expect((await framesShown(api, id)).size).toBe(3);
  });

  it('stay while a copy shows them', async () => {
    const { data, api, id, clip } = await watchedClip();
    await api.call('POST', '/models/import', json({ path: writeTinyModel(await temporaryFolder(), 'detector') }));
    const enriched = await api.call<{ dataset_id: string }>(
      'POST',
      `/dataset/${id}/enrich_dataset`,
      json({ enrichment_models: { OBJECT_DETECTION: 'detector' } }),
    );
    expect(enriched.status, enriched.text).toBe(200);
    const copy = enriched.body.dataset_id;
    await api.waitFor(copy, 'READY');
    const before = await framesShown(api, copy);
    expect(before.size).toBe(3);

    make(clip, 'smptebars', 2);
    await countsFrames(api, id, 2);
    expect(await framesShown(api, copy)).toEqual(before);
    expect(await framesOnDisk(data)).toHaveLength(5);

    expect((await api.call('DELETE', `/dataset/${copy}`)).status).toBe(200);
    make(clip, 'testsrc', 4);
    await countsFrames(api, id, 4);
    expect(await framesOnDisk(data)).toHaveLength(4);
    expect((await framesShown(api, id)).size).toBe(4);
  });

  it('stay while a snapshot shows them, and are deleted with it', async () => {
    const { data, api, id, clip } = await watchedClip({});
    const [first] = (await api.get<Snapshot[]>(`/dataset/${id}/snapshot`)).body;
    const before = await framesShown(api, id);
    make(clip, 'smptebars', 2);
    await countsFrames(api, id, 2);
    expect(await framesOnDisk(data)).toHaveLength(5);

    expect((await api.post(`/dataset/${id}/snapshot/${first?.snapshot_id}/clone`)).status).toBe(202);
    const { body: datasets } = await api.get<Dataset[]>('/datasets');
    const clone = datasets.find(({ display_name }) => display_name === 'clips (cloned)')?.id ?? '';
    await api.waitFor(clone, 'READY');
    expect(await framesShown(api, clone)).toEqual(before);
    expect((await api.call('DELETE', `/dataset/${clone}`)).status).toBe(200);

    expect((await api.post(`/dataset/${id}/reindex`)).status).toBe(202);
    await api.waitFor(id, 'READY');
    expect((await api.call('POST', `/dataset/${id}/snapshot`, json({}))).status).toBe(200);
    expect(await framesOnDisk(data)).toHaveLength(5);
    expect((await api.call('DELETE', `/dataset/${id}/snapshot/${first?.snapshot_id}`)).status).toBe(200);
    expect(await framesOnDisk(data)).toHaveLength(2);
    expect((await framesShown(api, id)).size).toBe(2);
  });

  it('are deleted at the next start after a kill -9', async () => {
    const { data, server, id, clip } = await watchedClip();
    const first = await framesOnDisk(data);
    make(clip, 'smptebars', 40);
    await until(
      () => framesOnDisk(data),
      (names) => names.length > first.length,
    );
    await server.stop('SIGKILL');
    const { api: next } = await openData(data);
    await countsFrames(next, id, 40);
    const names = await framesOnDisk(data);
    expect(names).toHaveLength(40);
    expect(names.filter((name) => first.includes(name))).toEqual([]);
    expect((await framesShown(next, id)).size).toBe(40);
  });
});
