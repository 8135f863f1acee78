import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AnnotationProblem } from '../../src-main/contract/schemas/dataset.ts';
import type { ClusterPage, ExplorationMetadata, ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import type { WatchedFolder } from '../../src-main/contract/schemas/watched-folder.ts';
import { Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { image, writeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const OBJECT_HEADER = 'filename,col_x,row_y,width,height,label\n';

let api: Api;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
});

const nameOf = (seed: number) => `image-${String(seed).padStart(5, '0')}.jpg`;

/** Creates a dataset of a watched folder. */
async function watched(on: Api, name: string, root: string): Promise<string> {
  const id = await on.createFromFolder(name, root);
  const { body: watch } = await on.call<WatchedFolder>('POST', `/dataset/${id}/watched_folders`, json({ path: root }));
  await on.waitFor(id, 'READY');
  await until(
    () => on.get<{ watched_folders: WatchedFolder[] }>(`/dataset/${id}/watched_folders`),
    (answer) => answer.body.watched_folders.find(({ watch_id }) => watch_id === watch.watch_id)?.state === 'watching',
  );
  return id;
}

/** Creates three images in a watched folder. */
async function watchedImages(name: string): Promise<{ root: string; id: string }> {
  const root = await temporaryFolder();
  await writeImages(root, [1, 2, 3]);
  return { root, id: await watched(api, name, root) };
}

/** Returns all items that Explore shows, by file name. */
async function items(on: Api, id: string): Promise<Map<string, Image>> {
  const found = new Map<string, Image>();
  const { body } = await on.get<ExploreResult>(`/explore/${id}?threshold=4`);
  for (const { cluster_id } of body.clusters) {
    const page = await on.get<ClusterPage>(`/explore/${id}/cluster/${cluster_id}?page_size=500`);
    // The cluster changed in the meantime and has another id.
    if (page.status === 404) continue;
    for (const { media_id } of page.body.items) {
      const item = await on.get<Image>(`/dataset/${id}/image/${media_id}`);
      found.set(item.body.file_name, item.body);
    }
  }
  return found;
}

/** Waits until one item has the expected properties and no task runs. */
async function becomes(on: Api, id: string, name: string, expected: (item: Image) => boolean): Promise<Image> {
  const found = await until(
    () => items(on, id),
    (all) => {
      const item = all.get(name);
      return item !== undefined && expected(item);
    },
    30_000,
  );
  await settles(on, id);
  return found.get(name) as Image;
}

async function settles(on: Api, id: string): Promise<void> {
  await until(
    () => on.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
    ({ body }) => body.tasks.every((task) => task.status !== 'RUNNING' && task.status !== 'INITIALIZING'),
  );
}

async function problems(on: Api, id: string): Promise<AnnotationProblem[]> {
  const { body } = await on.get<{ annotation_problems: AnnotationProblem[] }>(`/dataset/${id}/annotation_problems`);
  return body.annotation_problems;
}

/** Returns the ids of the objects in the shown clusters. */
async function shownObjects(on: Api, id: string): Promise<string[]> {
  const { body } = await on.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS&threshold=4`);
  const ids = body.clusters.flatMap((cluster) => cluster.previews.map((preview) => preview.media_id));
  expect(body.metadata.total_items).toBe(ids.length);
  return ids.sort();
}

describe('annotation files of a watched folder', () => {
  it('are read when they appear; a new version replaces the old one', async () => {
    const { root, id } = await watchedImages('tables come');
    const labels = join(root, 'image_annotations.csv');
    await writeFile(labels, `filename,label,caption\n${nameOf(1)},dog,A dog\n${nameOf(2)},cat,\nnowhere.jpg,cat,\n`);
    await writeFile(
      join(root, 'object_annotations.csv'),
      `${OBJECT_HEADER}${nameOf(1)},10,20,30,40,ear\n${nameOf(1)},50,60,70,80,tail\n`,
    );
    const first = await becomes(api, id, nameOf(1), (item) => item.objects.length === 2);
    expect(first).toMatchObject({ labels: ['dog'], captions: ['A dog'] });
    expect(await problems(api, id)).toMatchObject([
      { source_path: 'image_annotations.csv', line: 4, reason: 'no file is called "nowhere.jpg"' },
    ]);
    const objects = first.objects.map((object) => object.object_id);
    expect(await shownObjects(api, id)).toEqual([...objects].sort());
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ n_objects: 2 });

    await writeFile(labels, `filename,label,caption\n${nameOf(1)},wolf,A wolf\n${nameOf(2)},cat,\n`);
    const second = await becomes(api, id, nameOf(1), (item) => item.labels.includes('wolf'));
    expect(second).toMatchObject({ labels: ['wolf'], captions: ['A wolf'] });
    expect(second.objects).toEqual(
      first.objects.map((object) => expect.objectContaining({ object_id: object.object_id })),
    );
    expect((await items(api, id)).get(nameOf(2))?.labels).toEqual(['cat']);
    expect(await problems(api, id)).toEqual([]);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_labels: 2, n_captions: 1, n_objects: 2 });

    await writeFile(
      join(root, 'object_annotations.csv'),
      `${OBJECT_HEADER}${nameOf(1)},10,20,30,40,ear\n${nameOf(1)},51,61,70,80,tail\n${nameOf(1)},1,1,0,1,none\n`,
    );
    const third = await becomes(api, id, nameOf(1), (item) => item.objects[1]?.bounding_box.x === 51);
    expect(third.objects.map((object) => object.label)).toEqual(['ear', 'tail']);
    expect(third.objects[0]?.object_id).toBe(objects[0]);
    expect(third.objects[1]?.object_id).not.toBe(objects[1]);
    expect(await shownObjects(api, id)).toEqual(third.objects.map((object) => object.object_id).sort());
    expect(await problems(api, id)).toMatchObject([{ source_path: 'object_annotations.csv', line: 4 }]);

    await writeFile(join(root, 'object_annotations.csv'), `${OBJECT_HEADER}${nameOf(2)},5,5,50,50,nose\n`);
    const other = await becomes(api, id, nameOf(2), (item) => item.objects.length === 1);
    expect(await shownObjects(api, id)).toEqual([other.objects[0]?.object_id]);
    expect((await items(api, id)).get(nameOf(1))?.objects).toEqual([]);
  });

  it('keep their effect after they are renamed or removed', async () => {
    const { root, id } = await watchedImages('tables go');
    await mkdir(join(root, 'notes'));
    const labels = join(root, 'image_annotations.csv');
    await writeFile(labels, `filename,label\n${nameOf(1)},dog\nnowhere.jpg,cat\n`);
    await becomes(api, id, nameOf(1), (item) => item.labels.includes('dog'));
    await rename(labels, join(root, 'notes', 'image_annotations.csv'));
    await until(
      () => problems(api, id),
      ([problem, ...more]) => problem?.source_path === 'notes/image_annotations.csv' && more.length === 0,
    );
    await settles(api, id);
    expect((await items(api, id)).get(nameOf(1))?.labels).toEqual(['dog']);
    await writeFile(
      join(root, 'notes', 'image_annotations.csv'),
      `filename,label\n${nameOf(1)},wolf\nnowhere.jpg,cat\n`,
    );
    expect((await becomes(api, id, nameOf(1), (item) => item.labels.includes('wolf'))).labels).toEqual(['wolf']);
    await rm(join(root, 'notes', 'image_annotations.csv'));
    await until(
      () => problems(api, id),
      (all) => all.length === 0,
    );
    await writeFile(join(root, 'object_annotations.csv'), `${OBJECT_HEADER}${nameOf(2)},5,5,50,50,nose\n`);
    await becomes(api, id, nameOf(2), (item) => item.objects.length === 1);
    expect((await items(api, id)).get(nameOf(1))?.labels).toEqual(['wolf']);
  });

  it('are read again when the images that they name come later', async () => {
    const { root, id } = await watchedImages('tables first');
    await writeFile(join(root, 'image_annotations.csv'), `filename,label\n${nameOf(1)},dog\n${nameOf(4)},cat\n`);
    await becomes(api, id, nameOf(1), (item) => item.labels.includes('dog'));
    expect(await problems(api, id)).toHaveLength(1);
    await writeImages(root, [4]);
    await becomes(api, id, nameOf(4), (item) => item.labels.includes('cat'));
    expect(await problems(api, id)).toEqual([]);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_labels: 2 });
  });

  it('may be COCO and YOLO; a changed label file uses the class names beside it', async () => {
    const { root, id } = await watchedImages('coco and yolo');
    const coco = (bbox: number[]) =>
      JSON.stringify({
        images: [{ id: 1, file_name: nameOf(1), width: 320, height: 240 }],
        categories: [{ id: 7, name: 'boat' }],
        annotations: [{ id: 1, image_id: 1, category_id: 7, bbox }],
      });
    await writeFile(join(root, 'annotations.json'), coco([10, 10, 100, 100]));
    await mkdir(join(root, 'labels'));
    await writeFile(join(root, 'classes.txt'), 'cat\ndog\n');
    await writeFile(join(root, 'labels', nameOf(2).replace('.jpg', '.txt')), '0 0.5 0.5 0.5 0.5\n');
    await becomes(api, id, nameOf(2), (item) => item.objects[0]?.label === 'cat');
    expect((await items(api, id)).get(nameOf(1))?.objects).toMatchObject([{ label: 'boat', class_id: 7 }]);
    await writeFile(join(root, 'labels', nameOf(2).replace('.jpg', '.txt')), '1 0.5 0.5 0.5 0.5\n');
    const dog = await becomes(api, id, nameOf(2), (item) => item.objects[0]?.label === 'dog');
    expect(dog.objects).toHaveLength(1);
    await writeFile(join(root, 'annotations.json'), coco([20, 10, 100, 100]));
    const boat = await becomes(api, id, nameOf(1), (item) => item.objects[0]?.bounding_box.x === 20);
    expect(boat.objects).toHaveLength(1);
    expect(await shownObjects(api, id)).toEqual([boat, dog].map((item) => item.objects[0]?.object_id).sort());
  });

  it('may be beside their images and arrive with them', async () => {
    const { root, id } = await watchedImages('beside');
    await writeFile(join(root, nameOf(1).replace('.jpg', '.txt')), '0 0.5 0.5 0.5 0.5\n');
    await becomes(api, id, nameOf(1), (item) => item.objects[0]?.label === 'class_0');
    await writeFile(join(root, nameOf(4).replace('.jpg', '.txt')), '2 0.5 0.5 0.5 0.5\n');
    await writeImages(root, [4]);
    await becomes(api, id, nameOf(4), (item) => item.objects[0]?.label === 'class_2');
    expect(await problems(api, id)).toEqual([]);
  });

  it('are read after kill -9, without duplicates', async () => {
    const root = await temporaryFolder();
    const seeds = Array.from({ length: 16 }, (_, n) => 100 + n);
    await writeImages(root, seeds);
    const data = await temporaryFolder();
    const running = await startServer(data);
    onTestFinished(() => void running.process.kill('SIGKILL'));
    const id = await watched(new Api(running.baseUrl), 'killed', root);
    const box = (seed: number, at: number) => `${nameOf(seed)},${at * 4},${at * 4},60,60,thing\n`;
    const rows = seeds.flatMap((seed) => Array.from({ length: 10 }, (_, at) => box(seed, at)));
    await writeFile(join(root, 'object_annotations.csv'), OBJECT_HEADER + rows.join(''));
    await until(
      () => new Api(running.baseUrl).get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
      ({ body }) => body.tasks.some((task) => task.step === 'Looking at objects' && task.status === 'RUNNING'),
    );
    await running.stop('SIGKILL');
    const { api: again } = await openData(data);
    await until(
      () => again.get<{ n_objects: number }>(`/dataset/${id}`),
      ({ body }) => body.n_objects === rows.length,
    );
    await settles(again, id);
    const { body } = await again.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS&threshold=4`);
    expect(body.metadata.total_items).toBe(rows.length);
  });

  it('replace old objects by new ones in one step, even if interrupted', async () => {
    const root = await temporaryFolder();
    const seeds = Array.from({ length: 12 }, (_, n) => 200 + n);
    await writeImages(root, seeds);
    const file = join(root, 'object_annotations.csv');
    const write = (x: number, label: string) =>
      writeFile(
        file,
        OBJECT_HEADER +
          seeds
            .map((seed) => `${nameOf(seed)},${x},8,60,60,${label}\n`)
            .join('')
            .repeat(10),
      );
    await write(4, 'wolf');
    const data = await temporaryFolder();
    const running = await startServer(data);
    onTestFinished(() => void running.process.kill('SIGKILL'));
    let on = new Api(running.baseUrl);
    const id = await watched(on, 'replaced', root);
    await on.atRest();

    const { body: first } = await on.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS&threshold=4`);
    const mediaId = first.clusters[0]?.previews[0]?.image_id;
    const seen = { explored: new Set<number>(), facets: new Set<string>(), item: new Set<string>() };
    async function look() {
      const { body } = await on.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS&threshold=4`);
      seen.explored.add(body.metadata.total_items);
      const { body: found } = await on.get<ExplorationMetadata>(
        `/explore/${id}/exploration_metadata?entity_type=IMAGES`,
      );
      seen.facets.add(found.labels.map(({ name, count }) => `${count} ${name}`).join());
      const { body: item } = await on.get<Image>(`/dataset/${id}/image/${mediaId}`);
      seen.item.add(item.objects.map(({ label }) => label).join());
    }
    await look();

    await write(5, 'lynx');
    const addition = async (expected: (task: Task) => boolean) =>
      until(async () => {
        await look();
        const { body } = await on.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=MEDIA_ADDITION`);
        return body.tasks[0] !== undefined && expected(body.tasks[0]);
      });
    await addition(({ status, step }) => status === 'RUNNING' && step === 'Looking at objects');
    await running.stop('SIGKILL');
    ({ api: on } = await openData(data));
    await addition(({ status }) => status === 'COMPLETED');
    await look();
    const ten = (label: string) => Array.from({ length: 10 }, () => label).join();
    expect(seen).toEqual({
      explored: new Set([120]),
      facets: new Set(['12 wolf', '12 lynx']),
      item: new Set([ten('wolf'), ten('lynx')]),
    });
    expect((await on.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_objects: 120 });
  });
});

describe('new content of a watched file', () => {
  it('keeps the objects of an image of the same size, and describes them again', async () => {
    const root = await temporaryFolder();
    await writeImages(root, [1, 2, 3]);
    await writeFile(
      join(root, 'object_annotations.csv'),
      `${OBJECT_HEADER}${nameOf(1)},0,0,320,240,all\n${nameOf(2)},0,0,320,240,all\n`,
    );
    const id = await watched(api, 'objects stay', root);
    const before = (await items(api, id)).get(nameOf(1));
    const [object] = before?.objects ?? [];
    const thumbnail = async (uri: string) =>
      sharp(Buffer.from(await (await fetch(uri, { cache: 'no-store' })).arrayBuffer()))
        .resize(8, 8, { fit: 'fill' })
        .raw()
        .toBuffer();
    const former = await thumbnail(object?.media_thumb_uri ?? '');
    await writeFile(join(root, nameOf(1)), await image(2));
    const after = await becomes(api, id, nameOf(1), (item) => item.content_hash !== before?.content_hash);
    expect(after.media_id).toBe(before?.media_id);
    expect(after.objects).toHaveLength(1);
    expect(after.objects[0]).toMatchObject({ object_id: object?.object_id, bounding_box: object?.bounding_box });
    const latter = await thumbnail(after.objects[0]?.media_thumb_uri ?? '');
    expect(latter.equals(former)).toBe(false);
    const duplicate = (await items(api, id)).get(nameOf(2))?.objects[0];
    expect(latter.equals(await thumbnail(duplicate?.media_thumb_uri ?? ''))).toBe(true);
    expect(await shownObjects(api, id)).toEqual([object?.object_id, duplicate?.object_id].sort());
    const search = await api.get<ExploreResult>(
      `/explore/${id}/similar/${object?.object_id}?entity_type=OBJECTS&threshold=0`,
    );
    const scores = search.body.clusters.flatMap((cluster) => cluster.previews.map((item) => item.relevance_score));
    expect(scores.every((score) => (score ?? 1) < 0.001)).toBe(true);
    expect(await problems(api, id)).toEqual([]);
  });

  it('describes all objects again after kill -9', async () => {
    const root = await temporaryFolder();
    const seeds = Array.from({ length: 12 }, (_, n) => 200 + n);
    await writeImages(root, seeds);
    const box = (seed: number, at: number) => `${nameOf(seed)},${at * 4},${at * 4},60,60,thing\n`;
    const rows = seeds.flatMap((seed) => Array.from({ length: 15 }, (_, at) => box(seed, at)));
    await writeFile(join(root, 'object_annotations.csv'), OBJECT_HEADER + rows.join(''));
    const data = await temporaryFolder();
    const running = await startServer(data);
    onTestFinished(() => void running.process.kill('SIGKILL'));
    const first = new Api(running.baseUrl);
    const id = await watched(first, 'killed anew', root);
    const before = await items(first, id);
    // All files become the same image, so that objects at the same position become equal.
    for (const seed of seeds) await writeFile(join(root, nameOf(seed)), await image(1));
    await until(
      () => first.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
      ({ body }) => body.tasks.some((task) => task.step === 'Looking at objects' && task.status === 'RUNNING'),
    );
    await running.stop('SIGKILL');
    const { api: again } = await openData(data);
    await until(
      () => again.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
      ({ body }) => body.tasks.every((task) => task.status === 'COMPLETED'),
    );
    const after = await items(again, id);
    const idsOf = (item: Image | undefined) => item?.objects.map((object) => object.object_id).sort();
    for (const seed of seeds) {
      expect(after.get(nameOf(seed))?.media_id).toBe(before.get(nameOf(seed))?.media_id);
      expect(idsOf(after.get(nameOf(seed)))).toEqual(idsOf(before.get(nameOf(seed))));
    }
    const anchor = after.get(nameOf(200))?.objects[3];
    const { body } = await again.get<ExploreResult>(
      `/explore/${id}/similar/${anchor?.object_id}?entity_type=OBJECTS&threshold=0`,
    );
    expect(body.metadata.total_items).toBe(rows.length);
    const nearest = body.clusters.find((cluster) => (cluster.relevance_score ?? 1) < 0.001);
    expect(nearest?.n_objects).toBeGreaterThanOrEqual(seeds.length);
  });

  it('of another size removes the objects and reports that', async () => {
    const root = await temporaryFolder();
    await writeImages(root, [1, 2, 3]);
    await writeFile(
      join(root, 'object_annotations.csv'),
      `${OBJECT_HEADER}${nameOf(1)},0,0,320,240,all\n${nameOf(2)},0,0,320,240,all\n`,
    );
    const id = await watched(api, 'objects go', root);
    await writeFile(join(root, nameOf(2)), await image(9, 200, 100));
    await becomes(api, id, nameOf(2), (item) => item.width === 200);
    const all = await items(api, id);
    expect(all.get(nameOf(2))?.objects).toEqual([]);
    expect(await shownObjects(api, id)).toEqual(all.get(nameOf(1))?.objects.map((object) => object.object_id));
    expect(await problems(api, id)).toMatchObject([
      { source_path: 'object_annotations.csv', line: null, reason: expect.stringContaining('200 × 100') },
    ]);
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ n_objects: 1 });

    // Rows of removed items are not reused for new items.
    await writeImages(root, [4]);
    await writeFile(join(root, 'object_annotations.csv'), `${OBJECT_HEADER}${nameOf(4)},0,0,320,240,all\n`);
    const fresh = await becomes(api, id, nameOf(4), (item) => item.objects.length === 1);
    expect(await shownObjects(api, id)).toEqual([fresh.objects[0]?.object_id]);
    const [cluster] = (await api.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS&threshold=4`)).body.clusters;
    expect(cluster?.previews[0]?.file_name).toBe(nameOf(4));
  });

  it('keeps the ids of a video and of its frames', async (context) => {
    if ('missing' in ffmpegPrograms) return context.skip(ffmpegPrograms.missing);
    const root = await temporaryFolder();
    await writeImages(root, [1, 2, 3]);
    const clip = join(root, 'clip.avi');
    const make = (source: string, seconds: number) =>
      makeWithFfmpeg(['-f', 'lavfi', '-i', `${source}=size=160x120:rate=5`, '-t', String(seconds), clip]);
    make('testsrc', 3);
    const id = await watched(api, 'video changes', root);
    const frame = (n: number) => `output_00000${n}.jpg`;
    const before = await items(api, id);
    make('smptebars', 2);
    const second = await becomes(api, id, frame(2), (item) => item.content_hash !== before.get(frame(2))?.content_hash);
    expect(second.media_id).toBe(before.get(frame(2))?.media_id);
    expect(second.video?.video_id).toBe(before.get(frame(2))?.video?.video_id);
    const shorter = await items(api, id);
    expect([...shorter.keys()].sort()).toEqual([...[1, 2, 3].map(nameOf), frame(1), frame(2)]);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_videos: 1, n_frames: 2, n_missing: 0 });

    make('smptebars', 4);
    const longer = await until(
      () => items(api, id),
      (all) => all.has(frame(4)),
    );
    await settles(api, id);
    for (const n of [1, 2, 3]) expect(longer.get(frame(n))?.media_id).toBe(before.get(frame(n))?.media_id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_videos: 1, n_frames: 4, n_missing: 0 });

    await writeFile(clip, 'no video any more');
    await until(
      () => items(api, id),
      (all) => all.size === 3,
    );
    await settles(api, id);
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_videos: 0, n_frames: 0, n_file_errors: 1 });
    make('testsrc', 3);
    const back = await until(
      () => items(api, id),
      (all) => all.size === 6,
    );
    for (const n of [1, 2, 3]) expect(back.get(frame(n))?.media_id).toBe(before.get(frame(n))?.media_id);
    expect(back.get(frame(1))?.content_hash).toBe(before.get(frame(1))?.content_hash);
    await settles(api, id);

    make('testsrc', 1);
    await until(
      () => items(api, id),
      (all) => all.size === 4,
    );
    await settles(api, id);
    const bytes = await readFile(clip);
    await rename(clip, `${root}.avi`);
    onTestFinished(() => rm(`${root}.avi`, { force: true }));
    await until(
      () => items(api, id),
      (all) => all.size === 3,
    );
    await settles(api, id);
    await rename(`${root}.avi`, clip);
    const returned = await until(
      () => items(api, id),
      (all) => all.size > 3,
    );
    expect([...returned.keys()].filter((name) => name.startsWith('output'))).toEqual([frame(1)]);
    const original = await fetch(returned.get(frame(1))?.video?.video_uri ?? '');
    expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true);
  });
});
