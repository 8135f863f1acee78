import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parquetWriteBuffer } from 'hyparquet-writer';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { MetadataField, MetadataStatus, MetadataValue } from '../../src-main/contract/schemas/custom-metadata.ts';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Facets, ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Time of the files of the second dataset, in seconds since 1970. */
const MODIFIED_S = Date.parse('2020-02-03T04:05:06.789Z') / 1000;

let test: Omit<TestApi, 'api'>;
let api: Api;
let dataset: string;
let other: string;
let ids: string[];
let foreign: string;

beforeAll(async () => {
  ({ api, ...test } = await startTestApi({ finished: atEnd }));
  const folders = [await temporaryFolder(atEnd), await temporaryFolder(atEnd)] as const;
  await writeImages(folders[0], [1, 2, 3, 4, 5, 6]);
  await writeImages(folders[1], [7, 8]);
  const exif = {
    IFD0: { Make: 'Acme', Model: 'One' },
    IFD2: { DateTimeOriginal: '2021:05:06 07:08:09', OffsetTimeOriginal: '+02:00' },
  };
  await sharp(await image(9))
    .withExif(exif)
    .toFile(join(folders[1], 'z.jpg'));
  for (const name of await readdir(folders[1])) await utimes(join(folders[1], name), 0, MODIFIED_S);
  dataset = await api.createFromFolder('described', folders[0]);
  other = await api.createFromFolder('other', folders[1]);
  for (const one of [dataset, other]) await api.waitFor(one, 'READY');
  ids = await found();
  foreign = (await found(undefined, other))[0] ?? '';
});

const json = (body: unknown) => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});
const tasksOf = (of = dataset) => `/datasets/${of}/custom_metadata/tasks`;

async function found(filter?: unknown, of = dataset): Promise<string[]> {
  const vql = filter === undefined ? '' : `&vql=${encodeURIComponent(JSON.stringify([{ metadata: filter }]))}`;
  const { body, status } = await api.get<ExploreResult>(`/explore/${of}?threshold=0&entity_type=IMAGES${vql}`);
  expect(status).toBe(200);
  return body.clusters.flatMap(({ previews }) => previews.map(({ media_id }) => media_id)).sort();
}

async function declare(fieldName: string, fieldType: string, more: object = {}): Promise<string> {
  const { body, status } = await api.call<{ task_id: string; status: string }>(
    'POST',
    tasksOf(),
    json({ field_name: fieldName, field_type: fieldType, ...more }),
  );
  expect({ status, of: body.status }).toEqual({ status: 200, of: 'INIT' });
  return body.task_id;
}

const upload = (taskId: string, rows: unknown) =>
  api.call<MetadataStatus & { detail: string }>('POST', `${tasksOf()}/${taskId}`, json(rows));

const statusOf = async (taskId: string) => (await api.get<MetadataStatus>(`${tasksOf()}/${taskId}/status`)).body;

const ended = (taskId: string) =>
  until(
    () => statusOf(taskId),
    ({ status }) => status.startsWith('COMPLETED'),
  );

async function fill(
  name: string,
  type: string,
  values: readonly unknown[],
  more: object = {},
): Promise<MetadataStatus> {
  const taskId = await declare(name, type, more);
  const rows = values.flatMap((value, at) => (value === undefined ? [] : [{ media_id: ids[at], value }]));
  expect((await upload(taskId, rows)).status).toBe(200);
  return ended(taskId);
}

const some = (...places: number[]) => places.map((at) => ids[at] ?? '').sort();

describe('a declaration', () => {
  it('returns a task that has not started, and adds the field to the schema', async () => {
    const taskId = await declare('weather', 'enum', { enum_options: ['sun', 'rain'], is_multi: true });
    expect(await statusOf(taskId)).toEqual({
      task_id: taskId,
      status: 'INIT',
      progress: 0,
      inserted_rows: 0,
      error_count: 0,
      sample_errors: [],
    });
    const { body } = await api.get<MetadataField[]>(`/datasets/${dataset}/custom_metadata/schema`);
    expect(body.at(-1)).toMatchObject({
      field_name: 'weather',
      field_type: 'enum',
      enum_options: ['sun', 'rain'],
      is_multi: true,
      task_id: taskId,
      status: 'INIT',
    });
  });

  it('is refused for a name that the same dataset has', async () => {
    const again = await api.call('POST', tasksOf(), json({ field_name: ' weather ', field_type: 'string' }));
    expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining('already exists') } });
    const elsewhere = await api.call('POST', tasksOf(other), json({ field_name: 'weather', field_type: 'string' }));
    expect(elsewhere.status).toBe(200);
  });

  it.each([
    [{ field_type: 'string' }],
    [{ field_name: '  ', field_type: 'string' }],
    [{ field_name: 'n'.repeat(256), field_type: 'string' }],
    [{ field_name: 'n', field_type: 'boolean' }],
    [{ field_name: 'n', field_type: 'enum' }],
    [{ field_name: 'n', field_type: 'enum', enum_options: [] }],
    [{ field_name: 'n', field_type: 'enum', enum_options: ['x'.repeat(21)] }],
    [{ field_name: 'n', field_type: 'enum', enum_options: [''] }],
    [{ field_name: 'n', field_type: 'enum', enum_options: ['a', 'a'] }],
    [{ field_name: 'n', field_type: 'enum', enum_options: Array.from({ length: 21 }, (_, at) => `o${at}`) }],
    [{ field_name: 'n', field_type: 'enum', enum_options: 'a' }],
  ])('%j is malformed', async (body) => {
    expect((await api.call('POST', tasksOf(), json(body))).status).toBe(422);
  });
});

describe('an upload', () => {
  it('imports values of every type, which images return', async () => {
    expect(await fill('note', 'string', ['A Big dog', 'small', undefined, ''])).toMatchObject({
      status: 'COMPLETED',
      progress: 100,
      inserted_rows: 3,
      error_count: 0,
      sample_errors: [],
    });
    await fill('score', 'float', [0.5, -2, 10, 1e300]);
    await fill('taken', 'datetime', ['2024-01-05', '2024-06-01T12:00:00+02:00', '2025-01-01T00:00:00Z']);
    await fill('link', 'link', ['https://example.org/A', 's3://bucket/key', 'http://example.org/b?c=d']);
    await fill('light', 'enum', ['day', 'night', 'day'], { enum_options: ['day', 'night'] });
    await fill('things', 'enum', [['car'], ['car', 'tree'], ['tree', 'tree']], {
      enum_options: ['car', 'tree'],
      is_multi: true,
    });
    const { body } = await api.get<MetadataValue[]>(`/datasets/${dataset}/image/${ids[1]}/custom_metadata`);
    expect(body).toEqual([
      { field_name: 'note', field_type: 'string', value: 'small' },
      { field_name: 'score', field_type: 'float', value: -2 },
      { field_name: 'taken', field_type: 'datetime', value: '2024-06-01T10:00:00.000Z' },
      { field_name: 'link', field_type: 'link', value: 's3://bucket/key' },
      { field_name: 'light', field_type: 'enum', value: 'night' },
      { field_name: 'things', field_type: 'enum', value: ['car', 'tree'] },
    ]);
    expect((await api.get(`/datasets/${dataset}/image/${ids[5]}/custom_metadata`)).body).toEqual([]);
  });

  it('is a task of the dataset, which stays READY', async () => {
    const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}&task_type=CUSTOM_METADATA`);
    expect(body.tasks[0]).toMatchObject({
      status: 'COMPLETED',
      status_message: 'Saved 3 values of things',
      progress_percentage: 100,
      dataset_status: 'READY',
    });
    expect((await api.get(`/dataset/${dataset}`)).body).toMatchObject({ status_new: 'READY', progress: 100 });
    await until(async () => (await readdir(join(test.data, 'datasets', dataset, 'imports'))).length === 0);
  });

  it('accepts the array as a file', async () => {
    const taskId = await declare('from a file', 'string');
    const body = new FormData();
    body.append('file', new Blob([`\ufeff ${JSON.stringify([{ media_id: ids[0], value: 'x' }])}\n`]), 'values.json');
    expect((await api.call('POST', `${tasksOf()}/${taskId}`, { body })).status).toBe(200);
    expect(await ended(taskId)).toMatchObject({ status: 'COMPLETED', inserted_rows: 1 });
  });

  it('imports a column of a table, matched by file name or id', async () => {
    const csv = [
      'filename,Depth,other',
      'image-00001.jpg, 1.5,x',
      'nowhere.jpg,2,x',
      'image-00002.jpg,,x',
      'image-00003.jpg,deep,x',
    ];
    const send = async (taskId: string, bytes: BlobPart, name: string, column: string) => {
      const body = new FormData();
      body.append('file', new Blob([bytes]), name);
      return api.call('POST', `${tasksOf()}/${taskId}?column=${column}`, { body });
    };
    const taskId = await declare('depth', 'float');
    const lacking = await send(taskId, csv.join('\n'), 'table.csv', 'height');
    expect(lacking).toMatchObject({ status: 400, body: { detail: expect.stringContaining('lacks the column') } });
    expect((await send(taskId, csv.join('\n'), 'table.CSV', 'depth')).status).toBe(200);
    const status = await ended(taskId);
    expect(status).toMatchObject({ inserted_rows: 1, error_count: 2 });
    expect(status.sample_errors.map(({ row_index }) => row_index)).toEqual([1, 3]);
    expect(await found({ field: 'depth', op: 'eq', value: 1.5 })).toHaveLength(1);

    const lists = await declare('of parquet', 'enum', { enum_options: ['a', 'b'], is_multi: true });
    const table = parquetWriteBuffer({
      columnData: [
        { name: 'media_id', data: [ids[0], ids[1]] },
        { name: 'value', data: ['["a", "b"]', 'c'] },
      ],
    });
    expect((await send(lists, table, 'table.parquet', '')).status).toBe(200);
    expect(await ended(lists)).toMatchObject({ inserted_rows: 1, error_count: 1 });
    expect(await found({ field: 'of parquet', op: 'is', value: ['a', 'b'] })).toEqual(some(0));
  });

  it('skips invalid rows and reports their positions', async () => {
    const taskId = await declare('mixed', 'float');
    const rows = [
      { media_id: ids[0]?.toUpperCase(), value: 1 },
      { media_id: ids[0], value: 2 },
      { media_id: UNKNOWN, value: 1 },
      { media_id: foreign, value: 1 },
      { media_id: 7, value: 1 },
      { value: 1 },
      { media_id: ids[1] },
      { media_id: ids[1], value: '1' },
      { media_id: ids[1], value: null },
      [ids[1], 1],
      null,
      { media_id: ids[1], value: 3, more: {} },
    ];
    expect((await upload(taskId, rows)).status).toBe(200);
    const status = await ended(taskId);
    expect(status).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', inserted_rows: 2, error_count: 10 });
    expect(status.sample_errors.map(({ row_index }) => row_index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(status.sample_errors[0]?.reason).toBe('the image has a value of this field already');
    expect(await found({ field: 'mixed', op: 'eq', value: 1 })).toEqual(some(0));
  });

  it.each([
    ['string', {}, [1, true, ['a'], {}, 'x'.repeat(32_769)]],
    ['float', {}, ['1', true, [1], {}]],
    ['datetime', {}, ['yesterday', 20240101, '2024-13-01', '2024-02-30T99:00:00Z']],
    ['link', {}, ['example.org', 'javascript:alert(1)', 'data:text/html,x', 'https://', 5]],
    ['enum', { enum_options: ['a', 'b'] }, ['c', 'A', 1, ['a'], '']],
    ['enum', { enum_options: ['a', 'b'], is_multi: true }, ['a', [], ['a', 'c'], [1], [['a']]]],
  ])('rejects invalid values of %s %j', async (type, more, values) => {
    const taskId = await declare(`wrong ${type} ${JSON.stringify(more)}`, type, more);
    const rows = values.map((value) => ({ media_id: ids[0], value }));
    await upload(taskId, rows);
    expect(await ended(taskId)).toMatchObject({ inserted_rows: 0, error_count: values.length });
  });

  it('stores only the first of many errors', async () => {
    const taskId = await declare('bad', 'float');
    const rows = Array.from({ length: 25_000 }, () => ({ media_id: UNKNOWN, value: 1 }));
    await upload(taskId, [...rows, { media_id: ids[2], value: 4 }]);
    const status = await ended(taskId);
    expect(status).toMatchObject({ inserted_rows: 1, error_count: 25_000 });
    expect(status.sample_errors.length).toBe(20);
  });

  it('is accepted once: values are never replaced', async () => {
    const taskId = await declare('once', 'float');
    const rows = [{ media_id: ids[0], value: 1 }];
    const answers = await Promise.all([upload(taskId, rows), upload(taskId, rows)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await ended(taskId);
    expect(await upload(taskId, rows)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/already/) },
    });
    expect(await statusOf(taskId)).toMatchObject({ inserted_rows: 1, error_count: 0 });
  });

  it('of an empty array completes', async () => {
    const taskId = await declare('empty', 'float');
    await upload(taskId, []);
    expect(await ended(taskId)).toMatchObject({ status: 'COMPLETED', inserted_rows: 0 });
    expect((await upload(taskId, [])).status).toBe(409);
  });

  it('of anything but a JSON array is malformed, and can be repeated', async () => {
    const taskId = await declare('malformed', 'string');
    for (const body of ['{"media_id":1}', '[{"media_id":', 'nothing', '3', '']) {
      expect((await upload(taskId, body)).status).toBe(422);
    }
    // Of a large body only the first rows are read before it is accepted.
    for (const rows of [','.repeat(300_000), `${' '.repeat(300_000)},{"media_id":1}`, `3${' '.repeat(300_000)}4`]) {
      expect((await upload(taskId, `[${rows}]`)).status).toBe(422);
    }
    const form = new FormData();
    form.append('files', new Blob(['[]']), 'values.json');
    expect((await api.call('POST', `${tasksOf()}/${taskId}`, { body: form })).status).toBe(422);
    expect(await statusOf(taskId)).toMatchObject({ status: 'INIT' });
    expect((await upload(taskId, [{ media_id: ids[0], value: 'x' }])).status).toBe(200);
  });

  it('of a truncated file keeps the rows before the damage and reports its position', async () => {
    const taskId = await declare('broken', 'string');
    const body = `[{"media_id":"${ids[0]}","value":"${'x'.repeat(1000)}"},${' '.repeat(300_000)}{"media_id":}]`;
    expect((await upload(taskId, body)).status).toBe(200);
    const status = await ended(taskId);
    expect(status).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', inserted_rows: 1, error_count: 1 });
    expect(status.sample_errors).toEqual([{ row_index: 1, reason: expect.stringContaining('not valid JSON') }]);
  });

  it('reports why it failed or was stopped', async () => {
    const done = await declare('done', 'float');
    await upload(done, [{ media_id: ids[0], value: 1 }]);
    await ended(done);
    const cutOff = await declare('cut off', 'float');
    const catalog = new Database(join(test.data, 'catalog.db'));
    onTestFinished(() => void catalog.close());
    const end = (status: string, message: string, error: string | null) =>
      catalog
        .prepare(
          `UPDATE task SET task_id = ?, status = ?, status_message = ?, error_message = ? WHERE task_id IN (?, ?)`,
        )
        .run(cutOff, status, message, error, done, cutOff);
    end('ABORTED', 'Stopped', null);
    expect(await statusOf(cutOff)).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      sample_errors: [{ reason: 'the import ended before all rows were read: Stopped', row_index: 0 }],
    });
    end('FAILED', 'Failed', 'The disk is full');
    expect((await statusOf(cutOff)).sample_errors).toMatchObject([{ reason: expect.stringContaining('disk is full') }]);
  });

  it('needs an existing task and a READY dataset', async () => {
    expect((await upload(UNKNOWN, [])).status).toBe(404);
    const elsewhere = await declare('elsewhere', 'float');
    expect((await api.call('POST', `${tasksOf(other)}/${elsewhere}`, json([]))).status).toBe(404);
    expect((await api.get(`${tasksOf()}/${UNKNOWN}/status`)).status).toBe(404);
    expect((await api.get(`/datasets/${dataset}/image/${UNKNOWN}/custom_metadata`)).status).toBe(404);
    expect((await api.get(`/datasets/${dataset}/image/${foreign}/custom_metadata`)).status).toBe(404);
    expect((await api.get(`/datasets/${UNKNOWN}/custom_metadata/schema`)).status).toBe(404);
    const draft = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=draft');
    const refused = await api.call(
      'POST',
      tasksOf(draft.body.dataset_id),
      json({ field_name: 'a', field_type: 'float' }),
    );
    expect(refused.status).toBe(409);
  });
});

describe('EXIF metadata', () => {
  const addExif = (properties?: string[], of = other) =>
    api.call<MetadataField[]>('POST', `/datasets/${of}/custom_metadata/exif`, json({ properties }));

  it('gives images their date, and the file gives it to the others', async () => {
    const { body } = await api.get<Facets>(`/explore/${other}/facets`);
    const days = body.taken.map(({ from, count }) => [from, count]);
    expect(days).toEqual([
      ['2020-02-03T00:00:00.000Z', 2],
      ['2021-05-06T00:00:00.000Z', 1],
    ]);
    const listed = async ({ from, to }: Facets['taken'][number]) => {
      const vql = encodeURIComponent(JSON.stringify([{ taken: { op: 'range', from, to } }]));
      const { body: page } = await api.get<ItemPage>(`/explore/${other}/items?vql=${vql}`);
      return page.items.map(({ file_name }) => file_name);
    };
    const [ofFile, ofCamera] = await Promise.all(body.taken.map(listed));
    expect(ofFile).toHaveLength(2);
    expect(ofCamera).toEqual(['z.jpg']);
  });

  it('becomes fields on request', async () => {
    const { status, body } = await addExif(['camera', 'taken_at', 'latitude']);
    expect(status).toBe(200);
    expect(body.map(({ field_name, field_type }) => [field_name, field_type])).toEqual([
      ['Camera', 'string'],
      ['Taken at', 'datetime'],
    ]);
    const fields = await until(
      async () => (await api.get<MetadataField[]>(`/datasets/${other}/custom_metadata/schema`)).body.slice(-2),
      (all) => all.every((one) => one.status === 'COMPLETED'),
    );
    expect(fields.map(({ inserted_rows }) => inserted_rows)).toEqual([1, 1]);
    const [taken] = await found({ field: 'Camera', op: 'is', value: 'Acme One' }, other);
    const values = await api.get<MetadataValue[]>(`/datasets/${other}/image/${taken}/custom_metadata`);
    expect(values.body).toEqual([
      { field_name: 'Camera', field_type: 'string', value: 'Acme One' },
      { field_name: 'Taken at', field_type: 'datetime', value: '2021-05-06T05:08:09.000Z' },
    ]);
  });

  it('creates no fields or tasks when no file has it', async () => {
    const path = `/datasets/${dataset}/custom_metadata/schema`;
    const tasks = `/tasks?dataset_id=${dataset}&task_type=CUSTOM_METADATA`;
    const before = [(await api.get(path)).body, (await api.get(tasks)).body.total];
    expect(await addExif(undefined, dataset)).toMatchObject({ status: 200, body: [] });
    expect([(await api.get(path)).body, (await api.get(tasks)).body.total]).toEqual(before);
  });

  it('is declared completely or not at all', async () => {
    const before = await api.get<MetadataField[]>(`/datasets/${other}/custom_metadata/schema`);
    expect(await addExif()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('already exists') } });
    expect((await addExif(['weight'])).status).toBe(422);
    expect((await api.get(`/datasets/${other}/custom_metadata/schema`)).body).toEqual(before.body);
  });
});

describe('a filter', () => {
  it.each([
    [{ field: 'note', op: 'contains', value: 'BIG' }, [0]],
    [{ field: 'note', op: 'is', value: 'small' }, [1]],
    [{ field: 'note', op: 'one_of', value: ['small', 'a big dog'] }, [0, 1]],
    [{ field: 'score', op: 'gt', value: 0.5 }, [2, 3]],
    [{ field: 'score', op: 'lt', value: 0.5 }, [1]],
    [{ field: 'score', op: 'eq', value: 0.5 }, [0]],
    [{ field: 'score', op: 'range', from: -2, to: 0.5 }, [0, 1]],
    [{ field: 'taken', op: 'range', from: '2024-01-05', to: '2024-06-01T10:00:00Z' }, [0, 1]],
    [{ field: 'taken', op: 'range', from: '2024-06-02' }, [2]],
    [{ field: 'link', op: 'contains', value: 'example.org' }, [0, 2]],
    [{ field: 'link', op: 'is', value: 'https://example.org/A' }, [0]],
    [{ field: 'light', op: 'is', value: 'day' }, [0, 2]],
    [{ field: 'light', op: 'is', value: 'dusk' }, []],
    [{ field: 'things', op: 'is', value: ['car', 'tree'] }, [1]],
    [{ field: 'things', op: 'is', value: 'car' }, [0, 1]],
    [{ field: 'things', op: 'one_of', value: ['car', 'tree'] }, [0, 1, 2]],
  ])('%j finds %j', async (filter, places) => {
    expect(await found(filter)).toEqual(some(...places));
  });

  it.each([
    [{ field: 'nothing', op: 'is', value: 'x' }],
    [{ field: 'score', op: 'contains', value: 'x' }],
    [{ field: 'score', op: 'range', from: '2024-01-01' }],
    [{ field: 'taken', op: 'range', from: 3 }],
    [{ field: 'note', op: 'gt', value: 3 }],
    [{ field: 'score', op: 'range' }],
    [{ field: 'score', op: 'range', from: 2, to: 1 }],
    [{ op: 'is', value: 'x' }],
  ])('%j is invalid', async (filter) => {
    const vql = encodeURIComponent(JSON.stringify([{ metadata: filter }]));
    const answer = await api.get(`/explore/${dataset}?threshold=0&entity_type=IMAGES&vql=${vql}`);
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/metadata|field/) } });
  });

  it('has facets with the values of its matches', async () => {
    const vql = encodeURIComponent(JSON.stringify([{ metadata: { field: 'score', op: 'lt', value: 5 } }]));
    const { body } = await api.get<Facets>(`/explore/${dataset}/facets?vql=${vql}`);
    const facet = (name: string) => body.metadata.find(({ field_name }) => field_name === name);
    expect(facet('score')).toMatchObject({
      n_values: 2,
      ranges: [
        { from: -2, to: -2, count: 1 },
        { from: 0.5, to: 0.5, count: 1 },
      ],
    });
    expect(facet('things')?.values).toEqual([
      { name: 'car', count: 2 },
      { name: 'tree', count: 1 },
    ]);
    expect(facet('note')?.values.map(({ name }) => name)).toEqual(['A Big dog', 'small']);
    expect(facet('taken')?.ranges.map(({ count }) => count)).toEqual([1, 1]);
  });
});
