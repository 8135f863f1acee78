import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parquetReadObjects } from 'hyparquet';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Tag } from '../../src-main/contract/schemas/edit.ts';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { ExportTask, MediaItem, MetadataItem } from '../../src-main/contract/schemas/export.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';
import { tinyPng } from '../support/tiny-png.ts';
import { zipEntries } from '../support/zip-entries.ts';

/* Seven images of 16 × 16 pixels, two of them equal, with annotation files of boxes, labels and captions. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const PATHS = ['a.png', 'b.png', 'copy/a.png', 'd & e.png', 'f.png', 'sub/g.png', 'sub/a.png'];
const BOXES = [
  { image_id: 1, category_id: 7, bbox: [1, 2, 8, 6] },
  { image_id: 1, category_id: 3, bbox: [4, 4, 12, 12] },
  { image_id: 6, category_id: 3, bbox: [0, 0, 16, 5] },
];

let test: TestApi;
let api: Api;
let folder: string;
let id: string;

async function indexed(from: string): Promise<string> {
  const datasetId = await api.createFromFolder('Cats / "Dögs"', from, { encoder: 'none' });
  await api.waitFor(datasetId, 'READY');
  await api.atRest();
  return datasetId;
}

beforeAll(async () => {
  test = await startTestApi({ finished: atEnd, environment: { VITRINE_EXPORT_MAX_IMAGES: '6' } });
  api = test.api;
  folder = await temporaryFolder(atEnd);
  for (const [at, path] of PATHS.entries()) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), tinyPng(path === 'copy/a.png' ? 0 : at));
  }
  const coco = {
    images: PATHS.map((fileName, at) => ({ id: at + 1, file_name: fileName, width: 16, height: 16 })),
    categories: [
      { id: 3, name: 'cat' },
      { id: 7, name: 'dog' },
    ],
    annotations: BOXES.map((box, at) => ({ id: at + 1, ...box })),
  };
  await writeFile(join(folder, 'annotations.json'), JSON.stringify(coco));
  await writeFile(
    join(folder, 'image_annotations.csv'),
    'filename,label,caption\nb.png,"[""cat"", ""cute, small""]",a small cat\nf.png,owl,"an owl, ""up"" there"\n',
  );
  id = await indexed(folder);
}, 120_000);

interface Answered {
  task: ExportTask;
  entries: Map<string, Buffer>;
}

async function finished(started: ExportTask, datasetId = id): Promise<ExportTask> {
  return until(
    async () => (await api.get<ExportTask>(`/dataset/${datasetId}/export_status?export_task_id=${started.id}`)).body,
    ({ status }) => status === 'COMPLETED' || status === 'FAILED',
  );
}

async function fetched(started: ExportTask, datasetId = id): Promise<Answered> {
  const task = await finished(started, datasetId);
  expect(task).toMatchObject({ status: 'COMPLETED', progress: 100 });
  const response = await fetch(task.download_uri ?? '');
  expect(response.status).toBe(200);
  return { task, entries: await zipEntries(Buffer.from(await response.arrayBuffer())) };
}

async function exported(query: string, datasetId = id): Promise<Answered> {
  const { status, body } = await api.get<ExportTask>(`/dataset/${datasetId}/export_context_async?${query}`);
  expect(status).toBe(200);
  return fetched(body, datasetId);
}

function metadataOf({ entries }: Answered): {
  info: Record<string, unknown>;
  custom_fields?: unknown[];
  media_items: MediaItem[];
} {
  return JSON.parse(String(entries.get('metadata.json')));
}

function jsonOf<T>({ entries }: Answered, name: string): T {
  return JSON.parse(String(entries.get(name))) as T;
}

function post(body: unknown, query = 'export_format=json') {
  return api.call<ExportTask>('POST', `/dataset/${id}/export_entities_async?${query}`, json(body));
}

const entriesOf = (item: MediaItem | undefined, type: MetadataItem['type']) =>
  item?.metadata_items.filter((one) => one.type === type).map(({ properties }) => properties) ?? [];

describe('an export of a dataset', () => {
  it('returns the complete task object, then a signed URL that needs no permission', async () => {
    const { body } = await api.get<ExportTask>(
      `/dataset/${id}/export_context_async?export_format=json&include_images=False&vl_extra=1`,
    );
    expect(body).toMatchObject({
      dataset_id: id,
      status: expect.stringMatching(/^(INIT|IN_PROGRESS|COMPLETED)$/),
      progress: expect.any(Number),
      entities_count: PATHS.length,
    });
    const task = await finished(body);
    expect(task).toMatchObject({
      status: 'COMPLETED',
      result_message: 'Exported 7 items',
      file_name: 'Cats _ _Dögs_.zip',
    });
    expect(task.download_uri).toMatch(new RegExp(`^${api.baseUrl}/api/v1/export/`));
    const { body: tasks } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=EXPORT`);
    expect(tasks.tasks[0]).toMatchObject({ task_id: task.id, status: 'COMPLETED' });
  });

  it('contains metadata.json in the format that clients read', async () => {
    const answered = await exported('export_format=json');
    expect([...answered.entries.keys()]).toEqual(['metadata.json']);
    const { info, media_items } = metadataOf(answered);
    expect(info).toMatchObject({
      schema_version: '1.1',
      dataset: 'Cats / "Dögs"',
      description: '',
      dataset_url: expect.stringContaining(id),
      export_time: expect.any(String),
      dataset_creation_time: expect.any(String),
      exported_by: 'owner@localhost',
      total_media_items: PATHS.length,
    });
    expect(media_items.map(({ file_path }) => file_path).sort()).toEqual([...PATHS].sort());
    const byPath = new Map(media_items.map((item) => [item.file_path, item]));
    const a = byPath.get('a.png');
    expect(a).toEqual({
      media_id: expect.any(String),
      media_type: 'image',
      file_name: 'a.png',
      image_filename: 'a.png',
      file_path: 'a.png',
      file_size: expect.stringMatching(/^\d+\.\d\dKB$/),
      uniqueness_score: expect.any(Number),
      height: 16,
      width: 16,
      url: expect.stringMatching(/^http/),
      image_uri: a?.url,
      cluster_id: expect.any(String),
      metadata_items: expect.any(Array),
    });
    expect((await fetch(a?.url ?? '')).status).toBe(200);
    expect(entriesOf(a, 'object_label')).toEqual([
      expect.objectContaining({ category_name: 'dog', source: 'Import', bbox: [1, 2, 8, 6], metadata_items: [] }),
      expect.objectContaining({ category_name: 'cat', bbox: [4, 4, 12, 12], url: expect.stringMatching(/^http/) }),
    ]);
    const levels = entriesOf(a, 'issue').filter(({ issue_type }) => issue_type === 'duplicates');
    expect(levels.map(({ duplicate_threshold }) => duplicate_threshold)).toEqual([1, 0.95, 0.9, 0.85, 0.8]);
    const groups = new Set(levels.map(({ duplicate_group_id }) => duplicate_group_id));
    expect(entriesOf(byPath.get('copy/a.png'), 'issue').map(({ duplicate_group_id }) => duplicate_group_id)).toEqual(
      expect.arrayContaining([...groups]),
    );
    const b = byPath.get('b.png');
    expect(entriesOf(b, 'image_label').map(({ category_name }) => category_name)).toEqual(['cat', 'cute, small']);
    expect(entriesOf(b, 'caption')).toEqual([{ caption: 'a small cat', text: 'a small cat', source: 'Import' }]);
  });

  it('contains manual annotations: tags, labels, values of custom fields; and no excluded items', async () => {
    const other = await temporaryFolder(atEnd);
    await cp(folder, other, { recursive: true });
    const edited = await indexed(other);
    const send = (path: string, body: unknown) => api.call<{ id: string; task_id: string }>('POST', path, json(body));
    const { media_items: before } = metadataOf(await exported('export_format=json', edited));
    const idOf = (path: string) => before.find(({ file_path }) => file_path === path)?.media_id ?? '';
    const selected = (path: string) => [{ type: 'media', payload: { media_ids: [idOf(path)] } }];
    const { body: tag } = await send(`/dataset/${edited}/tags`, { name: 'checked' });
    await send(`/dataset/${edited}/edit_tags`, { media_selection: selected('b.png'), add: [tag.id] });
    await send(`/dataset/${edited}/edit_labels`, {
      media_selection: selected('b.png'),
      add: ['wolf'],
      remove: ['cat'],
    });
    await send(`/dataset/${edited}/exclude`, { media_selection: selected('f.png') });
    const fields = `/datasets/${edited}/custom_metadata/tasks`;
    const { body: field } = await send(fields, { field_name: 'weight', field_type: 'float' });
    await send(`${fields}/${field.task_id}`, [{ media_id: idOf('b.png'), value: 4.5 }]);
    await until(
      async () => (await api.get<{ status: string }>(`${fields}/${field.task_id}/status`)).body,
      ({ status }) => status === 'COMPLETED',
    );
    const { media_items } = metadataOf(await exported('export_format=json', edited));
    expect(media_items.map(({ file_path }) => file_path)).not.toContain('f.png');
    const b = media_items.find(({ file_path }) => file_path === 'b.png');
    expect(entriesOf(b, 'user_tag')).toEqual([
      { tag_name: 'checked', assigned_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) },
    ]);
    expect(entriesOf(b, 'image_label').map(({ category_name, source }) => [category_name, source])).toEqual([
      ['wolf', 'User'],
      ['cute, small', 'Import'],
    ]);
    expect(entriesOf(b, 'custom_metadata')).toEqual([{ field_name: 'weight', field_type: 'float', value: 4.5 }]);
  });

  it('has the same content in Parquet, one row per item', async () => {
    const { media_items } = metadataOf(await exported('export_format=json'));
    const { entries } = await exported('export_format=parquet');
    const bytes = entries.get('metadata.parquet') ?? Buffer.alloc(0);
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    const comparable = (item: Record<string, unknown>) => ({ ...item, metadata_items: undefined });
    expect(rows.map(comparable)).toEqual(media_items.map((item) => comparable({ ...item })));
    expect(rows.map((row) => JSON.parse(String(row.metadata_items)))).toEqual(
      media_items.map(({ metadata_items }) => metadata_items),
    );
  });

  it('finds the same items as Explore by filters, pages and clusters; an empty result is COMPLETED', async () => {
    const vql = encodeURIComponent(JSON.stringify([{ labels: { op: 'one_of', value: ['cat'] } }]));
    const paths = async (query: string) =>
      metadataOf(await exported(`export_format=json&${query}`)).media_items.map(({ file_path }) => file_path);
    const cats = await paths(`vql=${vql}`);
    expect(cats.sort()).toEqual(['a.png', 'b.png', 'sub/g.png']);
    expect(await paths(`vql=${vql}&offset=1&limit=1`)).toHaveLength(1);
    expect(await paths('labels=[nothing]')).toEqual([]);
    const objects = metadataOf(await exported(`export_format=json&entity_type=OBJECTS&vql=${vql}`)).media_items;
    expect(
      objects.flatMap((item) => entriesOf(item, 'object_label')).map(({ category_name }) => category_name),
    ).toEqual(['cat', 'cat']);
    const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=0&duplicate_threshold=1`);
    expect(await paths(`duplicate_threshold=1&cluster_id=${body.clusters[0]?.cluster_id}`)).toEqual([
      'a.png',
      'copy/a.png',
    ]);
  });

  it('reports by how much it exceeds the limit', async () => {
    const { body } = await api.get<ExportTask>(
      `/dataset/${id}/export_context_async?export_format=json&include_images=true`,
    );
    expect(body).toMatchObject({
      status: 'REJECTED',
      result_message: 'Too large: 7 images are 1 more than the 6 that an export may have',
      download_uri: null,
    });
  });

  it('contains the images below images/, and reports missing files', async () => {
    const place = await temporaryFolder(atEnd);
    await cp(join(folder, 'sub'), join(place, 'sub'), { recursive: true });
    await writeFile(join(place, 'gone.png'), tinyPng(99));
    const other = await indexed(place);
    const { entries } = await exported('export_format=json&include_images=true&file_name=mine.zip', other);
    expect([...entries.keys()]).toEqual(['metadata.json', 'images/gone.png', 'images/sub/a.png', 'images/sub/g.png']);
    expect(entries.get('images/gone.png')).toEqual(tinyPng(99));
  });
});

describe('an export of a selection', () => {
  it('contains items by id, and clusters without excluded items', async () => {
    const { body: items } = await api.get<ItemPage>(`/explore/${id}/items`);
    const [first, second] = items.items.map(({ media_id }) => media_id);
    const { body: explored } = await api.get<ExploreResult>(`/explore/${id}?threshold=4`);
    const [cluster] = explored.clusters;
    const left = cluster?.previews[0]?.media_id ?? '';
    const selection = [
      { type: 'media', payload: { media_ids: [first, second] } },
      {
        type: 'cluster',
        payload: {
          cluster_id: cluster?.cluster_id,
          cluster_filters: { entity_type: 'IMAGES' },
          exclude_media_ids: [left],
        },
      },
    ];
    const { status, body } = await post({ media_selection: selection });
    expect(status).toBe(200);
    const { task, entries } = await fetched(body);
    const { media_items } = metadataOf({ task, entries });
    const size = (cluster?.n_images ?? 0) - 1;
    const ids = new Set(media_items.map(({ media_id }) => media_id));
    expect(ids.has(first ?? '') && ids.has(second ?? '')).toBe(true);
    expect(task.entities_count).toBe(media_items.length);
    expect(media_items.length).toBeGreaterThanOrEqual(size);
  });

  it.each([
    ['an unknown item', { media_selection: [{ type: 'media', payload: { media_ids: [UNKNOWN] } }] }, 404],
    ['an unknown cluster', { media_selection: [{ type: 'cluster', payload: { cluster_id: UNKNOWN } }] }, 404],
    ['no selection', {}, 422],
    ['an empty selection', { media_selection: [] }, 422],
    ['another kind', { media_selection: [{ type: 'all', payload: {} }] }, 422],
  ])('of %s is refused', async (_what, body, status) => {
    expect((await post(body)).status).toBe(status);
  });
});

describe('a refused export', () => {
  it.each([
    ['export_format=exe', 422],
    ['', 422],
    ['export_format=json&limit=-1', 422],
    ['export_format=json&vql=[{"nothing":{}}]', 422],
    ['export_format=json&threshold=9', 422],
    ['export_format=json&split=80,10,10', 400],
    ['export_format=coco&split=a,b', 400],
    ['export_format=coco&split=0,0,0', 400],
    [`export_format=json&cluster_id=${UNKNOWN}`, 404],
  ])('%s answers %i', async (query, status) => {
    expect((await api.get(`/dataset/${id}/export_context_async?${query}`)).status).toBe(status);
  });

  it('needs an existing READY dataset', async () => {
    const { body } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=draft');
    for (const path of ['export_context_async?export_format=json', 'export', 'export_media_id']) {
      expect((await api.get(`/dataset/${body.dataset_id}/${path}`)).status).toBe(409);
      expect((await api.get(`/dataset/${UNKNOWN}/${path}`)).status).toBe(404);
    }
    expect((await api.get(`/dataset/${id}/export_status?export_task_id=${UNKNOWN}`)).status).toBe(404);
  });
});

describe('a download', () => {
  it('has ranges, a safe name, and a signature for this export only', async () => {
    const { task } = await exported('export_format=json&file_name=../../e%CC%81t%C3%A9 "1"%0d%0a.zip');
    const response = await fetch(task.download_uri ?? '', { headers: { range: 'bytes=0-3' } });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe('PK\u0003\u0004');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="_.._..__t_ _1___.zip"; filename*=UTF-8''_.._.._%C3%A9t%C3%A9%20_1___.zip`,
    );
    const stranger = new URL(task.download_uri ?? '');
    stranger.searchParams.set('signature', 'x'.repeat(22));
    expect((await fetch(stranger)).status).toBe(403);
  });

  it('continues after its caller disconnects', async () => {
    const { task } = await exported('export_format=json');
    const controller = new AbortController();
    const cut = await fetch(task.download_uri ?? '', { signal: controller.signal });
    controller.abort();
    await cut.text().catch(() => undefined);
    expect((await fetch(task.download_uri ?? '')).status).toBe(200);
  });
});

describe('an immediate export', () => {
  it('returns the metadata of a dataset, and leaves no file behind', async () => {
    const { body, headers } = await api.get<{ media_items: MediaItem[] }>(`/dataset/${id}/export?export_format=json`);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body.media_items).toHaveLength(PATHS.length);
    await until(
      () => readdir(test.core.temporaryFolder),
      (names) => !names.some((name) => name.endsWith('.export')),
    );
  });

  it('returns names and ids as CSV', async () => {
    const { text, headers } = await api.get(`/dataset/${id}/export_media_id`);
    expect(headers.get('content-type')).toContain('text/csv');
    const [header, ...rows] = text.trimEnd().split('\r\n');
    expect(header).toBe('filename,media_id');
    expect(rows).toHaveLength(PATHS.length);
    expect(rows).toContainEqual(expect.stringMatching(/^d & e\.png,[0-9a-f-]{36}$/));
  });
});

describe('our formats', () => {
  interface Coco {
    images: { id: number; file_name: string; width: number; height: number }[];
    annotations: { id: number; image_id: number; category_id: number; bbox: number[]; area: number; iscrowd: number }[];
    categories: { id: number; name: string }[];
  }

  it('COCO keeps the ids of its source and obeys the field rules', async () => {
    const answered = await exported('export_format=coco');
    const { images, annotations, categories } = jsonOf<Coco>(answered, 'annotations.json');
    expect(images.map(({ file_name }) => file_name).sort()).toEqual([...PATHS].sort());
    expect(categories.slice(0, 2)).toMatchObject([
      { id: 3, name: 'cat' },
      { id: 7, name: 'dog' },
    ]);
    expect(annotations.map(({ category_id, bbox }) => ({ category_id, bbox }))).toEqual(
      expect.arrayContaining(BOXES.map(({ category_id, bbox }) => ({ category_id, bbox }))),
    );
    const ids = new Set(images.map(({ id: imageId }) => imageId));
    for (const { image_id, bbox, area, iscrowd } of annotations) {
      expect(ids.has(image_id)).toBe(true);
      expect(area).toBe((bbox[2] ?? 0) * (bbox[3] ?? 0));
      expect(iscrowd).toBe(0);
    }
    expect(new Set(annotations.map(({ id: annotationId }) => annotationId)).size).toBe(annotations.length);
    expect(jsonOf<{ annotations: unknown[] }>(answered, 'captions.json').annotations).toHaveLength(2);
    expect(jsonOf<{ annotations: unknown[] }>(answered, 'labels.json').annotations).toHaveLength(3);
  });

  it('YOLO has fractions, and consecutive class numbers', async () => {
    const { entries } = await exported('export_format=yolo');
    expect(String(entries.get('data.yaml'))).toContain('names:\n  0: "cat"\n  1: "dog"\n');
    expect(String(entries.get('labels/a.txt'))).toBe(
      '1 0.3125000 0.3125000 0.5000000 0.3750000\n0 0.6250000 0.6250000 0.7500000 0.7500000\n',
    );
    expect(String(entries.get('labels/b.txt'))).toBe('');
  });

  it('CSV has one row per item, and tables that can be imported', async () => {
    const { entries } = await exported('export_format=csv');
    expect(String(entries.get('metadata.csv')).trimEnd().split('\r\n')).toHaveLength(1 + PATHS.length);
    expect(String(entries.get('image_annotations.csv'))).toBe(
      'filename,label,caption\r\nb.png,"[""cat"",""cute, small""]",a small cat\r\nf.png,"[""owl""]","an owl, ""up"" there"\r\n',
    );
    expect(String(entries.get('object_annotations.csv'))).toContain('sub/g.png,0,0,16,5,cat\r\n');
  });

  it('a file list has paths, and a script that moves the files to the trash', async () => {
    const { entries } = await exported('export_format=file_list&include_images=true');
    const paths = [...PATHS].toSorted();
    expect([...entries.keys()].toSorted()).toEqual(['files.csv', 'files.txt', 'move-to-trash.ps1', 'move-to-trash.sh']);
    expect(String(entries.get('files.txt')).trimEnd().split('\n').toSorted()).toEqual(paths);
    expect(String(entries.get('files.csv'))).toMatch(/^filename,media_id,size_bytes,width,height\r\n/);
    expect(String(entries.get('move-to-trash.ps1'))).toContain(`\nMove-ToTrash '${paths[0]}'\n`);
    // A trash of the test: gio writes down what it is given.
    const bin = await temporaryFolder(atEnd);
    await writeFile(join(bin, 'gio'), '#!/bin/sh\necho "$1 $2"\n', { mode: 0o755 });
    await writeFile(join(bin, 'script.sh'), entries.get('move-to-trash.sh') ?? '');
    const { stdout } = await promisify(execFile)('sh', [join(bin, 'script.sh'), folder], {
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual(paths.map((path) => `trash ./${path}`));
  });

  it('a manifest is a table of ids, hashes and addresses at which the images are', async () => {
    const { entries } = await exported('export_format=manifest&include_images=true');
    expect([...entries.keys()]).toEqual(['manifest.parquet']);
    const bytes = Uint8Array.from(entries.get('manifest.parquet') ?? []).buffer;
    const rows = (await parquetReadObjects({ file: bytes })) as Record<string, unknown>[];
    expect(rows.length).toBe(PATHS.length);
    const [first] = rows;
    expect(first).toMatchObject({
      kind: 'image',
      frame_ms: null,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const image = Buffer.from(await (await fetch(String(first?.uri))).arrayBuffer());
    expect(createHash('sha256').update(image).digest('hex')).toBe(first?.content_hash);
    expect(await sharp(image).metadata()).toMatchObject({ width: first?.width, height: first?.height });
  });

  it('splits items into sets by shares and seed, and keeps duplicates in one set', async () => {
    const sets = async (seed: number) => {
      const answered = await exported(`export_format=coco&split=50,50&seed=${seed}`);
      expect([...answered.entries.keys()]).not.toContain('annotations_test.json');
      return ['train', 'val'].map((name) =>
        jsonOf<Coco>(answered, `annotations_${name}.json`).images.map(({ file_name }) => file_name),
      );
    };
    const parted = await Promise.all([1, 2, 3, 4].map(sets));
    for (const [train = [], val = []] of parted) {
      expect([...train, ...val].sort()).toEqual([...PATHS].sort());
      expect(Math.abs(train.length - val.length)).toBeLessThanOrEqual(1);
      const set = train.includes('a.png') ? train : val;
      expect(set).toContain('copy/a.png');
    }
    expect(await sets(1)).toEqual(parted[0]);
    expect(new Set(parted.map((one) => JSON.stringify(one))).size).toBeGreaterThan(1);
  });
});

/** Writes the files of an export to a new folder. */
async function unpacked({ entries }: Answered): Promise<string> {
  const to = await temporaryFolder(atEnd);
  for (const [path, bytes] of entries) {
    await mkdir(join(to, path, '..'), { recursive: true });
    await writeFile(join(to, path), bytes);
  }
  return to;
}

describe('an export of the original service, imported, exported, imported and exported again', () => {
  const TIME = '2025-04-02T12:34:00.189534';
  const ITEMS = [
    {
      media_id: '11111111-0000-4000-8000-000000000001',
      file_path: 'a.png',
      file_name: 'a.png',
      url: 'https://service.invalid/dataset/1/data?image_id=1',
      metadata_items: [
        { type: 'issue', properties: { issue_type: 'mislabels', confidence: 0.9, issues_description: 'dog' } },
        { type: 'image_label', properties: { category_name: 'cat', source: 'Visual Layer', original_id: -1 } },
        {
          type: 'image_label',
          properties: { category_name: 'cat', source: 'Model', original_id: -1, confidence: 0.5 },
        },
        { type: 'user_tag', properties: { tag_name: 'checked', assigned_date: TIME } },
        { type: 'caption', properties: { text: 'A cat on a sofa.', source: 'Model' } },
        {
          type: 'object_label',
          properties: {
            category_name: 'tail',
            source: 'Model',
            original_id: -1,
            bbox: [1, 2, 8, 6],
            url: 'https://service.invalid/dataset/1/data?object_id=1',
            metadata_items: [{ type: 'caption', properties: { text: 'A striped tail', source: 'Model' } }],
          },
        },
      ],
    },
    {
      media_id: '11111111-0000-4000-8000-000000000002',
      file_path: 'sub/b.png',
      file_name: 'b.png',
      metadata_items: [
        { type: 'image_label', properties: { category_name: 'dog', source: 'User', original_id: -1 } },
        { type: 'user_tag', properties: { tag_name: 'checked', assigned_date: '2025-04-02T23:59:59.999999' } },
        { type: 'user_tag', properties: { tag_name: 'old', assigned_date: '2024-12-31' } },
      ],
    },
  ];

  /** All fields of the items of an export except ids, addresses and what belongs to one dataset. */
  const content = (items: readonly MediaItem[]) => {
    const own = new Set([
      'media_id',
      'video_id',
      'url',
      'image_uri',
      'cluster_id',
      'original_id',
      'duplicate_group_id',
    ]);
    const fields = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(fields);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, of]) => (own.has(key) ? [] : [[key, fields(of)]])),
      );
    };
    return items
      .map((item) => {
        const [filePath, imageFilename] = [item.file_path, item.image_filename].map((path) =>
          path.replace(/^images\//, ''),
        );
        return { ...item, file_path: filePath ?? '', image_filename: imageFilename };
      })
      .toSorted((one, other) => (one.file_path < other.file_path ? -1 : 1))
      .map(fields);
  };

  it('has the same value in each field, as JSON and as Parquet', async () => {
    const original = await temporaryFolder(atEnd);
    await mkdir(join(original, 'sub'));
    await writeFile(join(original, 'a.png'), tinyPng(1));
    await writeFile(join(original, 'sub/b.png'), tinyPng(2));
    const info = { schema_version: '1.1', dataset: 'Pets', export_time: TIME, total_media_items: ITEMS.length };
    await writeFile(join(original, 'metadata.json'), JSON.stringify({ info, media_items: ITEMS }));
    const first = await indexed(original);
    expect((await api.get(`/dataset/${first}/annotation_problems`)).body).toMatchObject({ annotation_problems: [] });
    const asJson = await exported('export_format=json&include_images=true', first);
    const { media_items } = metadataOf(asJson);
    const [a, b] = ['a.png', 'sub/b.png'].map((path) => media_items.find(({ file_path }) => file_path === path));
    expect(entriesOf(a, 'user_tag')).toEqual([{ tag_name: 'checked', assigned_date: `${TIME}Z` }]);
    expect(entriesOf(b, 'user_tag')).toEqual([
      { tag_name: 'checked', assigned_date: '2025-04-02T23:59:59.999999Z' },
      { tag_name: 'old', assigned_date: '2024-12-31T00:00:00.000Z' },
    ]);
    expect(entriesOf(a, 'image_label')).toEqual([
      { category_name: 'cat', source: 'Visual Layer', original_id: null },
      { category_name: 'cat', source: 'Model', original_id: null, confidence: 0.5 },
    ]);
    expect(entriesOf(b, 'image_label')).toEqual([{ category_name: 'dog', source: 'User', original_id: null }]);
    expect(entriesOf(a, 'custom_metadata')).toEqual([
      { field_name: 'imported_issues', field_type: 'enum', value: ['mislabels'] },
      { field_name: 'imported_label_hint', field_type: 'string', value: 'dog' },
    ]);
    expect(entriesOf(a, 'caption')).toMatchObject([{ text: 'A cat on a sofa.', source: 'Model' }]);
    expect(entriesOf(a, 'object_label')).toMatchObject([
      {
        category_name: 'tail',
        source: 'Model',
        bbox: [1, 2, 8, 6],
        metadata_items: [{ type: 'caption', properties: { text: 'A striped tail', source: 'Model' } }],
      },
    ]);

    const asParquet = await exported('export_format=parquet&include_images=true', first);
    for (const answered of [asJson, asParquet]) {
      const again = await indexed(await unpacked(answered));
      expect((await api.get(`/dataset/${again}/annotation_problems`)).body).toMatchObject({ annotation_problems: [] });
      const second = metadataOf(await exported('export_format=json', again));
      expect(content(second.media_items)).toEqual(content(media_items));
    }
  });

  it('says the same of frames, which are matched in their videos', needs(ffmpegPrograms), async () => {
    const original = await temporaryFolder(atEnd);
    const clip = join(original, 'clip.mp4');
    makeWithFfmpeg(['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=5:d=2', clip]);
    const frames = [1, 2].map((nth) => ({
      media_type: 'video_frame',
      file_path: `clip.mp4/output_00000${nth}.jpg`,
      file_name: `output_00000${nth}.jpg`,
      metadata_items: [
        { type: 'video_info', properties: { video_name: 'clip.mp4', frame_timestamp: nth - 1 } },
        { type: 'issue', properties: { issue_type: 'blur', confidence: nth === 1 ? 0.9 : 0.1 } },
        { type: 'image_label', properties: { category_name: `scene ${nth}`, source: 'User', original_id: -1 } },
        { type: 'user_tag', properties: { tag_name: 'checked', assigned_date: TIME } },
        { type: 'caption', properties: { text: `Frame ${nth}.`, source: 'Model' } },
      ],
    }));
    const write = (folder: string, mediaItems: readonly unknown[]) => {
      const info = { schema_version: '1.1', dataset: 'Clips', export_time: TIME, total_media_items: mediaItems.length };
      return writeFile(join(folder, 'metadata.json'), JSON.stringify({ info, media_items: mediaItems }));
    };
    await write(original, frames);
    const first = await indexed(original);
    expect((await api.get(`/dataset/${first}/annotation_problems`)).body).toMatchObject({ annotation_problems: [] });
    const { media_items } = metadataOf(await exported('export_format=json', first));
    expect(media_items.map((item) => entriesOf(item, 'image_label').map((label) => label.category_name))).toEqual([
      ['scene 1'],
      ['scene 2'],
    ]);
    expect(media_items.map((item) => entriesOf(item, 'custom_metadata').map((field) => field.value))).toEqual([
      [['blur']],
      [],
    ]);
    const again = await temporaryFolder(atEnd);
    await cp(clip, join(again, 'clip.mp4'));
    const { entries } = await exported('export_format=json', first);
    await writeFile(join(again, 'metadata.json'), entries.get('metadata.json') ?? '');
    const second = metadataOf(await exported('export_format=json', await indexed(again)));
    expect(content(second.media_items)).toEqual(content(media_items));
  });
});

describe('exported, imported and exported again', () => {
  /** Content of a COCO export without ids, with paths relative to the image folder. */
  function contentOf(answered: Answered): unknown[] {
    return ['annotations.json', 'captions.json', 'labels.json'].map((name) => {
      const { images, annotations, categories } = jsonOf<{
        images: { id: number; file_name: string }[];
        annotations: { image_id: number; category_id?: number; caption?: string; bbox?: number[] }[];
        categories?: { id: number; name: string }[];
      }>(answered, name);
      const fileOf = new Map(images.map((image) => [image.id, image.file_name.replace(/^(images\/)+/, '')]));
      const nameOf = new Map(categories?.map((category) => [category.id, category.name]));
      const lines = annotations.map(({ image_id, category_id, caption, bbox }) =>
        JSON.stringify([fileOf.get(image_id), nameOf.get(category_id ?? -1), caption, bbox]),
      );
      return { images: [...fileOf.values()].sort(), lines: lines.sort(), categories: [...nameOf].sort() };
    });
  }

  let first: string;
  beforeAll(async () => {
    const small = await temporaryFolder(atEnd);
    for (const name of ['a.png', 'b.png', 'f.png', 'annotations.json', 'image_annotations.csv']) {
      await cp(join(folder, name), join(small, name));
    }
    first = await indexed(small);
  });

  it.each(['coco', 'json', 'csv', 'yolo'])('%s keeps the content', async (format) => {
    const query = `export_format=${format}&include_images=true`;
    const second = await indexed(await unpacked(await exported(query, first)));
    const counts = await api.get<Dataset>(`/dataset/${second}`);
    expect(counts.body).toMatchObject({ n_images: 3, n_objects: 2 });
    const [before, after] = [await exported('export_format=coco', first), await exported('export_format=coco', second)];
    // Only COCO preserves the classes' ids; YOLO preserves only boxes.
    const carried = (answered: Answered) => {
      const [boxes, captions, labels] = contentOf(answered) as {
        images: unknown;
        lines: string[];
        categories: unknown;
      }[];
      if (format === 'coco') return [boxes, captions, labels];
      if (format !== 'yolo') return [boxes?.lines, captions?.lines, labels?.lines];
      return [boxes?.lines];
    };
    expect(carried(after)).toEqual(carried(before));
  });

  it('json keeps tags with their times and values of fields, with its images or next to files of the same paths', async () => {
    const paths = ['a.png', 'copy/a.png', 'b.png'];
    const copyTo = async (to: string) => {
      for (const path of paths) await cp(join(folder, path), join(to, path));
      return to;
    };
    const first = await indexed(await copyTo(await temporaryFolder(atEnd)));
    const idOf = new Map(
      metadataOf(await exported('export_format=json', first)).media_items.map((item) => [
        item.file_path,
        item.media_id,
      ]),
    );
    const ask = async <T>(path: string, body: unknown) => {
      const answer = await api.call<T>('POST', path, {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const tag = await ask<Tag>(`/dataset/${first}/tags`, { name: 'to "do"' });
    const selection = [{ type: 'media', payload: { media_ids: [idOf.get('a.png')] } }];
    await ask(`/dataset/${first}/edit_tags`, { media_selection: selection, add: [tag.id] });
    const fields = [
      [{ field_name: 'score', field_type: 'float' }, 0.5],
      [{ field_name: 'when', field_type: 'datetime' }, '2026-01-02T03:04:05.000Z'],
      [
        { field_name: 'light', field_type: 'enum', enum_options: ['day', 'night', 'dusk'], is_multi: true },
        ['day', 'dusk'],
      ],
    ] as const;
    for (const [declared, value] of fields) {
      const tasks = `/datasets/${first}/custom_metadata/tasks`;
      const { task_id } = await ask<{ task_id: string }>(tasks, declared);
      await ask(`${tasks}/${task_id}`, [{ media_id: idOf.get('copy/a.png'), value }]);
      await until(
        () => api.get<{ status: string }>(`${tasks}/${task_id}/status`),
        ({ body }) => body.status === 'COMPLETED',
      );
    }
    const contentOf = async (datasetId: string) => {
      const { custom_fields, media_items } = metadataOf(await exported('export_format=json', datasetId));
      const items = media_items.map((item) => ({
        path: item.file_path.replace(/^images\//, ''),
        tags: entriesOf(item, 'user_tag'),
        values: entriesOf(item, 'custom_metadata'),
      }));
      return { custom_fields, items: items.toSorted((one, other) => (one.path < other.path ? -1 : 1)) };
    };
    const before = await contentOf(first);
    expect(before.items.map(({ tags, values }) => [tags.length, values.length])).toEqual([
      [1, 0],
      [0, 0],
      [0, 3],
    ]);
    const answered = await exported('export_format=json&include_images=true', first);
    expect(await contentOf(await indexed(await unpacked(answered)))).toEqual(before);
    const table = await exported('export_format=parquet&include_images=true', first);
    expect(await contentOf(await indexed(await unpacked(table)))).toEqual(before);
    const beside = await copyTo(await temporaryFolder(atEnd));
    await writeFile(join(beside, 'metadata.json'), answered.entries.get('metadata.json') ?? '');
    expect(await contentOf(await indexed(beside))).toEqual(before);
  });
});
