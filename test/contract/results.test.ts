import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { EnrichmentContext } from '../../src-main/contract/schemas/model.ts';
import type { ResultManifest } from '../../src-main/contract/schemas/results.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { resultFiles, sha256, type WrittenResults, writeResults } from '../support/results.ts';
import { S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { serve } from '../support/serve.ts';
import { killedBefore } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let api: Api;
let images: string;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
  images = await temporaryFolder(atEnd);
  await writeImages(images, SEEDS);
});

async function create(on = api): Promise<{ id: string; ids: string[] }> {
  const id = await on.createFromFolder('results', images, { encoder: 'none' });
  await on.waitFor(id, 'READY');
  await on.atRest();
  const { body } = await on.get<ItemPage>(`/explore/${id}/items?sort_by=name`);
  return { id, ids: body.items.map(({ media_id }) => media_id) };
}

function start(id: string, location: string, on = api) {
  return on.call<{ task_id: string; detail: string }>('POST', `/dataset/${id}/results`, json({ location }));
}

async function ended(taskId: string, on = api): Promise<Task> {
  const task = await until(
    async () =>
      (await on.get<{ tasks: Task[] }>('/tasks?page_size=50&with_service=true')).body.tasks.find(
        (one) => one.task_id === taskId,
      ),
    (one) => one !== undefined && one.end_time !== null,
  );
  if (!task) throw new Error('the task is not listed');
  return task;
}

/** Imports results and returns the ended task. */
async function importInto(id: string, results: WrittenResults): Promise<Task> {
  const folder = await temporaryFolder();
  await writeResults(folder, results);
  const { status, body, text } = await start(id, folder);
  expect(status, text).toBe(202);
  return ended(body.task_id);
}

/** Vectors at growing angles from the first one. */
const vectorOf = (at: number) => [Math.cos(at / 4) * 3, Math.sin(at / 4) * 3, 0, 0];
const embeddingsOf = (ids: readonly string[], from = 0) =>
  ids.map((mediaId, at) => ({ media_id: mediaId, embedding: vectorOf(from + at) }));

async function neighboursOf(id: string, mediaId: string, on = api) {
  const query = new URLSearchParams({ threshold: '0', anchor_media_id: mediaId, anchor_type: 'MEDIA' });
  const { body } = await on.get<ExploreResult>(`/explore/${id}?${query}`);
  return body.clusters.flatMap(({ previews }) => previews);
}

async function encoderOf(id: string): Promise<string | undefined> {
  const { body } = await api.get<EnrichmentContext>(`/enrichment/${id}/context`);
  return body.dataset_enrichment_models.enrichment_models.MULTIMODEL_IMAGE_ENCODING;
}

const imagesOf = (id: string, ids: readonly string[]) =>
  Promise.all(ids.map(async (mediaId) => (await api.get<Image>(`/dataset/${id}/image/${mediaId}`)).body));

describe('embeddings', () => {
  it('become the meaning space of a dataset in place', async () => {
    const { id, ids } = await create();
    const rows = embeddingsOf(ids);
    const task = await importInto(id, { kind: 'embeddings', parts: [rows.slice(0, 4).toReversed(), rows.slice(4)] });
    expect(task).toMatchObject({
      task_type: 'RESULT_IMPORT',
      status: 'COMPLETED',
      status_message: 'Imported 6 vectors of cluster-encoder',
    });
    expect((await api.get(`/dataset/${id}`)).body.status_new).toBe('READY');
    expect(await encoderOf(id)).toBe('cluster-encoder');
    const near = await neighboursOf(id, ids[0] ?? '');
    expect(near.map(({ media_id }) => media_id)).toEqual(ids);
    expect(near[2]?.relevance_score).toBeCloseTo(1 - Math.cos(0.5), 4);
  });

  it('extend the space of the same model, and items keep the vectors that they have', async () => {
    const { id, ids } = await create();
    const first = await importInto(id, { kind: 'embeddings', parts: [embeddingsOf(ids.slice(0, 4))] });
    expect(first.status_message).toBe('Imported 4 vectors of cluster-encoder; 2 items have no vector');
    const others = [...embeddingsOf(ids.slice(0, 1), 5), ...embeddingsOf(ids.slice(4), 4)];
    const second = await importInto(id, { kind: 'embeddings', parts: [others] });
    expect(second.status_message).toBe('Imported 2 vectors of cluster-encoder; 1 item keeps the vector that it had');
    expect((await neighboursOf(id, ids[0] ?? '')).map(({ media_id }) => media_id)).toEqual(ids);
  });

  it('of a model that is installed include objects, which are computed here', async () => {
    const other = await temporaryFolder();
    await writeImages(other, [21, 22]);
    await writeFile(
      join(other, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\nimage-00021.jpg,10,20,100,80,thing\nimage-00022.jpg,30,30,60,90,thing\n',
    );
    await importTinyModels(api, ['clip'], atEnd);
    const id = await api.createFromFolder('objects', other, { encoder: 'none' });
    await api.waitFor(id, 'READY');
    const { body } = await api.get<ItemPage>(`/explore/${id}/items`);
    const { body: listed } = await api.get<{ encoders: { model_id: string }[] }>('/encoders');
    expect(listed.encoders.map(({ model_id }) => model_id)).toContain('clip');
    const dim = Number(/have (\d+)$/.exec((await refusal(id, { dim: 3 })).detail)?.[1]);
    const rows = body.items.map(({ media_id }, at) => ({
      media_id,
      embedding: Array.from({ length: dim }, (_, nth) => Math.sin(nth * (at + 1))),
    }));
    const task = await importInto(id, { kind: 'embeddings', model: 'clip', parts: [rows] });
    expect(task.status_message).toBe('Imported 2 vectors of clip');
    const found = await api.get<ExploreResult>(`/explore/${id}?threshold=0&entity_type=OBJECTS&caption=a%20dog`);
    expect(found.body.clusters.flatMap(({ previews }) => previews)).toHaveLength(2);

    async function refusal(of: string, manifest: Partial<ResultManifest>) {
      const folder = await temporaryFolder();
      await writeResults(folder, {
        kind: 'embeddings',
        model: 'clip',
        parts: [embeddingsOf([UNKNOWN])],
        manifest,
      });
      return (await start(of, folder)).body;
    }
    const stated = { width_px: 100, height_px: 32, resize: 'stretch' };
    expect((await refusal(id, { dim, preprocessing: stated })).detail).toContain('width_px');
    expect((await refusal(id, { dim, preprocessing: { resize: 'somehow' } })).detail).toContain('preprocessing.');
  });

  it('are imported from object storage', async () => {
    const storage = await startS3Server(await temporaryFolder());
    const of = await serve(await temporaryFolder(), { ...S3_CREDENTIALS, AWS_ENDPOINT_URL_S3: storage.endpoint });
    const { id, ids } = await create(of.api);
    await storage.makeBucket('cluster');
    const files = resultFiles({
      kind: 'embeddings',
      parts: [embeddingsOf(ids.slice(0, 3)), embeddingsOf(ids.slice(3), 3)],
    });
    for (const [name, bytes] of files) await storage.put('cluster', `run/1/${name}`, bytes);
    const started = await start(id, 's3://cluster/run/1', of.api);
    expect(await ended(started.body.task_id, of.api)).toMatchObject({ status: 'COMPLETED' });
    expect((await neighboursOf(id, ids[0] ?? '', of.api)).map(({ media_id }) => media_id)).toEqual(ids);
    await storage.remove('cluster', 'run/1/part-00001.parquet');
    const again = await start(id, 's3://cluster/run/1/', of.api);
    expect((await ended(again.body.task_id, of.api)).error_message).toContain('part-00001.parquet is missing');
    await of.server.stop();
    await storage.close();
  });

  it('of which an import was killed are imported by the next start', async () => {
    const data = await temporaryFolder();
    const first = await openData(data);
    const { id, ids } = await create(first.api);
    await first.close();
    const folderOf = async (...parts: [from: number, to: number][]) => {
      const folder = await temporaryFolder();
      const rows = parts.map(([from, to]) => embeddingsOf(ids.slice(from, to), from));
      await writeResults(folder, { kind: 'embeddings', parts: rows });
      return folder;
    };
    const [added, extending] = [await folderOf([0, 2], [2, 4]), await folderOf([4, 5], [5, 6])];
    for (const [folder, statement, nth] of [
      [added, /INSERT INTO part VALUES/, 2],
      [added, /INTO meta .*meaning_applied/, 1],
      [extending, /UPDATE part SET stored/, 2],
    ] as const) {
      const doomed = await serve(data, killedBefore(statement, nth));
      await doomed.api.waitFor(id, 'READY').catch(() => undefined);
      await start(id, folder, doomed.api).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
      expect((await doomed.server.ended).code).toBeNull();
    }
    const last = await openData(data);
    await last.api.waitFor(id, 'READY');
    const { body } = await last.api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=RESULT_IMPORT`);
    const outcomes = body.tasks.map(({ status, status_message }) => `${status}: ${status_message}`).sort();
    expect(outcomes).toEqual([
      expect.stringMatching(/^COMPLETED: Imported 2 vectors of cluster-encoder/),
      expect.stringMatching(/^COMPLETED: Imported 4 vectors of cluster-encoder/),
    ]);
    expect((await neighboursOf(id, ids[0] ?? '', last.api)).map(({ media_id }) => media_id)).toEqual(ids);
  });
});

describe('labels, captions and boxes', () => {
  it('replace those of the same model for the same items', async () => {
    const { id, ids } = await create();
    const labels = (label: string) => [
      ids.slice(0, 2).map((mediaId) => ({ media_id: mediaId, label, confidence: 0.9 })),
      [{ media_id: ids[0], label: 'second', confidence: 0.8 }],
    ];
    expect((await importInto(id, { kind: 'labels', parts: labels('cat') })).status_message).toBe(
      'Imported 3 labels of cluster-encoder',
    );
    expect(await importInto(id, { kind: 'labels', parts: labels('dog') })).toMatchObject({ status: 'COMPLETED' });
    const captions = [ids.slice(1, 3).map((mediaId) => ({ media_id: mediaId, caption: 'a boat on a lake' }))];
    expect((await importInto(id, { kind: 'captions', parts: captions })).status_message).toBe(
      'Imported 2 captions of cluster-encoder',
    );
    const [one, two, three] = await imagesOf(id, ids);
    expect(one?.labels.toSorted()).toEqual(['dog', 'second']);
    expect(two?.labels).toEqual(['dog']);
    expect(JSON.stringify(three)).toContain('a boat on a lake');
  });

  it('become objects with vectors, from Parquet and from COCO results', async () => {
    const { id, ids } = await create();
    const boxes = ids.slice(0, 3).map((mediaId) => ({
      media_id: mediaId,
      box: [10.4, 20, 60, 50],
      label: 'boat',
      confidence: 0.7,
    }));
    expect((await importInto(id, { kind: 'boxes', parts: [boxes] })).status_message).toBe(
      'Imported 3 boxes of cluster-encoder',
    );
    const objects = async () => (await api.get<ItemPage>(`/explore/${id}/items?entity_type=OBJECTS&sort_by=name`)).body;
    expect((await objects()).total).toBe(3);
    const folder = await temporaryFolder();
    const coco = Buffer.from(JSON.stringify([{ image_id: ids[0], category_id: 7, bbox: [5, 5, 40, 40], score: 0.6 }]));
    await writeFile(join(folder, 'results.json'), coco);
    await writeResults(folder, {
      kind: 'boxes',
      parts: [],
      manifest: { categories: { 7: 'buoy' }, parts: [{ file: 'results.json', rows: 1, sha256: sha256(coco) }] },
    });
    const { body } = await start(id, folder);
    expect(await ended(body.task_id)).toMatchObject({ status: 'COMPLETED' });
    // The box of the first image is replaced; the others stay.
    expect((await objects()).total).toBe(3);
    const [first] = await imagesOf(id, ids.slice(0, 1));
    expect(JSON.stringify(first)).toContain('buoy');
    expect(JSON.stringify(first)).not.toContain('boat');
  });
});

describe('refused results', () => {
  let id: string;
  let ids: string[];
  beforeAll(async () => {
    ({ id, ids } = await create());
  });

  const good = () => embeddingsOf(ids);
  const bad = (embedding: unknown) => [{ media_id: ids[0], embedding }, ...good().slice(1)];
  const CASES: [string, () => WrittenResults, string][] = [
    [
      'unknown items',
      () => ({ kind: 'embeddings', parts: [good(), embeddingsOf([UNKNOWN, 'x'])] }),
      '2 rows name items that this dataset does not have (the first is row 1 of part-00001.parquet)',
    ],
    [
      'doubled items',
      () => ({ kind: 'embeddings', parts: [good(), good().slice(0, 2)] }),
      '2 rows repeat an earlier row',
    ],
    ['NaN', () => ({ kind: 'embeddings', parts: [bad([1, Number.NaN, 0, 0])] }), '1 embedding contains NaN'],
    [
      'infinity',
      () => ({ kind: 'embeddings', parts: [bad([1, Number.POSITIVE_INFINITY, 0, 0])] }),
      '1 embedding contains NaN',
    ],
    ['missing numbers', () => ({ kind: 'embeddings', parts: [bad([1, null, 0, 0])] }), '1 embedding contains NaN'],
    [
      'another dimension',
      () => ({ kind: 'embeddings', parts: [bad([1, 2])], manifest: { dim: 4 } }),
      '1 embedding is no list of 4',
    ],
    [
      'missing vectors',
      () => ({ kind: 'embeddings', parts: [bad(null)], manifest: { dim: 4 } }),
      '1 embedding is no list of 4',
    ],
    ['vectors of length 0', () => ({ kind: 'embeddings', parts: [bad([0, 0, 0, 0])] }), '1 embedding has length 0'],
    [
      'a missing column',
      () => ({ kind: 'embeddings', parts: [[{ media_id: 'x' }]], manifest: { dim: 4 } }),
      'has no column embedding',
    ],
    [
      'another number of rows and another hash',
      () => {
        const part = (rows: number, hash?: string) => {
          const bytes = resultFiles({ kind: 'embeddings', parts: [good()] }).get('part-00000.parquet') ?? Buffer.of();
          return { file: 'part-00000.parquet', rows, sha256: hash ?? sha256(bytes) };
        };
        const other = { ...part(6, '0'.repeat(64)), file: 'part-00001.parquet' };
        return { kind: 'embeddings', parts: [good(), good()], manifest: { parts: [part(7), other] } };
      },
      'part-00000.parquet has 6 rows, and manifest.json states 7; part-00001.parquet has another SHA-256',
    ],
    [
      'labels without a text',
      () => ({ kind: 'labels', parts: [[{ media_id: ids[0], label: ' ' }]] }),
      '1 row has no label',
    ],
    [
      'captions twice',
      () => ({
        kind: 'captions',
        parts: [
          [
            { media_id: ids[0], caption: 'a' },
            { media_id: ids[0], caption: 'a' },
          ],
        ],
      }),
      '1 row repeats',
    ],
    [
      'confidences',
      () => ({ kind: 'labels', parts: [[{ media_id: ids[0], label: 'a', confidence: 1.5 }]] }),
      '1 confidence is no number from 0 to 1',
    ],
    [
      'boxes',
      () => ({ kind: 'boxes', parts: [[{ media_id: ids[0], box: [9000, 9000, 5, 5], label: 'a' }]] }),
      '1 box is no [x, y, width, height]',
    ],
  ];

  it.each(CASES)('%s are refused by name, and nothing is imported', async (_what, results, problem) => {
    const task = await importInto(id, results());
    expect(task).toMatchObject({ status: 'FAILED', failure: { code: 'results_refused' } });
    expect(task.error_message).toContain('Nothing was imported: ');
    expect(task.error_message).toContain(problem);
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'READY', n_objects: 0 });
    expect(await encoderOf(id)).toBeUndefined();
    expect((await imagesOf(id, ids.slice(0, 1)))[0]?.labels).toEqual([]);
  });

  it('a file that is cut is named', async () => {
    const folder = await temporaryFolder();
    const cut = (
      resultFiles({ kind: 'embeddings', parts: [good()] }).get('part-00000.parquet') ?? Buffer.of()
    ).subarray(0, 300);
    await writeResults(folder, {
      kind: 'embeddings',
      parts: [],
      manifest: { dim: 4, parts: [{ file: 'cut.parquet', rows: 6, sha256: sha256(cut) }] },
    });
    await writeFile(join(folder, 'cut.parquet'), cut);
    const { body } = await start(id, folder);
    expect((await ended(body.task_id)).error_message).toContain('cut.parquet: ');
  });

  it('what the manifest tells is refused at once', async () => {
    const folder = await temporaryFolder();
    expect(await start(id, folder)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('no manifest.json') },
    });
    await writeResults(folder, { kind: 'embeddings', parts: [good()] });
    await appendFile(join(folder, 'manifest.json'), '}');
    expect(await start(id, folder)).toMatchObject({ status: 400, body: { detail: 'manifest.json is not JSON' } });
    const refuse = async (manifest: Record<string, unknown>) => {
      await writeResults(folder, { kind: 'embeddings', parts: [good()], manifest });
      return (await start(id, folder)).body.detail;
    };
    expect(await refuse({ parts: [{ file: '../secret.parquet', rows: 1, sha256: '0'.repeat(64) }] })).toContain(
      'parts.0.file',
    );
    expect(await refuse({ dim: undefined })).toContain('manifest.json, dim');
    expect(await refuse({ model: { id: 'visual-descriptor-1' } })).toContain('built-in');
    expect((await start(id, join(folder, 'nowhere'))).status).toBe(400);
    expect((await start(UNKNOWN, folder)).status).toBe(404);
  });

  it('vectors of another model than that of the dataset are refused', async () => {
    const other = await create();
    await importInto(other.id, { kind: 'embeddings', parts: [embeddingsOf(other.ids)] });
    const folder = await temporaryFolder();
    await writeResults(folder, { kind: 'embeddings', model: 'another', parts: [embeddingsOf(other.ids)] });
    expect(await start(other.id, folder)).toMatchObject({
      status: 409,
      body: { detail: 'The vectors are of another, and the dataset has vectors of cluster-encoder' },
    });
    await writeResults(folder, { kind: 'embeddings', parts: [[{ media_id: other.ids[0], embedding: [1, 2, 3] }]] });
    expect(await start(other.id, folder)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('have 3 numbers') },
    });
  });
});
