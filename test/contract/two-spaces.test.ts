import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExploreResult, exploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { picture, writePictures } from '../support/pictures.ts';
import { type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeTinyModel } from '../support/tiny-models/generate.ts';

/** Uniqueness of an item whose nearest neighbour is the same picture, edited, and whose others are random ones. */
const HAS_A_TWIN = 0.45;

let server: Server;
let api: Api;
let pictures: string;
let source: string;

beforeAll(async () => {
  const models = await temporaryFolder(atEnd);
  writeTinyModel(models, 'clip');
  server = await startServer(await temporaryFolder(atEnd));
  api = new Api(server.baseUrl);
  const imported = await api.call('POST', '/models/import', json({ path: models }));
  expect(imported.body.refused).toEqual([]);
  pictures = await temporaryFolder(atEnd);
  await writePictures(pictures, [1, 2, 3, 4]);
  await sharp(join(pictures, 'picture-00001.jpg')).resize(160).toFile(join(pictures, 'smaller.jpg'));
  source = await api.createFromFolder('pictures', pictures);
  await api.waitFor(source, 'READY');
});
afterAll(() => server.stop());

it('a copy with an encoder keeps what is known of looks, and so does what is added to it', async () => {
  const uniqueBefore = await uniquenessOf(source);
  expect(uniqueBefore.get('smaller.jpg')).toBeLessThan(HAS_A_TWIN);
  expect(uniqueBefore.get('picture-00003.jpg')).toBeGreaterThan(HAS_A_TWIN);

  const { body } = await api.call<{ dataset_id: string }>(
    'POST',
    `/dataset/${source}/enrich_dataset`,
    json({ enrichment_models: { MULTIMODEL_IMAGE_ENCODING: 'clip' } }),
  );
  const copy = body.dataset_id;
  await api.waitFor(copy, 'READY');
  expect(await uniquenessOf(copy)).toEqual(uniqueBefore);
  // Clusters and similarity are of the encoder: its distances are not those of looks.
  expect(await distancesFrom('picture-00001.jpg', copy)).not.toEqual(await distancesFrom('picture-00001.jpg', source));

  const more = new FormData();
  more.append('files', new Blob([new Uint8Array(await turnedUpInBrightness('picture-00003.jpg'))]), 'brighter.jpg');
  more.append('files', new Blob([new Uint8Array(await picture(9))]), 'other.jpg');
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

function json(body: unknown): RequestInit {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function turnedUpInBrightness(name: string): Promise<Buffer> {
  return sharp(await readFile(join(pictures, name)))
    .modulate({ brightness: 1.05 })
    .jpeg()
    .toBuffer();
}

async function itemsOf(id: string, query: Record<string, string>) {
  const { status, body, text } = await api.get<ExploreResult>(`/explore/${id}?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return exploreResult.parse(body).clusters.flatMap(({ previews }) => previews);
}

/** By file name. */
async function uniquenessOf(id: string): Promise<Map<string, number | null>> {
  const items = await itemsOf(id, { threshold: '0' });
  const details = await Promise.all(
    items.map(async ({ media_id }) => (await api.get<Image>(`/dataset/${id}/image/${media_id}`)).body),
  );
  return new Map(details.map(({ file_name, uniqueness_score }) => [file_name, uniqueness_score] as const).sort());
}

/** By file name. */
async function distancesFrom(name: string, id: string): Promise<Map<string, number>> {
  const anchor = (await itemsOf(id, { threshold: '0' })).find(({ file_name }) => file_name === name);
  const near = await itemsOf(id, { threshold: '0', anchor_media_id: anchor?.media_id ?? '', anchor_type: 'MEDIA' });
  return new Map(
    near.map(({ file_name, relevance_score }) => [file_name, relevance_score ?? Number.NaN] as const).sort(),
  );
}
