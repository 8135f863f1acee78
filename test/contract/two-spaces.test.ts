import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { type ExploreResult, exploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { type EncoderList, type EnrichmentContext, encoderList } from '../../src-main/contract/schemas/model.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

/** Uniqueness below which an item has an edited copy as its nearest neighbour. The other neighbours are random images. */
const HAS_A_TWIN = 0.45;

let api: Api;
let images: string;
let source: string;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
  await importTinyModels(api, ['clip'], atEnd);
  images = await temporaryFolder(atEnd);
  await writeImages(images, [1, 2, 3, 4]);
  await sharp(join(images, 'image-00001.jpg')).resize(160).toFile(join(images, 'smaller.jpg'));
  source = await withoutEncoder('images', images);
});

it('keeps the appearance embeddings of a copy with an encoder, and adds those of new items', async () => {
  const uniqueBefore = await uniquenessOf(source);
  expect(uniqueBefore.get('smaller.jpg')).toBeLessThan(HAS_A_TWIN);
  expect(uniqueBefore.get('image-00003.jpg')).toBeGreaterThan(HAS_A_TWIN);

  const { body } = await api.call<{ dataset_id: string }>(
    'POST',
    `/dataset/${source}/enrich_dataset`,
    json({ enrichment_models: { MULTIMODEL_IMAGE_ENCODING: 'clip' } }),
  );
  const copy = body.dataset_id;
  await api.waitFor(copy, 'READY');
  expect(await uniquenessOf(copy)).toEqual(uniqueBefore);
  // Clusters and similarity use the encoder. Its distances differ from those of appearance embeddings.
  expect(await distancesFrom('image-00001.jpg', copy)).not.toEqual(await distancesFrom('image-00001.jpg', source));

  const more = new FormData();
  more.append('files', new Blob([new Uint8Array(await turnedUpInBrightness('image-00003.jpg'))]), 'brighter.jpg');
  more.append('files', new Blob([new Uint8Array(await image(9))]), 'other.jpg');
  more.append('auto_reindex', 'true');
  expect((await api.call('POST', `/dataset/${copy}/add_media`, { body: more })).status).toBe(202);
  await until(
    async () => (await api.get(`/dataset/${copy}`)).body,
    ({ status_new }) => status_new === 'READY',
  );
  const uniqueAfter = await uniquenessOf(copy);
  expect(uniqueAfter.get('brighter.jpg')).toBeLessThan(HAS_A_TWIN);
  expect(uniqueAfter.get('other.jpg')).toBeGreaterThan(HAS_A_TWIN);
  const fromAdded = await distancesFrom('other.jpg', copy);
  expect(fromAdded.size).toBe(7);
  expect([...fromAdded.values()].filter((distance) => distance > 0.999)).toEqual([]);
});

it('gives a new dataset the chosen encoder, or else the best installed one', async () => {
  const { body: listed } = await api.get<EncoderList>('/encoders');
  expect(encoderList.parse(listed).default_encoder).toBe('clip');
  const clip = listed.encoders.find(({ model_id }) => model_id === 'clip');
  expect(clip).toMatchObject({ installed: true, finds_texts: true });
  expect(clip?.size_bytes).toBeGreaterThan(0);
  const create = (encoder: string | undefined) =>
    api.post('/dataset', {
      dataset_name: `by ${encoder}`,
      bucket_path: images,
      ...(encoder === undefined ? {} : { encoder }),
    });
  expect(await create('no-such-model')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('no-such') },
  });
  for (const [requested, expected] of [
    [undefined, 'clip'],
    ['clip', 'clip'],
    ['none', undefined],
  ] as const) {
    const { body } = await create(requested);
    const id = String(body.dataset_id);
    await api.waitFor(id, 'READY');
    expect(await encoderOf(id)).toBe(expected);
    expect((await api.get(`/explore/${id}?caption=a%20dog`)).status).toBe(expected ? 200 : 400);
    const unique = await uniquenessOf(id);
    for (const [name, score] of await uniquenessOf(source)) expect(unique.get(name)).toBeCloseTo(score ?? 0, 4);
  }
  const draft = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=draft&encoder=clip');
  expect(await encoderOf(draft.body.dataset_id)).toBe('clip');
  expect((await api.get('/ingestion/new_dataset?dataset_name=draft&encoder=nothing')).status).toBe(400);
});

it('adds semantic embeddings in place, and groups by appearance meanwhile', async () => {
  const id = await withoutEncoder('in place', images);
  const unique = await uniquenessOf(id);
  const byLooks = await distancesFrom('image-00001.jpg', id);
  const started = await addMeaning(id);
  expect(started, started.text).toMatchObject({ status: 200, body: { encoder: 'clip' } });
  const [listed, refused] = await Promise.all([itemsOf(id, { threshold: '0' }), addMeaning(id)]);
  expect(listed).toHaveLength(5);
  expect(refused.status).toBe(409);
  await api.waitFor(id, 'READY');
  expect(await encoderOf(id)).toBe('clip');
  expect(await uniquenessOf(id)).toEqual(unique);
  expect(await distancesFrom('image-00001.jpg', id)).not.toEqual(byLooks);
  expect((await api.get(`/explore/${id}?caption=a%20dog`)).status).toBe(200);
  expect(await addMeaning(id)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('has an encoder') },
  });
  const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=MEANING_ADDITION`);
  expect(body.tasks).toMatchObject([{ status: 'COMPLETED', status_message: 'Added meaning to 5 items' }]);
});

it('adds semantic embeddings to objects as well', async () => {
  const folder = await temporaryFolder();
  await writeImages(folder, [21, 22]);
  await writeFile(
    join(folder, 'object_annotations.csv'),
    'filename,col_x,row_y,width,height,label\nimage-00021.jpg,10,20,100,80,thing\nimage-00022.jpg,30,30,60,90,thing\n',
  );
  const id = await withoutEncoder('objects', folder);
  await addMeaning(id);
  await api.waitFor(id, 'READY');
  const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=MEANING_ADDITION`);
  expect(body.tasks).toMatchObject([{ status: 'COMPLETED', error_message: null }]);
  const [object] = await itemsOf(id, { threshold: '0', entity_type: 'OBJECTS' });
  const near = await itemsOf(id, { threshold: '0', anchor_media_id: object?.media_id ?? '', anchor_type: 'MEDIA' });
  expect(near).toHaveLength(2);
  const found = await itemsOf(id, { threshold: '0', entity_type: 'OBJECTS', caption: 'a dog' });
  expect(found).toHaveLength(2);
});

it('leaves no trace when adding semantic embeddings is aborted', async () => {
  const folder = await temporaryFolder();
  const seeds = Array.from({ length: 150 }, (_, at) => 100 + at);
  await writeImages(folder, seeds);
  const id = await withoutEncoder('aborted', folder);
  const nClusters = async () =>
    (await api.get<ExploreResult>(`/explore/${id}?threshold=2`)).body.metadata.total_clusters;
  const before = await nClusters();
  const { body } = await addMeaning(id);
  await inTheMiddle(id);
  expect((await api.post(`/tasks/${body.task_id}/abort`)).status).toBe(200);
  expect((await api.get(`/dataset/${id}`)).body.status_new).toBe('READY');
  expect(await encoderOf(id)).toBeUndefined();
  expect(await nClusters()).toBe(before);
  expect((await api.get(`/explore/${id}?caption=a%20dog`)).status).toBe(400);
});

function addMeaning(id: string) {
  return api.call<{ task_id: string; encoder: string }>('POST', `/dataset/${id}/meaning`, json({}));
}

async function withoutEncoder(name: string, folder: string): Promise<string> {
  const { body } = await api.post('/dataset', { dataset_name: name, bucket_path: folder, encoder: 'none' });
  await api.waitFor(String(body.dataset_id), 'READY');
  return String(body.dataset_id);
}

async function encoderOf(id: string): Promise<string | undefined> {
  const { body } = await api.get<EnrichmentContext>(`/enrichment/${id}/context`);
  return body.dataset_enrichment_models.enrichment_models.MULTIMODEL_IMAGE_ENCODING;
}

async function inTheMiddle(id: string): Promise<void> {
  await until(
    () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=MEANING_ADDITION`),
    ({ body: { tasks } }) => tasks[0]?.step === 'Adding meaning' && tasks[0].done > 0,
  );
}

async function turnedUpInBrightness(name: string): Promise<Buffer> {
  return sharp(await readFile(join(images, name)))
    .modulate({ brightness: 1.05 })
    .jpeg()
    .toBuffer();
}

async function itemsOf(id: string, query: Record<string, string>) {
  const { status, body, text } = await api.get<ExploreResult>(`/explore/${id}?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return exploreResult.parse(body).clusters.flatMap(({ previews }) => previews);
}

/** Uniqueness by file name. */
async function uniquenessOf(id: string): Promise<Map<string, number | null>> {
  const items = await itemsOf(id, { threshold: '0' });
  const details = await Promise.all(
    items.map(async ({ media_id }) => (await api.get<Image>(`/dataset/${id}/image/${media_id}`)).body),
  );
  return new Map(details.map(({ file_name, uniqueness_score }) => [file_name, uniqueness_score] as const).sort());
}

/** Distances by file name. */
async function distancesFrom(name: string, id: string): Promise<Map<string, number>> {
  const anchor = (await itemsOf(id, { threshold: '0' })).find(({ file_name }) => file_name === name);
  const near = await itemsOf(id, { threshold: '0', anchor_media_id: anchor?.media_id ?? '', anchor_type: 'MEDIA' });
  return new Map(
    near.map(({ file_name, relevance_score }) => [file_name, relevance_score ?? Number.NaN] as const).sort(),
  );
}
