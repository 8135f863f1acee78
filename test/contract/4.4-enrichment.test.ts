import { cp, mkdir, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { type ExploreResult, exploreResult } from '../../src-main/contract/schemas/explore.ts';
import { type Image, image as imageSchema } from '../../src-main/contract/schemas/image.ts';
import {
  type EnrichmentContext,
  type EnrichmentModel,
  type EnrichmentPreview,
  enrichmentContext,
  enrichmentModel,
  enrichmentPreview,
} from '../../src-main/contract/schemas/model.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { noteFault } from '../support/fault-count.ts';
import { image, writeImages } from '../support/images.ts';
import { findMedia } from '../support/media.ts';
import { findModels } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { serve } from '../support/serve.ts';
import { killedBefore } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { writeTinyModel } from '../support/tiny-models/generate.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

const media = findMedia();
const models = findModels();
const PHOTOS = 12;
/** Number of images, more than the 16 of a model batch. */
const KILLED_IMAGES = 20;

function enrich(api: Api, id: string, enrichmentModels: Record<string, string>) {
  return api.call<{ dataset_id: string; detail?: string }>(
    'POST',
    `/dataset/${id}/enrich_dataset`,
    json({ enrichment_models: enrichmentModels }),
  );
}

async function explore(api: Api, id: string, query: Record<string, string>): Promise<ExploreResult> {
  const { status, body, text } = await api.get<ExploreResult>(`/explore/${id}?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return exploreResult.parse(body);
}

describe('4.4 refusals', () => {
  let api: Api;
  let id: string;

  beforeAll(async () => {
    ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [1, 2, 3]);
    id = await api.createFromFolder('plain', folder);
    await api.waitFor(id, 'READY');
  });

  it('lists models with the reason why they cannot be applied', async () => {
    const { status, body } = await api.get<EnrichmentModel[]>(`/enrichment/${id}/list_models`);
    expect(status).toBe(200);
    const listed = enrichmentModel.array().parse(body);
    expect(listed.length).toBeGreaterThan(5);
    for (const model of listed) {
      expect(model).toMatchObject({ installed: false, status: 'Coming Soon' });
      expect(model.unavailable_reason).toMatch(/not on this computer|cannot be applied/);
    }
    expect(listed.find(({ id: modelId }) => modelId === 'yolox-nano')?.size_bytes).toBeGreaterThan(1_000_000);
    expect(listed.find(({ type }) => type === 'CAPTION_OBJECTS')?.dependencies).toContain('OBJECT_DETECTION');
  });

  it('has a NEW context before anything is applied', async () => {
    const { body } = await api.get<EnrichmentContext>(`/enrichment/${id}/context`);
    const context = enrichmentContext.parse(body);
    expect(context).toMatchObject({ status: 'NEW', dataset_enrichment_models: { enrichment_models: {} } });
    expect(context.context_id).toBe(context.enrichment_context_id);
    const { body: progress } = await api.get(`/enrichment/${id}/${context.context_id}/status`);
    expect(progress).toMatchObject({ status: 'NEW' });
  });

  it.each([
    ['nothing', {}, /at least one model/],
    ['an unknown type', { FORTUNE_TELLING: 'yolox-nano' }, /FORTUNE_TELLING/],
    ['an unknown model', { OBJECT_DETECTION: 'no-such-model' }, /no-such-model/],
    ['a model of another type', { IMAGE_TAGGING: 'yolox-nano' }, /OBJECT_DETECTION/],
    ['a model that is not here', { OBJECT_DETECTION: 'yolox-nano' }, /not on this computer.*Download.*import/],
  ])('refuses %s with 400 and starts no task', async (_what, enrichmentModels, detail) => {
    const { status, body } = await enrich(api, id, enrichmentModels as Record<string, string>);
    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
    const { body: tasks } = await api.get<{ total: number }>(`/tasks?task_type=ENRICHMENT`);
    expect(tasks.total).toBe(0);
    expect((await api.get<Dataset>(`/dataset/${id}`)).body.status_new).toBe('READY');
  });

  it('refuses bodies of another shape with 422 and unknown datasets with 404', async () => {
    const wrong = await api.call('POST', `/dataset/${id}/enrich_dataset`, json({ enrichment_models: ['a'] }));
    expect(wrong.status).toBe(422);
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect((await enrich(api, nobody, { OBJECT_DETECTION: 'yolox-nano' })).status).toBe(404);
    expect((await api.get(`/enrichment/${nobody}/list_models`)).status).toBe(404);
    expect((await api.get(`/enrichment/${id}/${nobody}/status`)).status).toBe(404);
  });

  it('refuses a dataset that is not READY with 409', async () => {
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=draft');
    const { status, body } = await enrich(api, draft.dataset_id, { OBJECT_DETECTION: 'yolox-nano' });
    expect([400, 409]).toContain(status);
    expect(body.detail).toBeTruthy();
  });

  it('explains what a text search needs when the dataset has no text encoder', async () => {
    const { status, body } = await api.get(`/explore/${id}?caption=a%20dog`);
    expect(status).toBe(400);
    expect(body.detail).toContain('MULTIMODEL_IMAGE_ENCODING');
    const { body: config } = await api.get(`/user_config?dataset_id=${id}`);
    expect(config).toEqual({
      features: [
        {
          feature_key: 'TEXTUAL_SEARCH_IMAGE',
          feature_options: { labels_search: false, captions_search: false, semantic_search: false, semantic_by: [] },
        },
      ],
    });
  });
});

describe('4.4 with trained models', needs(media, models), () => {
  let api: Api;
  let data: string;
  let source: string;
  let copy: string;
  const chosen = {
    MULTIMODEL_IMAGE_ENCODING: 'standin-clip',
    IMAGE_TAGGING: 'shufflenet-v2-int8',
    OBJECT_DETECTION: 'yolox-nano',
  };

  beforeAll(async () => {
    if ('missing' in media || 'missing' in models) return;
    data = await temporaryFolder(atEnd);
    ({ api } = await openData(data, { finished: atEnd }));
    const folder = join(await temporaryFolder(atEnd), 'photos');
    await mkdir(folder);
    const from = join(media.root, 'photos/coco/images');
    for (const name of (await readdir(from)).sort().slice(0, PHOTOS)) await cp(join(from, name), join(folder, name));
    source = await api.createFromFolder('photos', folder);
    const imported = await api.call<{ imported: unknown[]; refused: unknown[] }>(
      'POST',
      '/models/import',
      json({ path: models.root }),
    );
    expect(imported.body.refused).toEqual([]);
    await api.waitFor(source, 'READY');
  });

  it('lists the models that can be applied before those that cannot', async () => {
    const { body } = await api.get<EnrichmentModel[]>(`/enrichment/${source}/list_models`);
    const active = body.map((model) => model.status === 'Active');
    expect(active).toEqual([...active].sort((a, b) => Number(b) - Number(a)));
    expect(new Set(active)).toEqual(new Set([true, false]));
    for (const { status, installed, unavailable_reason, size_bytes } of body) {
      expect(unavailable_reason === null).toBe(status === 'Active');
      if (status === 'Active')
        expect({ installed, size_bytes }).toEqual({ installed: true, size_bytes: expect.any(Number) });
    }
  });

  it('previews models on images of the dataset and stores nothing', async () => {
    const { status, body, text } = await api.call<EnrichmentPreview>(
      'POST',
      `/enrichment/${source}/preview`,
      json({ enrichment_models: chosen, n_items: 6 }),
    );
    expect(status, text).toBe(200);
    const { items } = enrichmentPreview.parse(body);
    expect(items).toHaveLength(6);
    const outputs = items.flatMap((item) => item.outputs);
    expect(outputs).toHaveLength(18);
    expect(outputs.every(({ failure_reason }) => failure_reason === null)).toBe(true);
    expect(
      outputs.filter(({ type }) => type === 'OBJECT_DETECTION').flatMap(({ objects }) => objects).length,
    ).toBeGreaterThan(3);
    expect(outputs.find(({ type }) => type === 'MULTIMODEL_IMAGE_ENCODING')?.similar_media_ids).toHaveLength(5);
    const { body: stats } = await api.get(`/dataset/${source}/stats`);
    expect(stats).toMatchObject({ n_labels: 0, n_objects: 0 });
  });

  it('enriches a copy; the source is READ ONLY meanwhile and unchanged afterwards', async () => {
    const before = (await api.get(`/explore/${source}?threshold=2`)).text.replaceAll(/\?[^"]*"/g, '"');
    const started = await enrich(api, source, chosen);
    expect(started.status, started.text).toBe(200);
    copy = started.body.dataset_id;
    const locked = (await api.get<Dataset>(`/dataset/${source}`)).body;
    expect(locked).toMatchObject({ status_new: 'READ ONLY', status: 'ENRICHING' });
    expect((await enrich(api, source, chosen)).status).toBe(409);
    expect(await api.post(`/dataset/${source}/add_media`, { s3_uri: tmpdir() })).toMatchObject({
      status: 409,
      body: { detail: "Operation 'add_media' is blocked while ENRICHMENT task is running" },
    });
    const { body: context } = await api.get<EnrichmentContext>(`/enrichment/${source}/context`);
    expect((await api.get(`/enrichment/${source}/${context.context_id}/status`)).body).toMatchObject({
      status: 'IN_PROGRESS',
    });
    expect(await api.call('DELETE', `/dataset/${source}`)).toMatchObject({ status: 409 });
    const removal = await api.call('DELETE', '/models/yolox-nano');
    expect(removal).toMatchObject({ status: 409, body: { detail: expect.stringContaining('task') } });
    const [running, end] = await Promise.all([
      api.get(`/enrichment/${source}/${copy}/status`),
      api.waitFor(copy, 'READY'),
    ]);
    expect(running.body).toMatchObject({ status: expect.stringMatching(/IN_PROGRESS|COMPLETED/) });
    expect(end).toMatchObject({ source_type: 'VL', source_dataset_id: source, display_name: 'photos (enriched)' });
    expect(end.n_images).toBe(PHOTOS);
    expect(end.n_objects).toBeGreaterThan(PHOTOS);
    expect((await api.get<Dataset>(`/dataset/${source}`)).body).toMatchObject({ status_new: 'READY', n_objects: 0 });
    expect((await api.get(`/explore/${source}?threshold=2`)).text.replaceAll(/\?[^"]*"/g, '"')).toBe(before);
    const { body: applied } = await api.get<EnrichmentContext>(`/enrichment/${copy}/context`);
    expect(applied).toMatchObject({
      status: 'COMPLETED',
      dataset_enrichment_models: { enrichment_models: chosen },
      n_failed: 0,
    });
    const { body: tasks } = await api.get<{ tasks: Task[] }>(`/tasks?task_type=ENRICHMENT`);
    expect(tasks.tasks[0]).toMatchObject({ dataset_id: copy, status: 'COMPLETED', progress_percentage: 100 });
  });

  it('shares originals and thumbnails with the source on disk', async () => {
    const pack = (id: string, generation: number) =>
      stat(join(data, 'datasets', id, String(generation), 'thumbnails', '000000.pack'));
    expect((await pack(copy, 2)).ino).toBe((await pack(source, 1)).ino);
    // The dataset's record may be in the middle of being rewritten, with a new file beside the old one.
    const listed = async () => (await readdir(join(data, 'datasets', copy))).toSorted();
    await expect.poll(listed).toEqual(['2', 'blocks', 'dataset.json', 'snapshots']);
  });

  it('shows labels, boxes and their confidence on items, and finds items by label', async () => {
    const all = await explore(api, copy, { threshold: '4' });
    const ids = all.clusters.flatMap(({ previews }) => previews.map(({ media_id }) => media_id));
    const items = await Promise.all(
      ids.map(async (id) => imageSchema.parse((await api.get<Image>(`/dataset/${copy}/image/${id}`)).body)),
    );
    const labelled = items.find(({ label_details }) => label_details.length > 0);
    if (!labelled) throw new Error('no item has a label');
    const [first] = labelled.label_details;
    expect(first).toMatchObject({ source: chosen.IMAGE_TAGGING });
    expect(first?.confidence).toBeGreaterThan(0.2);
    const withObjects = items.find(({ objects }) => objects.length > 0);
    expect(withObjects?.objects[0]).toMatchObject({ source: chosen.OBJECT_DETECTION });
    expect(withObjects?.objects[0]?.confidence).toBeGreaterThan(0.25);

    const label = first?.label ?? '';
    const found = await explore(api, copy, { labels: JSON.stringify([label]) });
    const previews = found.clusters.flatMap((cluster) => cluster.previews);
    expect(previews.map(({ media_id }) => media_id)).toContain(labelled.media_id);
    expect(previews.every(({ labels }) => labels?.includes(label))).toBe(true);
    const none = await explore(api, copy, { vql: JSON.stringify([{ labels: { op: 'not_one_of', value: [label] } }]) });
    expect(none.clusters.flatMap((cluster) => cluster.previews).some(({ labels }) => labels?.includes(label))).toBe(
      false,
    );
  });

  it('finds objects, and objects similar to one', async () => {
    const objects = await explore(api, copy, { entity_type: 'OBJECTS', threshold: '2' });
    const [one] = objects.clusters.flatMap(({ previews }) => previews);
    if (!one) throw new Error('there are no objects');
    expect(one.type).toBe('OBJECT');
    expect((await fetch(one.media_thumb_uri)).status).toBe(200);
    const like = await explore(api, copy, {
      entity_type: 'OBJECTS',
      anchor_media_id: one.media_id,
      anchor_type: 'MEDIA',
    });
    expect(like.clusters[0]?.previews[0]).toMatchObject({ media_id: one.media_id, relevance_score: 0 });
  });

  it('finds images by text, the right ones first, with distances as the interface defines', async () => {
    const people = await explore(api, copy, {
      vql: JSON.stringify([{ labels: { op: 'is', value: ['person'] } }]),
      entity_type: 'OBJECTS',
    });
    expect(people.clusters.length).toBeGreaterThan(0);
    const found = await explore(api, copy, { caption: 'a photo of a person', threshold: '0' });
    const scores = found.clusters.map(({ relevance_score }) => relevance_score ?? Number.NaN);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(Math.min(...scores)).toBeLessThan(0.5);
    expect(Math.max(...scores)).toBeGreaterThan(0.6);
    const strict = await explore(api, copy, {
      caption: 'a photo of a person',
      textual_similarity_threshold: '0.5',
      threshold: '0',
    });
    expect(strict.clusters.length).toBe(scores.filter((score) => score < 0.5).length);
    const { status, body } = await api.get(`/explore/${copy}?caption=xqzzv%20qqwyx`);
    expect(status).toBe(400);
    expect(body.detail).toContain('knows none of the words');
  });

  it('applies the same models to media that are added later', async () => {
    if ('missing' in media) return;
    const from = join(media.root, 'photos/coco/images');
    const names = (await readdir(from)).sort().slice(PHOTOS, PHOTOS + 4);
    const body = new FormData();
    for (const name of names) {
      body.append('files', new Blob([await readFile(join(from, name))]), name);
    }
    body.append('auto_reindex', 'true');
    const before = (await api.get<Dataset>(`/dataset/${copy}`)).body;
    const shared = join(data, 'datasets', source, '1', 'thumbnails', '000000.pack');
    const sharedBefore = await readFile(shared);
    expect((await api.call('POST', `/dataset/${copy}/add_media`, { body })).status).toBe(202);
    const contexts = new Set<unknown>();
    const after = await until(
      async () => {
        contexts.add((await api.get(`/enrichment/${copy}/context`)).body.status);
        return (await api.get<Dataset>(`/dataset/${copy}`)).body;
      },
      ({ status_new }) => status_new === 'READY',
    );
    // The dataset is INDEXING in between, which is not a status of enrichment.
    expect([...contexts]).toEqual(['COMPLETED']);
    expect(after.n_images).toBe(PHOTOS + 4);
    expect(after.n_objects).toBeGreaterThan(before.n_objects);
    expect((await readFile(shared)).equals(sharedBefore)).toBe(true);
  });

  it('keeps earlier enrichments when it is enriched again', async () => {
    const { status, body, text } = await enrich(api, copy, { IMAGE_TAGGING: 'mobilenet-v2-int8-tags' });
    expect(status, text).toBe(200);
    const again = await api.waitFor(body.dataset_id, 'READY');
    expect(again.n_objects).toBe((await api.get<Dataset>(`/dataset/${copy}`)).body.n_objects);
    const { body: context } = await api.get<EnrichmentContext>(`/enrichment/${body.dataset_id}/context`);
    expect(context.dataset_enrichment_models.enrichment_models).toEqual({
      ...chosen,
      IMAGE_TAGGING: 'mobilenet-v2-int8-tags',
    });
    const sources = new Set<string>();
    const all = await explore(api, body.dataset_id, { threshold: '4' });
    for (const { media_id } of all.clusters.flatMap(({ previews }) => previews)) {
      const item = (await api.get<Image>(`/dataset/${body.dataset_id}/image/${media_id}`)).body;
      for (const { source } of item.label_details) sources.add(source);
    }
    expect([...sources]).toEqual(['mobilenet-v2-int8-tags']);
    expect((await explore(api, body.dataset_id, { caption: 'a dog' })).clusters.length).toBeGreaterThan(0);
  });

  it('unlocks the source when the copy is deleted during enrichment', async () => {
    const { body } = await enrich(api, source, { OBJECT_DETECTION: 'yolox-nano' });
    expect((await api.call('DELETE', `/dataset/${body.dataset_id}`)).status).toBe(200);
    expect((await api.get<Dataset>(`/dataset/${source}`)).body.status_new).toBe('READY');
  });

  it('records an item that no model can read and continues', async () => {
    const folder = await temporaryFolder(atEnd);
    await writeFile(join(folder, 'one.jpg'), await image(1));
    await writeFile(join(folder, 'two.jpg'), await image(2));
    const id = await api.createFromFolder('soon broken', folder);
    await api.waitFor(id, 'READY');
    await writeFile(join(folder, 'two.jpg'), 'no image any more');
    const { body } = await enrich(api, id, { IMAGE_TAGGING: 'shufflenet-v2-int8' });
    await api.waitFor(body.dataset_id, 'READY');
    const { body: failures } = await api.get(`/enrichment/${body.dataset_id}/failures`);
    expect(failures).toMatchObject({
      total: 1,
      failures: [
        {
          file_path: 'two.jpg',
          model_id: 'shufflenet-v2-int8',
          reason: 'This is not an image in a known format.',
          problem: { code: 'image_format_unknown', params: {} },
        },
      ],
    });
  });

  it('finds imported captions by meaning', async () => {
    if ('missing' in media) return;
    const folder = await temporaryFolder(atEnd);
    const from = join(media.root, 'photos/coco');
    const names = (await readdir(join(from, 'images'))).sort().slice(0, PHOTOS);
    for (const name of names) await cp(join(from, 'images', name), join(folder, name));
    await cp(join(from, 'captions.json'), join(folder, 'annotations.json'));
    const id = await api.createFromFolder('captioned', folder, { encoder: 'none' });
    await api.waitFor(id, 'READY');
    const { body } = await enrich(api, id, { CAPTION_ENCODING: 'standin-text' });
    await api.waitFor(body.dataset_id, 'READY');
    const all = await explore(api, body.dataset_id, { threshold: '4' });
    const [expected] = all.clusters.flatMap(({ previews }) => previews).filter(({ caption }) => caption !== null);
    const found = await explore(api, body.dataset_id, { caption: expected?.caption ?? '', threshold: '0' });
    const [best] = found.clusters.flatMap(({ previews }) => previews);
    expect(best?.media_id).toBe(expected?.media_id);
    expect(best?.relevance_score).toBeLessThan(0.01);
    expect(found.clusters.at(-1)?.relevance_score).toBeGreaterThan(best?.relevance_score ?? 1);
    const { body: config } = await api.get(`/user_config?dataset_id=${body.dataset_id}`);
    expect(config).toMatchObject({
      features: [{ feature_options: { captions_search: true, semantic_search: true } }],
    });
    const vql = JSON.stringify([{ text: { op: 'semantic', value: expected?.caption ?? '' } }]);
    const bySentence = await explore(api, body.dataset_id, { vql, threshold: '0' });
    expect(bySentence.clusters[0]?.previews[0]?.media_id).toBe(expected?.media_id);
  });
});

describe('4.4 with tiny models of every architecture', () => {
  let api: Api;
  let source: string;

  beforeAll(async () => {
    ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
    const all = ['clip', 'siglip2', 'vit-gpt2', 'florence2', 'smolvlm', 'sentence-encoder', 'detector'] as const;
    await importTinyModels(api, all, atEnd);
    const images = await temporaryFolder(atEnd);
    await writeImages(images, [1, 2, 3]);
    await writeFile(
      join(images, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\nimage-00001.jpg,10,20,100,80,thing\nimage-00002.jpg,30,30,60,90,thing\n',
    );
    source = await api.createFromFolder('images', images, { encoder: 'none' });
    await api.waitFor(source, 'READY');
  });

  /** Returns the items of a dataset with all their properties. */
  async function itemsOf(id: string): Promise<Image[]> {
    const { clusters } = await explore(api, id, { threshold: '4' });
    const ids = clusters.flatMap(({ previews }) => previews.map(({ media_id }) => media_id));
    return Promise.all(ids.map(async (mediaId) => (await api.get<Image>(`/dataset/${id}/image/${mediaId}`)).body));
  }

  it.each(['vit-gpt2', 'florence2', 'smolvlm'])(
    'applies all six types in one request, captions by %s',
    async (captioner) => {
      const chosen = {
        MULTIMODEL_IMAGE_ENCODING: captioner === 'vit-gpt2' ? 'clip' : 'siglip2',
        IMAGE_TAGGING: captioner === 'vit-gpt2' ? 'clip-tags' : 'siglip2-tags',
        OBJECT_DETECTION: 'detector',
        CAPTION_IMAGES: captioner,
        CAPTION_OBJECTS: `${captioner}-objects`,
        CAPTION_ENCODING: 'sentence-encoder',
      };
      const started = await enrich(api, source, chosen);
      expect(started.status, started.text).toBe(200);
      const copy = started.body.dataset_id;
      expect(await api.waitFor(copy, 'READY')).toMatchObject({ n_images: 3 });
      const { body: context } = await api.get<EnrichmentContext>(`/enrichment/${copy}/context`);
      expect(context).toMatchObject({ status: 'COMPLETED', n_failed: 0 });
      const items = await itemsOf(copy);
      expect(items).toHaveLength(3);
      for (const { caption_details } of items) expect(caption_details).toMatchObject([{ source: captioner }]);
      const annotated = items.flatMap(({ objects }) => objects).filter((object) => object.source === 'Import');
      expect(annotated).toHaveLength(2);
      // Models of random weights may return a text or none.
      const withCaption = annotated.filter(({ caption }) => caption !== null);
      expect(withCaption.length).toBeGreaterThan(0);
      for (const object of withCaption) expect(object.caption_source).toBe(`${captioner}-objects`);
      // The results are random too. The test only checks that they are in the order of their scores.
      const byText = await explore(api, copy, {
        vql: JSON.stringify([{ text: { op: 'semantic', value: 'a red dog' } }]),
      });
      const scores = byText.clusters.map(({ relevance_score }) => relevance_score ?? Number.NaN);
      expect(scores.length).toBeGreaterThan(0);
      expect(scores).toEqual([...scores].sort((a, b) => a - b));
      const { body: config } = await api.get(`/user_config?dataset_id=${copy}`);
      expect(config).toMatchObject({
        features: [{ feature_options: { captions_search: true, semantic_search: true } }],
      });
    },
  );

  it('refuses captions of objects without a model that detects objects', async () => {
    const { status, body } = await enrich(api, source, { CAPTION_OBJECTS: 'vit-gpt2-objects' });
    expect(status).toBe(400);
    expect(body.detail).toContain('OBJECT_DETECTION');
  });

  it('tags by the edited label list', async () => {
    const labels = ['meadow', 'harbour', 'engine room'];
    const saved = await api.call('PUT', '/models/labels/clip-tags', json({ labels }));
    expect(saved.body).toEqual({ labels, is_default: false });
    const { body } = await enrich(api, source, { IMAGE_TAGGING: 'clip-tags' });
    await api.waitFor(body.dataset_id, 'READY');
    const found = (await itemsOf(body.dataset_id)).flatMap((item) => item.labels);
    expect(found.length).toBeGreaterThan(0);
    expect(labels).toEqual(expect.arrayContaining([...new Set(found)]));
  });

  it('applies the describing models to the results of a later enrichment', async () => {
    const described = await enrich(api, source, {
      OBJECT_DETECTION: 'detector',
      CAPTION_OBJECTS: 'vit-gpt2-objects',
      CAPTION_IMAGES: 'vit-gpt2',
      CAPTION_ENCODING: 'sentence-encoder',
    });
    await api.waitFor(described.body.dataset_id, 'READY');
    const { body } = await enrich(api, described.body.dataset_id, {
      OBJECT_DETECTION: 'detector',
      CAPTION_IMAGES: 'florence2',
    });
    await api.waitFor(body.dataset_id, 'READY');
    const items = await itemsOf(body.dataset_id);
    for (const { caption_details } of items) expect(caption_details).toMatchObject([{ source: 'florence2' }]);
    const found = items.flatMap(({ objects }) => objects).filter((object) => object.source === 'detector');
    // A model of random weights returns no caption for some boxes.
    const captioned = found.filter(({ caption }) => caption !== null);
    expect(captioned.length).toBeGreaterThan(found.length / 2);
    for (const object of captioned) expect(object.caption_source).toBe('vit-gpt2-objects');
    const byCaption = await explore(api, body.dataset_id, { caption: items[0]?.captions?.[0] ?? '', threshold: '0' });
    expect(byCaption.clusters.flatMap(({ previews }) => previews)).toHaveLength(3);
    expect(byCaption.clusters[0]?.relevance_score).toBeLessThan(0.01);
  });

  it('stores no caption without words', async () => {
    const folder = writeTinyModel(await temporaryFolder(), 'florence2');
    const finder = join(await temporaryFolder(), 'finder');
    await cp(folder, finder, { recursive: true });
    const runner = { kind: 'captioner', architecture: 'florence2', prompt: '<OD>' };
    await writeFile(join(finder, 'vitrine.json'), JSON.stringify({ type: 'CAPTION_IMAGES', runner }));
    expect((await api.call('POST', '/models/import', json({ path: finder }))).body.refused).toEqual([]);
    const { body } = await enrich(api, source, { CAPTION_IMAGES: 'finder' });
    await api.waitFor(body.dataset_id, 'READY');
    for (const { captions } of await itemsOf(body.dataset_id)) expect(captions).toEqual([]);
    const { body: context } = await api.get<EnrichmentContext>(`/enrichment/${body.dataset_id}/context`);
    expect(context.n_failed).toBe(0);
  });

  it('fails when no original can be read, and can be retried when they are back', async () => {
    const images = await temporaryFolder();
    await writeImages(images, [11, 12, 13]);
    const id = await api.createFromFolder('unplugged', images);
    await api.waitFor(id, 'READY');
    await rename(images, `${images}-away`);
    const { body } = await enrich(api, id, { CAPTION_IMAGES: 'vit-gpt2' });
    await api.waitFor(body.dataset_id, 'ERROR');
    const failed = (await api.get<Dataset>(`/dataset/${body.dataset_id}`)).body;
    expect(failed.fatal_error_msg).toContain('None of the originals can be read');
    await api.waitFor(id, 'READY');
    // The client that started the enrichment polls the status of the source dataset.
    const statusOfSource = async () => (await api.get(`/enrichment/${id}/${id}/status`)).body.status;
    expect(await statusOfSource()).toBe('FAILED');

    await rename(`${images}-away`, images);
    const tasks = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${body.dataset_id}`);
    expect((await api.call('POST', `/tasks/${tasks.body.tasks[0]?.task_id}/retry`)).status).toBe(200);
    await api.waitFor(body.dataset_id, 'READY');
    expect((await api.get(`/enrichment/${body.dataset_id}/failures`)).body).toMatchObject({ total: 0 });
    expect(await statusOfSource()).toBe('COMPLETED');
  });

  it('finds captions by meaning with CAPTION_IMAGES alone, and by words after their encoder was removed', async () => {
    const { body } = await enrich(api, source, { CAPTION_IMAGES: 'vit-gpt2' });
    await api.waitFor(body.dataset_id, 'READY');
    expect((await itemsOf(body.dataset_id))[0]?.captions).toHaveLength(1);
    const words = (await itemsOf(body.dataset_id))[0]?.captions[0] ?? '';
    const found = await explore(api, body.dataset_id, { caption: words, threshold: '0' });
    expect(found.clusters[0]?.relevance_score).toBeLessThan(0.01);
    expect((await api.call('DELETE', '/models/sentence-encoder')).status).toBe(200);
    expect((await api.get(`/user_config?dataset_id=${body.dataset_id}`)).body).toMatchObject({
      features: [{ feature_options: { captions_search: true, semantic_search: true } }],
    });
    const byWords = await explore(api, body.dataset_id, { caption: words, threshold: '0' });
    expect(byWords.clusters[0]).toMatchObject({ relevance_score: 0, relevance_score_type: 'text_rank' });
  });

  it('refuses to detect objects when the model that describes them is missing', async () => {
    const { body: encoded } = await enrich(api, source, { MULTIMODEL_IMAGE_ENCODING: 'clip' });
    await api.waitFor(encoded.dataset_id, 'READY');
    expect((await api.call('DELETE', '/models/clip')).status).toBe(200);
    const refused = await enrich(api, encoded.dataset_id, { OBJECT_DETECTION: 'detector' });
    expect(refused).toMatchObject({ status: 400, body: { detail: 'The model clip is not installed' } });
    const { body } = await enrich(api, encoded.dataset_id, {
      OBJECT_DETECTION: 'detector',
      MULTIMODEL_IMAGE_ENCODING: 'siglip2',
    });
    await api.waitFor(body.dataset_id, 'READY');
  });
});

it('an enrichment that kill -9 interrupts resumes and has the same result', async () => {
  const data = await temporaryFolder();
  // Model results of the first images are saved, those of the next images are not.
  const doomed = await serve(data, killedBefore(/"models_applied:IMAGES","20"/));
  noteFault();
  await importTinyModels(doomed.api, ['clip', 'detector']);
  const folder = await temporaryFolder();
  await writeImages(folder, [...Array(KILLED_IMAGES).keys()]);
  const source = await doomed.api.createFromFolder('many', folder, { encoder: 'none' });
  await doomed.api.waitFor(source, 'READY');
  const both = { OBJECT_DETECTION: 'detector', IMAGE_TAGGING: 'clip-tags' };
  const cut = (await enrich(doomed.api, source, both)).body.dataset_id;
  expect((await doomed.server.ended).code).toBeNull();

  const { api } = await openData(data);
  const resumed = await api.waitFor(cut, 'READY');
  const whole = (await enrich(api, source, both)).body.dataset_id;
  expect(await api.waitFor(whole, 'READY')).toMatchObject({ n_objects: resumed.n_objects, n_images: KILLED_IMAGES });
  expect(resumed.n_objects).toBeGreaterThan(0);
  const statsOf = async (id: string) => ({ ...(await api.get(`/dataset/${id}/stats`)).body, dataset_id: undefined });
  expect(await statsOf(cut)).toEqual(await statsOf(whole));
});

describe('imported embeddings', () => {
  it('become the space of a copy, by file name; items without one are reported', async () => {
    const { api } = await openData(await temporaryFolder());
    const folder = await temporaryFolder();
    await writeImages(folder, [1, 2, 3, 4, 5]);
    const id = await api.createFromFolder('images', folder);
    await api.waitFor(id, 'READY');
    // Images 1 and 3 have one direction, 2 and 4 another. Image 5 has no embedding.
    const embeddings = join(await temporaryFolder(), 'mine.parquet');
    await writeEmbeddings(embeddings, [
      ['image-00001.jpg', [1, 0, 0]],
      ['image-00002.jpg', [0, 2, 0]],
      ['image-00003.jpg', [0.99, 0.1, 0]],
      ['image-00004.jpg', [0.1, 0.99, 0]],
      ['somewhere-else.jpg', [0, 0, 1]],
    ]);
    const { body: imported, text } = await api.call<{ imported: { models: { id: string; type: string }[] }[] }>(
      'POST',
      '/models/import',
      json({ path: embeddings }),
    );
    const [model] = imported.imported?.[0]?.models ?? [];
    expect(model?.type, text).toBe('MULTIMODEL_IMAGE_ENCODING');
    const { body } = await enrich(api, id, { MULTIMODEL_IMAGE_ENCODING: model?.id ?? '' });
    const copy = body.dataset_id;
    await api.waitFor(copy, 'READY');
    const { body: failures } = await api.get(`/enrichment/${copy}/failures`);
    expect(failures).toMatchObject({ total: 1, failures: [{ file_path: 'image-00005.jpg' }] });
    const all = await explore(api, copy, { threshold: '4' });
    const of = (name: string) =>
      all.clusters.flatMap(({ previews }) => previews).find(({ file_name }) => file_name === name)?.media_id ?? '';
    const like = await explore(api, copy, {
      anchor_media_id: of('image-00001.jpg'),
      anchor_type: 'MEDIA',
      threshold: '0',
    });
    const order = like.clusters.flatMap(({ previews }) => previews).map(({ file_name }) => file_name);
    expect(order.slice(0, 3)).toEqual(['image-00001.jpg', 'image-00003.jpg', 'image-00004.jpg']);
    const more = new FormData();
    more.append('files', new Blob([new Uint8Array(await image(9))]), 'more.jpg');
    const refused = await api.call('POST', `/dataset/${copy}/add_media`, { body: more });
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toContain('no embedding_config');
  });

  it('can be applied by a retry after the cause of the failure is repaired', async () => {
    const data = await temporaryFolder();
    const { api } = await openData(data);
    const folder = await temporaryFolder();
    await writeImages(folder, [1, 2]);
    const source = await api.createFromFolder('images', folder);
    await api.waitFor(source, 'READY');
    const embeddings = join(await temporaryFolder(), 'mine.parquet');
    await writeEmbeddings(embeddings, [
      ['image-00001.jpg', [1, 0, 0]],
      ['image-00002.jpg', [0, 1, 0]],
    ]);
    const importModels = () =>
      api.call<{ imported: { models: { id: string }[] }[] }>('POST', '/models/import', json({ path: embeddings }));
    const { body: imported } = await importModels();
    const modelId = imported.imported[0]?.models[0]?.id ?? '';
    const kept = (await readdir(join(data, 'models'), { recursive: true })).find((name) => name.endsWith('.parquet'));
    await truncate(join(data, 'models', kept ?? ''), 40);
    const { body } = await enrich(api, source, { MULTIMODEL_IMAGE_ENCODING: modelId });
    const copy = body.dataset_id;
    expect((await api.waitFor(copy, 'ERROR')).fatal_error_msg).toContain('Parquet');
    expect(await api.waitFor(source, 'READY')).toMatchObject({ status: 'READY' });
    const { body: list } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${copy}`);
    const retry = () => api.post<Task>(`/tasks/${list.tasks[0]?.task_id}/retry`);
    expect((await importModels()).status).toBe(200);
    const retried = await retry();
    expect(retried.body, retried.text).toMatchObject({ status: 'INITIALIZING', error_message: null });
    expect(await api.waitFor(copy, 'READY')).toMatchObject({ n_images: 2, fatal_error_msg: null });
    expect(await api.waitFor(source, 'READY')).toMatchObject({ status: 'READY' });
    expect((await retry()).status).toBe(400);
  });
});

/** Writes a Parquet file with the columns `filename` and `vector`, a list of floats. */
async function writeEmbeddings(file: string, rows: [name: string, vector: number[]][]): Promise<void> {
  const bytes = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 2 },
      { name: 'filename', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'vector', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'FLOAT', repetition_type: 'OPTIONAL' },
    ],
    columnData: [
      { name: 'filename', data: rows.map(([name]) => name) },
      { name: 'vector', data: rows.map(([, vector]) => vector) },
    ],
  });
  await writeFile(file, new Uint8Array(bytes));
}
