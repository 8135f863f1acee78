import { chmod, cp, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import type { DatasetSource, WatchedFolder } from '../../src-main/contract/schemas/watched-folder.ts';
import { type Answer, Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { image, writeImages } from '../support/images.ts';
import { needs, notRoot, posix } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const SEEDS = [1, 2, 3, 4];

let api: Api;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
});

function json<T = Record<string, unknown>>(on: Api, method: string, path: string, body: object): Promise<Answer<T>> {
  return on.call<T>(method, path, { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
}

const nameOf = (seed: number) => `image-${String(seed).padStart(5, '0')}.jpg`;

/** Returns names and ids of everything that Explore shows. */
async function shown(on: Api, id: string): Promise<Map<string, string>> {
  const items = new Map<string, string>();
  for (let page = 0; ; page += 1) {
    const { body } = await on.get<ExploreResult>(`/explore/${id}?entity_type=IMAGES&threshold=0&page_number=${page}`);
    for (const cluster of body.clusters) {
      for (const item of cluster.previews) items.set(item.file_name, item.media_id);
    }
    if (body.clusters.length === 0 || items.size >= body.metadata.total_items) return items;
  }
}

async function showsOnly(on: Api, id: string, names: string[]): Promise<Map<string, string>> {
  const expected = names.sort().join();
  return until(
    () => shown(on, id),
    (items) => [...items.keys()].sort().join() === expected,
    30_000,
  );
}

async function watchOf(on: Api, id: string, watchId: string): Promise<WatchedFolder | undefined> {
  const { body } = await on.get<{ watched_folders: WatchedFolder[] }>(`/dataset/${id}/watched_folders`);
  return body.watched_folders.find((watch) => watch.watch_id === watchId);
}

async function reaches(on: Api, id: string, watchId: string, state: WatchedFolder['state']): Promise<void> {
  await until(
    () => watchOf(on, id, watchId),
    (watch) => watch?.state === state,
    30_000,
  );
}

/** Resolves when no task runs on the dataset. */
async function settles(on: Api, id: string): Promise<void> {
  await until(
    () => on.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
    ({ body }) => body.tasks.every((task) => task.status !== 'RUNNING' && task.status !== 'INITIALIZING'),
  );
}

/** Creates a dataset of four images whose folder is watched. */
async function watched(on: Api, name: string, exclude: string[] = []) {
  const root = await temporaryFolder();
  await writeImages(root, SEEDS);
  const id = await on.createFromFolder(name, root);
  const added = await json<WatchedFolder>(on, 'POST', `/dataset/${id}/watched_folders`, { path: root, exclude });
  expect(added.status).toBe(200);
  await on.waitFor(id, 'READY');
  const { watch_id } = added.body;
  await reaches(on, id, watch_id, 'watching');
  const path = `/dataset/${id}/watched_folders/${watch_id}`;
  return { root, id, watch_id, path, before: await showsOnly(on, id, SEEDS.map(nameOf)) };
}

describe('changes of a watched folder', () => {
  it('add new files as one batch, which can be searched at once', async () => {
    const { root, id, watch_id } = await watched(api, 'comes');
    expect(await watchOf(api, id, watch_id)).toMatchObject({ path: root, paused: false, detail: null });
    await writeImages(join(root, 'new', 'deep'), [5, 6]);
    const items = await showsOnly(api, id, [1, 2, 3, 4, 5, 6].map(nameOf));
    await settles(api, id);
    const batches = await api.get<{ batches: { kind: string; n_files: number; n_done: number }[] }>(
      `/dataset/${id}/batches`,
    );
    expect(batches.body.batches[0]).toMatchObject({ kind: 'watch', n_files: 2, n_done: 2 });
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ n_images: 6, status_new: 'PARTIAL INDEX' });
    const search = await api.get<ExploreResult>(
      `/explore/${id}/similar/${items.get(nameOf(5))}?entity_type=IMAGES&threshold=4`,
    );
    expect(search.body.clusters[0]?.previews[0]?.file_name).toBe(nameOf(5));
  });

  it('leave items of a nested folder unchanged', async () => {
    const { root, id, watch_id, path } = await watched(api, 'inside');
    await json(api, 'PATCH', path, { paused: true });
    await writeImages(join(root, 'inside'), [5]);
    expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: join(root, 'inside') })).status).toBe(202);
    const before = await showsOnly(api, id, [...SEEDS, 5].map(nameOf));
    await settles(api, id);
    await json(api, 'PATCH', path, { paused: false });
    await reaches(api, id, watch_id, 'watching');
    await writeImages(root, [6]);
    const after = await showsOnly(api, id, [...SEEDS, 5, 6].map(nameOf));
    await settles(api, id);
    expect(after.get(nameOf(5))).toBe(before.get(nameOf(5)));
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ n_images: 6 });
  });

  it('keep the id of a renamed or moved file, without reading it again', async () => {
    const { root, id, before } = await watched(api, 'renamed');
    await rename(join(root, nameOf(1)), join(root, 'another name.jpg'));
    await mkdir(join(root, 'folder'));
    await rename(join(root, nameOf(2)), join(root, 'folder', nameOf(2)));
    const after = await showsOnly(api, id, ['another name.jpg', nameOf(2), nameOf(3), nameOf(4)]);
    expect(after.get('another name.jpg')).toBe(before.get(nameOf(1)));
    expect(after.get(nameOf(2))).toBe(before.get(nameOf(2)));
    await until(
      () => api.get<Image>(`/dataset/${id}/image/${after.get(nameOf(2))}`),
      ({ body }) => body.file_path === `folder/${nameOf(2)}`,
    );
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 4, n_missing: 0 });
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'READY' });
  });

  it('hide a deleted file, and show it again under its id when it is back at any path', async () => {
    const { root, id, before } = await watched(api, 'deleted');
    await rm(join(root, nameOf(1)));
    await rm(join(root, nameOf(2)));
    await showsOnly(api, id, [3, 4].map(nameOf));
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 2, n_missing: 2, n_file_errors: 0 });
    expect((await api.get(`/dataset/${id}/file_errors`)).body).toMatchObject({ total: 0 });
    await writeFile(join(root, nameOf(1)), await image(1));
    await writeFile(join(root, 'elsewhere.jpg'), await image(2));
    const after = await showsOnly(api, id, [nameOf(1), 'elsewhere.jpg', nameOf(3), nameOf(4)]);
    expect(after.get(nameOf(1))).toBe(before.get(nameOf(1)));
    expect(after.get('elsewhere.jpg')).toBe(before.get(nameOf(2)));
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 4, n_missing: 0 });
  });

  it('show a deleted item again after a reindex without it', async () => {
    const { root, id, before } = await watched(api, 'reindexed');
    await rm(join(root, nameOf(1)));
    await writeImages(root, [7]);
    await showsOnly(api, id, [2, 3, 4, 7].map(nameOf));
    await api.waitFor(id, 'PARTIAL INDEX');
    expect((await api.post(`/dataset/${id}/reindex`)).status).toBe(202);
    await api.waitFor(id, 'READY');
    await showsOnly(api, id, [2, 3, 4, 7].map(nameOf));
    await writeFile(join(root, nameOf(1)), await image(1));
    const after = await showsOnly(api, id, [1, 2, 3, 4, 7].map(nameOf));
    expect(after.get(nameOf(1))).toBe(before.get(nameOf(1)));
  });

  it('read a changed file again under the same id, and report an unreadable one', async () => {
    const { root, id, before } = await watched(api, 'changed');
    const mediaId = before.get(nameOf(1)) ?? '';
    const first = await api.get<Image>(`/dataset/${id}/image/${mediaId}`);
    await writeFile(join(root, nameOf(1)), await image(100, 200, 100));
    const second = await until(
      () => api.get<Image>(`/dataset/${id}/image/${mediaId}`),
      ({ body }) => body.content_hash !== first.body.content_hash,
    );
    expect(second.body).toMatchObject({ width: 200, height: 100, media_id: mediaId });
    expect((await showsOnly(api, id, SEEDS.map(nameOf))).get(nameOf(1))).toBe(mediaId);
    await settles(api, id);
    await writeFile(join(root, nameOf(2)), 'no image any more');
    await showsOnly(api, id, [1, 3, 4].map(nameOf));
    const { body } = await until(
      () => api.get<{ file_errors: { file_path: string }[]; total: number }>(`/dataset/${id}/file_errors`),
      (answer) => answer.body.total === 1,
    );
    expect(body.file_errors[0]?.file_path).toBe(nameOf(2));
    await writeFile(join(root, nameOf(2)), await image(2));
    const after = await showsOnly(api, id, SEEDS.map(nameOf));
    expect(after.get(nameOf(2))).toBe(before.get(nameOf(2)));
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 4, n_file_errors: 0 });
  });

  it('only record the time of a touched file', async () => {
    const { root, id, before } = await watched(api, 'touched');
    const at = new Date('2020-01-02T03:04:05Z');
    await utimes(join(root, nameOf(1)), at, at);
    await until(
      () => api.get<Image>(`/dataset/${id}/image/${before.get(nameOf(1))}`),
      ({ body }) => body.modified_at === at.toISOString(),
    );
    await settles(api, id);
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'READY', n_images: 4 });
  });

  it('keep everything while the folder is missing', async () => {
    const { root, id, watch_id, before } = await watched(api, 'offline');
    await rename(root, `${root}-away`);
    onTestFinished(() => rm(`${root}-away`, { recursive: true, force: true }));
    await reaches(api, id, watch_id, 'offline');
    expect((await watchOf(api, id, watch_id))?.detail).toEqual(expect.any(String));
    const sources = await api.get<{ sources: DatasetSource[] }>(`/dataset/${id}/sources`);
    expect(sources.body.sources).toMatchObject([{ kind: 'folder', path: root, n_files: 4, available: false }]);
    expect(await shown(api, id)).toEqual(before);
    await writeImages(`${root}-away`, [8]);
    await rename(`${root}-away`, root);
    const after = await showsOnly(api, id, [1, 2, 3, 4, 8].map(nameOf));
    for (const [name, mediaId] of before) expect(after.get(name)).toBe(mediaId);
  });

  it('follow a video with its frames', async (context) => {
    if ('missing' in ffmpegPrograms) return context.skip(ffmpegPrograms.missing);
    const { root, id } = await watched(api, 'video');
    makeWithFfmpeg(['-f', 'lavfi', '-i', 'testsrc=duration=3:size=160x120:rate=5', join(root, 'clip.avi')]);
    const frames = ['output_000001.jpg', 'output_000002.jpg', 'output_000003.jpg'];
    const seeds = SEEDS.map(nameOf);
    const first = await showsOnly(api, id, [...frames, ...seeds]);
    await rename(join(root, 'clip.avi'), join(root, 'renamed.avi'));
    const mediaId = first.get('output_000002.jpg') ?? '';
    await until(
      () => api.get<Image>(`/dataset/${id}/image/${mediaId}`),
      ({ body }) => body.file_path === 'renamed.avi/output_000002.jpg',
    );
    await settles(api, id);
    await rename(join(root, 'renamed.avi'), `${root}.avi`);
    onTestFinished(() => rm(`${root}.avi`, { force: true }));
    await showsOnly(api, id, seeds);
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_videos: 0, n_frames: 0, n_missing: 1 });
    await rename(`${root}.avi`, join(root, 'back.avi'));
    expect(await showsOnly(api, id, [...frames, ...seeds])).toEqual(first);
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_videos: 1, n_frames: 3, n_missing: 0 });
  });

  it('can remove every file and restore it', async () => {
    const { root, id, before } = await watched(api, 'emptied');
    // The folder must not become empty: an empty folder that was never empty before may be the mount point of another drive.
    await mkdir(join(root, 'other'));
    for (const seed of SEEDS) await rm(join(root, nameOf(seed)));
    await showsOnly(api, id, []);
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 0, n_missing: 4 });
    await writeImages(root, [20]);
    await showsOnly(api, id, [nameOf(20)]);
    await writeImages(root, SEEDS);
    const after = await showsOnly(api, id, [...SEEDS, 20].map(nameOf));
    for (const [name, mediaId] of before) expect(after.get(name)).toBe(mediaId);
  });

  it('keep the id of a file that moves from one watched folder to another', async () => {
    const { root, id, before } = await watched(api, 'across');
    const other = await temporaryFolder();
    const { body } = await json<WatchedFolder>(api, 'POST', `/dataset/${id}/watched_folders`, { path: other });
    await reaches(api, id, body.watch_id, 'watching');
    await rename(join(root, nameOf(1)), join(other, 'moved.jpg'));
    const after = await showsOnly(api, id, ['moved.jpg', ...[2, 3, 4].map(nameOf)]);
    expect(after.get('moved.jpg')).toBe(before.get(nameOf(1)));
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 4, n_missing: 0 });
  });
});

describe('a watched folder', () => {
  it('reads at a rescan a folder that could not be opened before', needs(posix, notRoot), async () => {
    const { root, id, path } = await watched(api, 'permissions');
    const locked = join(root, nameOf(9));
    await writeFile(locked, await image(9), { mode: 0 });
    await until(
      () => api.get<Dataset>(`/dataset/${id}`),
      ({ body }) => body.n_file_errors === 1,
    );
    await settles(api, id);
    const nTasks = async () => (await api.get<{ total: number }>(`/tasks?dataset_id=${id}`)).body.total;
    const before = await nTasks();
    const rescan = async () => {
      const { body } = await json<WatchedFolder>(api, 'POST', `${path}/rescan`, {});
      await until(
        () => watchOf(api, id, body.watch_id),
        (watch) => (watch?.last_scan_at ?? '') > (body.last_scan_at ?? ''),
      );
    };
    await rescan();
    expect(await nTasks()).toBe(before);
    await chmod(locked, 0o644);
    await rescan();
    await showsOnly(api, id, [1, 2, 3, 4, 9].map(nameOf));
    await settles(api, id);
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ n_images: 5, n_file_errors: 0 });
  });

  it('pauses, resumes and rescans', async () => {
    const { root, id, watch_id, path } = await watched(api, 'paused');
    expect((await json(api, 'PATCH', path, { paused: true })).body).toMatchObject({ paused: true, state: 'paused' });
    await writeImages(root, [9]);
    expect((await json(api, 'POST', `${path}/rescan`, {})).status).toBe(202);
    expect(await watchOf(api, id, watch_id)).toMatchObject({ state: 'paused' });
    expect((await shown(api, id)).size).toBe(4);
    expect((await json(api, 'PATCH', path, { paused: false })).body).toMatchObject({ paused: false });
    await showsOnly(api, id, [1, 2, 3, 4, 9].map(nameOf));
    await reaches(api, id, watch_id, 'watching');
    const { body } = await json<WatchedFolder>(api, 'POST', `${path}/rescan`, {});
    await until(
      () => watchOf(api, id, watch_id),
      (watch) => (watch?.last_scan_at ?? '') > (body.last_scan_at ?? ''),
    );
  });

  it('skips excluded files, until they are included again', async () => {
    const { root, id, path } = await watched(api, 'excludes', ['drafts/**', '*.tmp.jpg']);
    await writeImages(join(root, 'drafts'), [10]);
    await writeFile(join(root, 'x.tmp.jpg'), await image(11));
    await writeImages(root, [12]);
    await showsOnly(api, id, [1, 2, 3, 4, 12].map(nameOf));
    expect((await json(api, 'PATCH', path, { exclude: ['drafts/**'] })).body).toMatchObject({ exclude: ['drafts/**'] });
    await showsOnly(api, id, ['x.tmp.jpg', ...[1, 2, 3, 4, 12].map(nameOf)]);
  });

  it('that is removed keeps its items and changes nothing more', async () => {
    const { root, id, path, watch_id } = await watched(api, 'removed');
    expect((await api.call('DELETE', path)).body).toEqual({ removed: true, watch_id });
    expect((await api.get(`/dataset/${id}/watched_folders`)).body).toEqual({ watched_folders: [] });
    await rm(join(root, nameOf(1)));
    expect((await shown(api, id)).size).toBe(4);
    expect((await api.call('DELETE', path)).status).toBe(404);
  });

  it('of a deleted dataset is closed without a trace', async () => {
    const data = await temporaryFolder();
    const own = await startServer(data);
    onTestFinished(() => own.stop().then(() => undefined));
    const on = new Api(own.baseUrl);
    const { root, id } = await watched(on, 'gone');
    await writeImages(root, [13]);
    expect((await on.call('DELETE', `/dataset/${id}`)).status).toBe(200);
    await until(async () => (await readdir(join(data, 'datasets'))).length === 0);
    expect(await own.stop()).toBe(0);
    expect(await readdir(join(data, 'datasets'))).toEqual([]);
  });
});

describe('a restarted server', () => {
  it('finds changes that were made meanwhile', async () => {
    const data = await temporaryFolder();
    const first = await startServer(data);
    onTestFinished(() => void first.process.kill('SIGKILL'));
    const { root, id, before } = await watched(new Api(first.baseUrl), 'closed');
    expect(await first.stop()).toBe(0);
    await rename(join(root, nameOf(1)), join(root, 'renamed.jpg'));
    await rm(join(root, nameOf(2)));
    await writeImages(root, [14]);
    const { api: second } = await openData(data);
    const after = await showsOnly(second, id, ['renamed.jpg', ...[3, 4, 14].map(nameOf)]);
    expect(after.get('renamed.jpg')).toBe(before.get(nameOf(1)));
  });

  it('neither loses nor repeats a change after kill -9 during a batch', async () => {
    const data = await temporaryFolder();
    const many = await temporaryFolder();
    const seeds = Array.from({ length: 80 }, (_, n) => 1000 + n);
    await writeImages(many, seeds);
    const running = await startServer(data);
    onTestFinished(() => void running.process.kill('SIGKILL'));
    const { root, id, before } = await watched(new Api(running.baseUrl), 'killed');
    await rename(join(root, nameOf(1)), join(root, 'renamed.jpg'));
    await rm(join(root, nameOf(2)));
    await cp(many, root, { recursive: true });
    await until(
      () => new Api(running.baseUrl).get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
      ({ body }) =>
        body.tasks.some((task) => task.step === 'Reading media' && task.done >= 32 && task.status === 'RUNNING'),
    );
    await running.stop('SIGKILL');
    const { api: again } = await openData(data);
    const names = ['renamed.jpg', ...[3, 4, ...seeds].map(nameOf)];
    const after = await showsOnly(again, id, names);
    expect(after.get('renamed.jpg')).toBe(before.get(nameOf(1)));
    await settles(again, id);
    expect((await again.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 83, n_missing: 1 });
  });
});

describe('moving the folder of a dataset', () => {
  it('keeps everything and continues to watch', async () => {
    const { root, id, watch_id, before } = await watched(api, 'moves');
    const { body } = await api.get<{ sources: DatasetSource[] }>(`/dataset/${id}/sources`);
    const path = `/dataset/${id}/sources/${body.sources[0]?.source_id}/move`;
    const wrong = await temporaryFolder();
    expect((await json(api, 'POST', path, { path: wrong })).status).toBe(400);
    const to = join(await temporaryFolder(), 'to');
    await cp(root, to, { recursive: true });
    await rm(root, { recursive: true });
    const moved = await json<DatasetSource>(api, 'POST', path, { path: to });
    expect(moved).toMatchObject({ status: 200, body: { path: to, n_files: 4, available: true } });
    await reaches(api, id, watch_id, 'watching');
    expect(await watchOf(api, id, watch_id)).toMatchObject({ path: to });
    await writeImages(to, [15]);
    const after = await showsOnly(api, id, [1, 2, 3, 4, 15].map(nameOf));
    for (const [name, mediaId] of before) expect(after.get(name)).toBe(mediaId);
    const image = await api.get<Image>(`/dataset/${id}/image/${before.get(nameOf(1))}`);
    expect((await fetch(image.body.media_uri)).status).toBe(200);
  });
});

describe('a refused call', () => {
  it('reports the reason', async () => {
    const { root, id, watch_id, path } = await watched(api, 'refuses');
    const add = (body: object) => json(api, 'POST', `/dataset/${id}/watched_folders`, body);
    for (const bad of ['relative', join(root, 'not there'), join(root, nameOf(1))]) {
      expect(await add({ path: bad })).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    }
    expect((await add({ path: root })).status).toBe(409);
    await mkdir(join(root, 'below'));
    expect((await add({ path: join(root, 'below') })).status).toBe(409);
    expect((await add({})).status).toBe(422);
    expect((await add({ path: root, exclude: [''] })).status).toBe(422);
    expect((await json(api, 'PATCH', path, { paused: 'perhaps' })).status).toBe(422);

    const elsewhere = `/dataset/${UNKNOWN}`;
    expect((await api.get(`${elsewhere}/watched_folders`)).status).toBe(404);
    expect((await json(api, 'POST', `${elsewhere}/watched_folders`, { path: root })).status).toBe(404);
    expect((await json(api, 'PATCH', `${elsewhere}/watched_folders/${watch_id}`, {})).status).toBe(404);
    for (const method of ['PATCH', 'DELETE']) {
      expect((await json(api, method, `/dataset/${id}/watched_folders/${UNKNOWN}`, {})).status).toBe(404);
    }
    expect((await json(api, 'POST', `/dataset/${id}/watched_folders/${UNKNOWN}/rescan`, {})).status).toBe(404);
    expect((await api.get(`${elsewhere}/sources`)).status).toBe(404);
    expect((await json(api, 'POST', `/dataset/${id}/sources/none/move`, { path: root })).status).toBe(404);
    const { body } = await api.get<{ sources: DatasetSource[] }>(`/dataset/${id}/sources`);
    const move = `/dataset/${id}/sources/${body.sources[0]?.source_id}/move`;
    expect((await json(api, 'POST', move, { path: join(root, 'not there') })).status).toBe(400);
    expect((await json(api, 'POST', move, { path: '' })).status).toBe(422);
  });

  it('moves no folder while a task runs', async () => {
    const root = await temporaryFolder();
    await writeImages(
      root,
      Array.from({ length: 60 }, (_, n) => 2000 + n),
    );
    const id = await api.createFromFolder('busy', root);
    const { body } = await until(
      () => api.get<{ sources: DatasetSource[] }>(`/dataset/${id}/sources`),
      (answer) => answer.body.sources.some(({ n_files }) => n_files > 0),
    );
    const source = body.sources.find(({ kind }) => kind === 'folder');
    const answer = await json(api, 'POST', `/dataset/${id}/sources/${source?.source_id}/move`, { path: root });
    expect(answer.status).toBe(409);
    await api.waitFor(id, 'READY');
  });
});
