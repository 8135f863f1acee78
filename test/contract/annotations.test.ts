import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AnnotationProblem } from '../../src-main/contract/schemas/dataset.ts';
import {
  type ClusterPage,
  type ExplorationMetadata,
  type ExploreResult,
  exploreResult,
} from '../../src-main/contract/schemas/explore.ts';
import { type Image, image as imageSchema } from '../../src-main/contract/schemas/image.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { buildZip } from '../integration/archives/build-archive.ts';
import { type Api, form, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { findMedia } from '../support/media.ts';
import { S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const media = findMedia();
/** Number of boxes of the COCO photos. */
const BOXES = 796;

/** Client of a server that is shared by tests without special settings. */
let api: Api;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
});

/** Returns a folder of COCO photos with an annotation file of their boxes. */
async function cocoFolder(root: string, finished?: Parameters<typeof temporaryFolder>[0]): Promise<string> {
  const folder = await temporaryFolder(finished);
  await cp(join(root, 'photos/coco/images'), join(folder, 'images'), { recursive: true });
  await cp(join(root, 'photos/coco/instances.json'), join(folder, 'annotations.json'));
  return folder;
}

async function problemsOf(api: Api, id: string): Promise<AnnotationProblem[]> {
  const { body } = await api.get<{ annotation_problems: AnnotationProblem[]; total: number }>(
    `/dataset/${id}/annotation_problems?page_size=500`,
  );
  expect(body.total).toBe(body.annotation_problems.length);
  return body.annotation_problems;
}

/** Items by file name. */
async function itemsOf(api: Api, id: string): Promise<Map<string, Image>> {
  const clusters: ExploreResult['clusters'] = [];
  for (let pageNumber = 0; ; pageNumber += 1) {
    const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=4&page_number=${pageNumber}`);
    if (body.clusters.length === 0) break;
    clusters.push(...body.clusters);
  }
  const items = new Map<string, Image>();
  for (const { cluster_id } of clusters) {
    const page = await api.get<ClusterPage>(`/explore/${id}/cluster/${cluster_id}?page_size=500`);
    for (const { media_id } of page.body.items) {
      const found = await api.get<Image>(`/dataset/${id}/image/${media_id}`);
      const item = imageSchema.parse(found.body);
      items.set(item.file_name, item);
    }
  }
  return items;
}

describe('COCO beside the media', () => {
  let id: string;
  let truth: {
    images: { id: number; file_name: string }[];
    annotations: { image_id: number; category_id: number; bbox: [number, number, number, number] }[];
    categories: { id: number; name: string }[];
  };

  beforeAll(async () => {
    if ('missing' in media) return;
    const folder = await cocoFolder(media.root, atEnd);
    truth = JSON.parse(await readFile(join(folder, 'annotations.json'), 'utf8')) as typeof truth;
    id = await api.createFromFolder('coco', folder);
    await api.waitFor(id, 'READY');
  });

  it('becomes objects, and reports every unusable box', async (context) => {
    if ('missing' in media) return context.skip(media.missing);
    const { body: dataset } = await api.get<{ n_objects: number; n_images: number; n_file_errors: number }>(
      `/dataset/${id}`,
    );
    const problems = await problemsOf(api, id);
    expect(dataset).toMatchObject({ n_images: 125, n_file_errors: 0 });
    expect(dataset.n_objects + problems.length).toBe(BOXES);
    expect(dataset.n_objects).toBeGreaterThan(BOXES - 10);
    for (const problem of problems) expect(problem).toMatchObject({ source_path: 'annotations.json' });
    const { body: stats } = await api.get(`/dataset/${id}/stats`);
    expect(stats).toMatchObject({
      n_objects: dataset.n_objects,
      n_labels: 0,
      n_captions: 0,
      n_annotation_problems: problems.length,
    });
    const { body: batches } = await api.get<{ batches: { n_files: number; n_done: number }[] }>(
      `/dataset/${id}/batches`,
    );
    expect(batches.batches).toMatchObject([{ n_files: 125, n_done: 125 }]);
  });

  it('keeps boxes, labels and class ids of each image', async (context) => {
    if ('missing' in media) return context.skip(media.missing);
    const items = await itemsOf(api, id);
    expect(items.size).toBe(125);
    const problems = (await problemsOf(api, id)).map((problem) => problem.line);
    for (const { id: imageId, file_name } of truth.images) {
      const required = truth.annotations.filter((one, at) => one.image_id === imageId && !problems.includes(at + 1));
      const item = items.get(file_name);
      expect(item?.objects.map((object) => object.class_id)).toEqual(required.map((one) => one.category_id));
      for (const [at, { bbox, category_id }] of required.entries()) {
        const object = item?.objects[at];
        expect(object?.label).toBe(truth.categories.find((category) => category.id === category_id)?.name);
        const { x = 0, y = 0, width = 0, height = 0 } = object?.bounding_box ?? {};
        expect(Math.abs(x - bbox[0])).toBeLessThanOrEqual(0.5);
        expect(Math.abs(y - bbox[1])).toBeLessThanOrEqual(0.5);
        expect(x + width).toBeLessThanOrEqual(item?.width ?? 0);
        expect(y + height).toBeLessThanOrEqual(item?.height ?? 0);
        expect(object?.source).toBe('Import');
      }
    }
  });

  it('shows clusters of objects with signed thumbnails of their own', async (context) => {
    if ('missing' in media) return context.skip(media.missing);
    const { body } = await api.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS`);
    exploreResult.parse(body);
    const { body: dataset } = await api.get<{ n_objects: number }>(`/dataset/${id}`);
    expect(body.metadata.total_items).toBe(dataset.n_objects);
    const [cluster] = body.clusters;
    expect(cluster).toMatchObject({ type: 'OBJECTS', n_objects: expect.any(Number), labels: expect.any(Array) });
    expect(cluster?.n_objects).toBeGreaterThan(0);
    const preview = cluster?.previews[0];
    expect(preview).toMatchObject({ type: 'OBJECT', caption: null, labels: [expect.any(String)] });
    expect(preview?.media_id).not.toBe(preview?.image_id);
    const thumbnail = await fetch(preview?.media_thumb_uri ?? '');
    const size = await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata();
    expect(size.format).toBe('webp');
    const box = preview?.bounding_box ?? { width: 0, height: 0 };
    expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(Math.max(box.width, box.height, 320));
    expect((await fetch(preview?.image_uri ?? '')).headers.get('content-type')).toBe('image/jpeg');
    const page = await api.get<ClusterPage>(`/explore/${id}/cluster/${cluster?.cluster_id}`);
    expect(page.body.cluster.type).toBe('OBJECTS');
    expect(page.body.total).toBe(cluster?.n_objects);
    expect(page.body.items.every((item) => item.type === 'OBJECT')).toBe(true);
  });

  it('finds objects like an object, itself first', async (context) => {
    if ('missing' in media) return context.skip(media.missing);
    const { body: all } = await api.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS`);
    const anchor = all.clusters[0]?.previews[0];
    const { body } = await api.get<ExploreResult>(
      `/explore/${id}?entity_type=OBJECTS&anchor_type=MEDIA&anchor_media_id=${anchor?.media_id}`,
    );
    expect(body.clusters[0]?.previews[0]).toMatchObject({ media_id: anchor?.media_id, relevance_score: 0 });
    const scores = body.clusters.map((cluster) => cluster.relevance_score ?? -1);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });

  it('returns totals of a page', async (context) => {
    if ('missing' in media) return context.skip(media.missing);
    const { body } = await api.get<ExplorationMetadata>(
      `/explore/${id}/exploration_metadata?entity_type=OBJECTS&threshold=2&page_number=0`,
    );
    const { body: page } = await api.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS`);
    expect(body).toMatchObject({ dataset_name: 'coco', clusters_count: page.metadata.total_clusters });
    expect(body.clusters).toEqual(page.clusters.map(({ cluster_id }) => ({ cluster_id })));
    expect(body.labels[0]?.name).toBe('person');
    expect(body.labels.reduce((sum, label) => sum + label.count, 0)).toBe(body.media_count);
  });
});

describe('tables and YOLO', () => {
  it('give labels, captions and boxes; unmatched rows are reported with their lines', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'images'));
    for (const seed of [1, 2, 3]) await writeFile(join(folder, 'images', `${seed}.jpg`), await image(seed));
    await writeFile(join(folder, 'images', 'broken.jpg'), 'not an image');
    await writeFile(
      join(folder, 'image_annotations.csv'),
      'filename,label,caption\nimages/1.jpg,"[""dog"",""cat""]",A dog and a cat\n2.jpg,dog,\nnowhere.jpg,"[""dog"",""cat""]",A dog\nbroken.jpg,cat,\n',
    );
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n1.jpg,10,20,30,40,ear\n1.jpg,300,200,100,100,tail\n2.jpg,5,5,1,1,nose\n' +
        '2.jpg,900,900,10,10,gone\n4.jpg,1,1,5,5,ear\n',
    );
    const id = await api.createFromFolder('tables', folder);
    const ready = await api.waitFor(id, 'READY');
    expect(ready).toMatchObject({ n_images: 3, n_file_errors: 1, n_objects: 3 });
    const problems = await problemsOf(api, id);
    expect(problems.map(({ problem }) => problem)).toMatchObject([
      { code: 'no_file_named', params: { file: 'nowhere.jpg' } },
      { code: 'annotated_file_unreadable', params: { problem: { code: 'image_format_unknown' } } },
      { code: 'box_outside_image' },
      { code: 'no_file_named', params: { file: '4.jpg' } },
    ]);
    expect(problems.map(({ source_path, line, reason }) => `${source_path}:${line} ${reason}`)).toEqual([
      expect.stringMatching(/^image_annotations\.csv:4 no file is called "nowhere\.jpg"$/),
      expect.stringMatching(/^image_annotations\.csv:5 "images\/broken\.jpg" could not be read: /),
      expect.stringMatching(/^object_annotations\.csv:5 the box is outside the image/),
      expect.stringMatching(/^object_annotations\.csv:6 no file is called "4\.jpg"$/),
    ]);
    const items = await itemsOf(api, id);
    expect(items.get('1.jpg')).toMatchObject({
      labels: ['cat', 'dog'],
      captions: ['A dog and a cat'],
      objects: [
        { label: 'ear', bounding_box: { x: 10, y: 20, width: 30, height: 40 } },
        { label: 'tail', bounding_box: { x: 300, y: 200, width: 20, height: 40 } },
      ],
    });
    expect(items.get('3.jpg')).toMatchObject({ labels: [], captions: [], objects: [] });
    const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=4`);
    expect(body.clusters.flatMap((cluster) => cluster.labels ?? [])).toContain('dog');
    expect(body.clusters.flatMap((cluster) => cluster.captions ?? [])).toEqual(['A dog and a cat']);
    const previews = body.clusters.flatMap((cluster) => cluster.previews);
    expect(previews.find((preview) => preview.file_name === '1.jpg')).toMatchObject({
      labels: ['cat', 'dog', 'ear', 'tail'],
      caption: 'A dog and a cat',
      bounding_box: null,
    });
    const { body: stats } = await api.get(`/dataset/${id}/stats`);
    expect(stats).toMatchObject({ n_labels: 3, n_captions: 1, n_annotation_problems: 4 });
    const second = await api.get<{ annotation_problems: AnnotationProblem[]; total: number }>(
      `/dataset/${id}/annotation_problems?page_size=3&page_number=1`,
    );
    expect(second.body).toMatchObject({ total: 4, annotation_problems: [{ line: 6 }] });

    await writeFile(join(folder, 'images', '4.jpg'), await image(4));
    const added = await api.post(`/dataset/${id}/add_media`, { s3_uri: folder, auto_reindex: 'true' });
    expect(added.status).toBe(202);
    await until(
      () => api.get<{ n_images: number; status_new: string }>(`/dataset/${id}`),
      (answer) => answer.body.n_images === 4 && answer.body.status_new === 'READY',
    );
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({
      n_objects: 4,
      n_labels: 3,
      n_captions: 1,
      n_annotation_problems: 3,
    });
  });

  it('are found beside images, under any name, in folders and in added media', async () => {
    const folder = await temporaryFolder();
    await writeImages(folder, [1, 2], 'photo');
    await writeFile(join(folder, 'photo-00001.txt'), '1 0.5 0.5 0.5 0.5\n');
    await writeFile(join(folder, 'photo-00002.txt'), 'A dog on a lawn.\nIt sleeps.\n');
    await writeFile(join(folder, 'classes.txt'), 'cat\ndog\n');
    await writeFile(join(folder, 'README.txt'), '0 0.5 0.5 0.5 0.5\n');
    await writeFile(join(folder, 'requirements.txt'), 'numpy\n');
    await writeFile(join(folder, 'package.json'), '{"annotations": []}');
    await writeFile(join(folder, 'polygons.json'), '{"shapes": []}');
    const id = await api.createFromFolder('beside', folder);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 2, n_objects: 1, n_file_errors: 0 });
    expect((await itemsOf(api, id)).get('photo-00001.jpg')?.objects).toMatchObject([{ label: 'dog', class_id: 1 }]);
    expect(await problemsOf(api, id)).toMatchObject([
      { source_path: 'photo-00002.txt', line: null },
      { source_path: 'polygons.json', line: null },
    ]);

    const coco = {
      images: [{ id: 1, file_name: 'new.jpg' }],
      categories: [{ id: 3, name: 'boat' }],
      annotations: [{ image_id: 1, category_id: 3, bbox: [10, 10, 100, 100] }],
    };
    const later = form({ auto_reindex: 'true' });
    later.append('files', new Blob([new Uint8Array(await image(9))]), 'new.jpg');
    later.append('files', new Blob(['0 0.5 0.5 0.25 0.25\n']), 'new.txt');
    later.append('files', new Blob([JSON.stringify(coco)]), 'export.json');
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body: later })).status).toBe(202);
    await until(
      () => api.get<{ n_objects: number; status_new: string }>(`/dataset/${id}`),
      (answer) => answer.body.n_objects === 3 && answer.body.status_new === 'READY',
    );
    const added = (await itemsOf(api, id)).get('new.jpg')?.objects.map((object) => object.label);
    expect(added?.sort()).toEqual(['boat', 'class_0']);
  });

  it('can be uploaded, also as a flat list, and later batches add to them', async () => {
    const folder = await temporaryFolder();
    const files = await writeImages(folder, [1, 2], 'photo');
    await mkdir(join(folder, 'labels'));
    await writeFile(join(folder, 'labels', 'photo-00001.txt'), '1 0.5 0.5 0.5 0.5\n7 0.1 0.1 0.1 0.1\n');
    await writeFile(join(folder, 'classes.txt'), 'cat\ndog\n');
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=uploads');
    const id = draft.dataset_id;
    const { body: open } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
    await api.upload(id, open.trans_id, files);
    const body = new FormData();
    for (const name of ['labels/photo-00001.txt', 'classes.txt']) {
      body.append('files', new Blob([await readFile(join(folder, name))]), name);
    }
    const sent = await api.call('POST', `/ingestion/${id}/data_files/${open.trans_id}`, { body });
    expect(sent.body).toMatchObject({ accepted: 2, refused: [] });
    expect((await api.post(`/ingestion/${id}/process_files/${open.trans_id}`)).status).toBe(202);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 2, n_objects: 1, n_file_errors: 0 });
    expect(await problemsOf(api, id)).toMatchObject([{ source_path: 'labels/photo-00001.txt', line: 2 }]);
    expect((await itemsOf(api, id)).get('photo-00001.jpg')?.objects).toMatchObject([
      { label: 'dog', class_id: 1, bounding_box: { x: 80, y: 60, width: 160, height: 120 } },
    ]);

    const table = parquetWriteBuffer({
      columnData: [
        { name: 'filename', data: ['photo-00002.jpg'], type: 'STRING' },
        ...['col_x', 'row_y'].map((name) => ({ name, data: [1], type: 'INT32' as const })),
        ...['width', 'height'].map((name) => ({ name, data: [50], type: 'INT32' as const })),
        { name: 'label', data: ['ear'], type: 'STRING' },
      ],
    });
    const later = form({ auto_reindex: 'true' });
    later.append('files', new Blob([table]), 'object_annotations.parquet');
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body: later })).status).toBe(202);
    await until(
      () => api.get<{ n_objects: number; status_new: string }>(`/dataset/${id}`),
      (answer) => answer.body.n_objects === 2 && answer.body.status_new === 'READY',
    );
    const { body: objects } = await api.get<ExploreResult>(`/explore/${id}?entity_type=OBJECTS&threshold=4`);
    expect(objects.metadata.total_items).toBe(2);
  });
});

describe('archives and object storage', () => {
  it('contain annotations with boxes on the upright image; a file that cannot be fetched is reported', async () => {
    const s3 = await startS3Server(await temporaryFolder());
    onTestFinished(() => s3.close());
    const { api } = await serve(await temporaryFolder(), { ...S3_CREDENTIALS, VITRINE_S3_ENDPOINT: s3.endpoint });
    // Stored rotated: 320 × 240 pixels that are shown as 240 × 320.
    const turned = await sharp(await image(5))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await s3.put('photos', 'set/images/turned.jpg', turned);
    await s3.put('photos', 'set/labels/turned.txt', '0 0.5 0.75 1 0.5\n');
    await s3.put('photos', 'set/image_annotations.csv', 'filename,label\nturned.jpg,tall\n');
    await s3.put('photos', 'set/annotations.json', '{}');
    s3.onRequest((requested) =>
      requested.method === 'GET' && requested.url?.includes('annotations.json')
        ? { status: 403, code: 'AccessDenied' }
        : undefined,
    );
    const id = await api.createFromFolder('objects', 's3://photos/set/');
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 1, n_objects: 1, n_file_errors: 0 });
    expect((await itemsOf(api, id)).get('turned.jpg')).toMatchObject({
      width: 240,
      height: 320,
      labels: ['tall'],
      objects: [{ label: 'class_0', class_id: 0, bounding_box: { x: 0, y: 160, width: 240, height: 160 } }],
    });
    expect(await problemsOf(api, id)).toMatchObject([{ source_path: 'annotations.json', line: null }]);

    const zip = buildZip([
      { name: 'more/a.jpg', data: await image(6) },
      {
        name: 'more/object_annotations.csv',
        data: Buffer.from('filename,col_x,row_y,width,height,label\na.jpg,0,0,1,1,dot\nturned.jpg,0,0,240,320,all\n'),
      },
    ]);
    const body = form({ auto_reindex: 'true' });
    body.append('archive', new Blob([new Uint8Array(zip)]), 'more.zip');
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body })).status).toBe(202);
    await until(
      () => api.get<{ n_objects: number; n_images: number; status_new: string }>(`/dataset/${id}`),
      (answer) => answer.body.n_images === 2 && answer.body.status_new === 'READY',
    );
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_objects: 3, n_annotation_problems: 1 });
    const items = await itemsOf(api, id);
    expect(items.get('turned.jpg')?.objects.map((object) => object.label)).toEqual(['class_0', 'all']);
    const thumbnail = await fetch(items.get('turned.jpg')?.objects[1]?.media_thumb_uri ?? '');
    const { width, height } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata();
    expect({ width, height }).toEqual({ width: 240, height: 320 });
  });
});

describe('kill -9', () => {
  it('while objects are read: the next start reaches the same result', async () => {
    const folder = await temporaryFolder();
    const seeds = Array.from({ length: 16 }, (_, seed) => seed);
    await writeImages(folder, seeds);
    const boxes = seeds.flatMap((seed) =>
      Array.from({ length: 12 }, (_, at) => `image-${String(seed).padStart(5, '0')}.jpg,${at * 20},8,60,60,thing\n`),
    );
    await writeFile(
      join(folder, 'object_annotations.csv'),
      `filename,col_x,row_y,width,height,label\n${boxes.join('')}`,
    );
    const data = await temporaryFolder();
    const first = await serve(data);
    const id = await first.api.createFromFolder('killed', folder);
    await until(
      () => first.api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
      ({ body }) => body.tasks[0]?.step === 'Looking at objects' && (body.tasks[0]?.done ?? 0) > 0,
    );
    await first.server.stop('SIGKILL');
    const second = await openData(data);
    expect(await second.api.waitFor(id, 'READY')).toMatchObject({ n_objects: boxes.length });
    expect(await problemsOf(second.api, id)).toEqual([]);
    const ids = new Set<string>();
    for (const item of (await itemsOf(second.api, id)).values())
      for (const { object_id } of item.objects) ids.add(object_id);
    expect(ids.size).toBe(boxes.length);
  });
});

describe('folders named by class', () => {
  const PATHS = ['train/cat/1.jpg', 'train/dog/2.jpg', 'valid/cat/3.jpg'];

  async function petFolder(): Promise<string> {
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [1, 2, 3]);
    for (const [at, path] of PATHS.entries()) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await rename(join(folder, `image-0000${at + 1}.jpg`), join(folder, path));
    }
    await writeFile(join(folder, 'train/notes.json'), '{"made":"by hand"}');
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n1.jpg,1,1,9,9,ear\n',
    );
    return folder;
  }
  const left = {
    source_path: 'train/notes.json',
    reason: expect.stringContaining('annotation format is not supported'),
  };

  it('are previewed before a dataset is created, with annotations and problems', async () => {
    const folder = await petFolder();
    const { status, body } = await api.get(`/local_folders/preview?path=${encodeURIComponent(folder)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      n_images: 3,
      media_formats: [{ name: 'jpg', count: 3 }],
      annotations: {
        formats: [{ name: 'Table of boxes', n_files: 1, n_boxes: 1 }],
        classes: [{ name: 'ear', count: 1 }],
        problems: [left],
        is_complete: true,
      },
      folder_labels: {
        n_classes: 2,
        classes: [
          { name: 'cat', count: 2 },
          { name: 'dog', count: 1 },
        ],
        splits: [
          { name: 'train', count: 2 },
          { name: 'val', count: 1 },
        ],
      },
      is_complete: true,
    });
    expect((await api.get('/local_folders/preview?path=relative')).status).toBe(400);
  });

  it('are previewed in an upload and in an archive before anything is created', async () => {
    const folder = await petFolder();
    const { body: inFolder } = await api.get(`/local_folders/preview?path=${encodeURIComponent(folder)}`);
    const notes = ['object_annotations.csv', 'train/notes.json'];
    const preview = (files: Record<string, Uint8Array | string>, paths: unknown) => {
      const body = new FormData();
      body.set('paths', typeof paths === 'string' ? paths : JSON.stringify(paths));
      for (const [name, content] of Object.entries(files)) body.append('files', new Blob([content as BlobPart]), name);
      return api.call('POST', '/ingestion/preview', { body });
    };
    const contents = Object.fromEntries(
      await Promise.all(notes.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
    );
    const uploaded = await preview(contents, [...PATHS, ...notes]);
    expect(uploaded.status).toBe(200);
    expect(uploaded.body).toEqual(inFolder);
    // Annotations that are not sent are missing from the counts, which says so.
    const partly = await preview({}, [...PATHS, ...notes]);
    expect(partly.body).toMatchObject({ n_images: 3, annotations: { formats: [] }, is_complete: false });

    const entries = await Promise.all(
      [...PATHS, ...notes].map(async (name) => ({ name, data: await readFile(join(folder, name)) })),
    );
    const archived = await preview({ 'pets.zip': buildZip(entries) }, '');
    expect(archived.body).toEqual(inFolder);
    expect((await preview({ 'pets.zip': 'not an archive' }, '')).status).toBe(400);
    expect((await preview({}, 'no list')).status).toBe(422);
  });

  it.each([true, false])('become labels and the field "split" on request: %s', async (isChosen) => {
    const folder = await petFolder();
    const id = await api.createFromFolder('Pets', folder, { encoder: 'none', labels_from: isChosen ? 'folders' : '' });
    await api.waitFor(id, 'READY');
    const items = await itemsOf(api, id);
    const labels = [...items.values()].map(({ file_path, label_details }) => [
      file_path,
      label_details.filter(({ source }) => source === 'Folder').map(({ label }) => label),
    ]);
    const expected = PATHS.map((path) => [path, isChosen ? [path.split('/')[1]] : []]);
    expect(labels.toSorted()).toEqual(expected.toSorted());
    expect(await problemsOf(api, id)).toMatchObject([left]);
    const vql = encodeURIComponent(JSON.stringify([{ metadata: { field: 'split', op: 'is', value: ['val'] } }]));
    const found = await api.get<{ items: { file_name: string }[] }>(
      `/explore/${id}/items?entity_type=IMAGES&vql=${vql}`,
    );
    if (isChosen) expect(found.body.items.map(({ file_name }) => file_name)).toEqual(['3.jpg']);
    else expect(found.body.items ?? []).toEqual([]);

    const later = join(await temporaryFolder(), 'bird');
    await writeImages(later, [9]);
    expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: dirname(later) })).status).toBe(202);
    await api.waitFor(id, 'PARTIAL INDEX');
    const added = [...(await itemsOf(api, id)).values()].find(({ file_path }) => file_path.startsWith('bird/'));
    expect(added?.labels).toEqual(isChosen ? ['bird'] : []);
  });
});
