import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { QueryImageAnchor, QueryImageDetails } from '../../src-main/contract/schemas/query-image.ts';
import { type Api, form, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';
import { tinyPng } from '../support/tiny-png.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const SEEDS = [0, 1, 2, 3, 4, 5];
const nameOf = (seed: number) => `image-${String(seed).padStart(5, '0')}.jpg`;

let api: Api;
let data: string;
let folder: string;
let id: string;
let meant: string;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  data = await temporaryFolder(atEnd);
  await writeImages(folder, SEEDS);
  const boxes = SEEDS.map((seed) => `${nameOf(seed)},40,60,120,90,${seed % 2 === 0 ? 'even' : 'odd'}`);
  await writeFile(
    join(folder, 'object_annotations.csv'),
    `filename,col_x,row_y,width,height,label\n${boxes.join('\n')}\n`,
  );
  ({ api } = await openData(data, { finished: atEnd }));
  await importTinyModels(api, ['clip'], atEnd);
  id = await api.createFromFolder('Looks', folder, { encoder: 'none' });
  meant = await api.createFromFolder('Meaning', folder, { encoder: 'clip' });
  await api.waitFor(id, 'READY');
  await api.waitFor(meant, 'READY');
});

async function upload(bytes: Uint8Array, query: Record<string, string> = {}, of = id) {
  const body = new FormData();
  body.append('file', new Blob([Uint8Array.from(bytes)]), 'query.jpg');
  const parameters = new URLSearchParams({ entity_type: 'IMAGES', ...query });
  return api.call<QueryImageAnchor & { detail?: string }>(
    'POST',
    `/dataset/${of}/search-image-similarity?${parameters}`,
    {
      body,
    },
  );
}

async function explore(parameters: Record<string, string>, of = id) {
  const query = new URLSearchParams({ entity_type: 'IMAGES', threshold: '0', ...parameters });
  const answer = await api.get<ExploreResult & { detail?: string }>(`/explore/${of}?${query}`);
  const clusters = answer.status === 200 ? answer.body.clusters : [];
  return { ...answer, clusters, found: clusters.flatMap(({ previews }) => previews) };
}

const anchored = ({ anchor_media_id, anchor_type }: QueryImageAnchor) => ({ anchor_media_id, anchor_type });
const similar = (value: string, threshold: number) => ({
  vql: JSON.stringify([{ similarity: { op: 'upload', value, threshold } }]),
});
const fileOf = (seed: number) => readFile(join(folder, nameOf(seed)));

describe('a query image', () => {
  it.each([
    ['by looks', () => id],
    ['by meaning', () => meant],
  ])('finds itself first, with distance 0, then similar items: %s', async (_space, datasetOf) => {
    const { status, body } = await upload(await fileOf(2), { threshold: '0' }, datasetOf());
    expect(status).toBe(200);
    expect(body.anchor_type).toBe('UPLOAD');
    expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now());
    const { found, clusters } = await explore(anchored(body), datasetOf());
    expect(found[0]).toMatchObject({
      file_name: nameOf(2),
      relevance_score: 0,
      relevance_score_type: 'cosine_distance',
    });
    expect(found.map(({ file_name }) => file_name).sort()).toEqual(SEEDS.map(nameOf));
    const scores = clusters.map(({ relevance_score }) => relevance_score ?? -1);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });

  it('is near the image that it was made from', async () => {
    const { body } = await upload(await image(4, 200, 150));
    const { found } = await explore(anchored(body));
    expect(found[0]?.file_name).toBe(nameOf(4));
    expect(found[0]?.relevance_score).toBeLessThan(0.05);
  });

  it('filters by the maximum distance, and combines with other filters', async () => {
    const { body } = await upload(await fileOf(3));
    expect((await explore(similar(body.anchor_media_id, 0))).found.map(({ file_name }) => file_name)).toEqual([
      nameOf(3),
    ]);
    const odd = { vql: JSON.stringify([{ labels: { op: 'is', value: ['odd'] } }]) };
    const { found } = await explore({ ...anchored(body), ...odd });
    expect(found.map(({ file_name }) => file_name).sort()).toEqual([1, 3, 5].map(nameOf));
    expect(found[0]?.file_name).toBe(nameOf(3));
  });

  it.each([
    ['fractions', '{"x":0.125,"y":0.25,"width":0.375,"height":0.375}'],
    ['pixels', '40,60,120,90'],
  ])('is compared by a region: %s', async (_form, boundingBox) => {
    const { body } = await upload(await fileOf(1), { entity_type: 'OBJECTS', bounding_box: boundingBox });
    const { found } = await explore({ ...anchored(body), entity_type: 'OBJECTS' });
    const { body: shown } = await api.get<QueryImageDetails>(`/dataset/${id}/query-image/${body.anchor_media_id}`);
    expect(found[0]).toMatchObject({ type: 'OBJECT', file_name: nameOf(1) });
    expect(found[0]?.relevance_score).toBeLessThan(1e-4);
    expect(shown).toMatchObject({
      file_name: 'query.jpg',
      width: 320,
      height: 240,
      bounding_box: { x: 40, y: 60, width: 120, height: 90 },
    });
    expect(shown.thumbnail).toMatch(/^data:image\/webp;base64,\w/);
  });

  it.each([
    'x',
    '[]',
    '1,2,3',
    '1,2,0,4',
    '{"x":0,"y":0,"width":0,"height":1}',
    '{"x":-0.1,"y":0,"width":1,"height":1}',
    '{"x":0,"y":0,"width":1.5,"height":1}',
    '{"x":"0","y":0,"width":1,"height":1}',
    '1000,1000,10,10',
  ])('refuses the region %s', async (boundingBox) => {
    const { status, body } = await upload(await fileOf(1), { bounding_box: boundingBox });
    expect(status).toBe(422);
    expect(body.detail).toContain('bounding_box');
  });

  it.each([
    ['nothing', Buffer.alloc(0), 400, 'empty'],
    ['a text', Buffer.from('hello'), 400, 'not an image'],
    ['a video', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2mdat', 'latin1'), 400, 'MP4'],
    ['an image cut short', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), 400, 'damaged'],
    ['an image of too many pixels', pngOf(60_000, 60_000), 413, 'pixels'],
  ])('refuses %s and leaves nothing behind', async (_what, bytes, expected, reason) => {
    const { status, body } = await upload(bytes);
    expect([status, body.detail]).toEqual([expected, expect.stringContaining(reason)]);
    expect(body.detail).not.toContain('/');
    await until(async () => (await readdir(join(data, 'temporary'))).length === 0);
  });

  it('is sent once, as `file`', async () => {
    const path = `/dataset/${id}/search-image-similarity?entity_type=IMAGES`;
    expect((await api.post(path)).status).toBe(422);
    const named = await api.call<{ detail: string }>('POST', path, { body: fileForm('files') });
    expect(named.status).toBe(422);
    expect(named.body.detail).toContain('use "file"');
    expect((await api.call('POST', path, { body: fileForm('file', 'file') })).status).toBe(400);
    expect((await api.call('POST', path, { body: form({ file: '/etc/passwd' }) })).status).toBe(422);
  });

  it('belongs to its dataset only', async () => {
    const { body } = await upload(await fileOf(0));
    expect((await explore(anchored(body), meant)).status).toBe(404);
    expect((await explore({ anchor_media_id: UNKNOWN, anchor_type: 'UPLOAD' })).body.detail).toContain(
      'upload it again',
    );
    expect((await explore({ anchor_media_id: body.anchor_media_id, anchor_type: 'MEDIA' })).status).toBe(404);
    expect((await api.get(`/dataset/${meant}/query-image/${body.anchor_media_id}`)).status).toBe(404);
    expect((await upload(await fileOf(0), {}, UNKNOWN)).status).toBe(404);
  });

  it('needs a dataset that is READY', async () => {
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=draft');
    expect((await upload(await fileOf(0), {}, draft.dataset_id)).status).toBe(409);
  });

  it('leaves no file on the disk', async () => {
    await api.atRest();
    // A folder can disappear while its parent is listed.
    const list = () => until(() => readdir(data, { recursive: true }).catch(() => undefined), Array.isArray);
    const before = (await list()) ?? [];
    await upload(await fileOf(0));
    // The folder of the draft above may be created at any time, so it is ignored.
    const isOfUpload = (path: string) =>
      !before.includes(path) && (!path.startsWith('datasets') || path.startsWith(join('datasets', id)));
    const left = async () => ((await list()) ?? []).filter(isOfUpload);
    await until(left, (paths) => paths.length === 0);
  });
});

describe('an anchor of the dataset', () => {
  it('is an image, or an object, for images and objects alike', async () => {
    const { found } = await explore({});
    const imageId = found.find(({ file_name }) => file_name === nameOf(5))?.media_id ?? '';
    const { body: details } = await api.get<Image>(`/dataset/${id}/image/${imageId}`);
    const objectId = details.objects[0]?.object_id ?? '';
    for (const [anchorMediaId, entityType] of [
      [imageId, 'IMAGES'],
      [objectId, 'OBJECTS'],
    ] as const) {
      const own = await explore({ anchor_media_id: anchorMediaId, anchor_type: 'MEDIA', entity_type: entityType });
      expect(own.found[0]).toMatchObject({ media_id: anchorMediaId, relevance_score: 0 });
      const other = entityType === 'IMAGES' ? 'OBJECTS' : 'IMAGES';
      const across = await explore({ anchor_media_id: anchorMediaId, anchor_type: 'MEDIA', entity_type: other });
      expect(across.found).toHaveLength(SEEDS.length);
    }
  });

  it('is a region of an image', async () => {
    const { found } = await explore({});
    const mediaId = found.find(({ file_name }) => file_name === nameOf(3))?.media_id ?? '';
    const ask = (of: object) =>
      api.call<QueryImageAnchor>(
        'POST',
        `/dataset/${id}/search-region`,
        json({ media_id: mediaId, entity_type: 'OBJECTS', bounding_box: '40,60,120,90', ...of }),
      );
    const { status, body } = await ask({});
    expect(status).toBe(200);
    const objects = await explore({ ...anchored(body), entity_type: 'OBJECTS' });
    expect(objects.found[0]?.file_name).toBe(nameOf(3));
    expect(objects.found[0]?.relevance_score).toBeLessThan(1e-4);
    expect((await ask({ media_id: UNKNOWN })).status).toBe(404);
    expect((await ask({ bounding_box: '999,0,5,5' })).status).toBe(422);
  });
});

/** Returns a PNG whose header states a size that does not match its data. */
function pngOf(width: number, height: number): Buffer {
  const png = tinyPng(1);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

function fileForm(...fields: string[]): FormData {
  const body = new FormData();
  for (const field of fields) body.append(field, new Blob(['x']), 'x.jpg');
  return body;
}
