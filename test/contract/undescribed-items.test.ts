import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExploreResult, exploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { EncoderList } from '../../src-main/contract/schemas/model.ts';
import { type Api, json } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { TINY_RUNNER, tinyEncoder } from '../support/tiny-encoder.ts';

/** The encoder of these tests returns a vector of zeros for black images. */
const LEVELS = [0, 1, 2, 3, 4];
const BLACK = ['black.png', 'blacker.png'];

let api: Api;
let encoder: string;
let folder: string;

beforeAll(async () => {
  const models = await temporaryFolder(atEnd);
  await mkdir(join(models, 'tiny'));
  await writeFile(join(models, 'tiny', 'model.onnx'), tinyEncoder());
  const described = { type: 'MULTIMODEL_IMAGE_ENCODING', name: 'Tiny', runner: TINY_RUNNER };
  await writeFile(join(models, 'tiny', 'vitrine.json'), JSON.stringify(described));
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
  const { body } = await api.call('POST', '/models/import', json({ path: models }));
  expect(body.refused).toEqual([]);
  encoder = (await api.get<EncoderList>('/encoders')).body.default_encoder ?? '';
  expect(encoder).toBe('tiny');

  folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3]);
  for (const [at, name] of BLACK.entries()) {
    const side = 64 + at;
    await sharp({ create: { width: side, height: side, channels: 3, background: 'black' } }).toFile(join(folder, name));
  }
  // Two boxes on an image whose left half is black.
  const half = { create: { width: 80, height: 120, channels: 3 as const, background: 'black' } };
  const left = await sharp(half).png().toBuffer();
  await sharp(await image(4, 160, 120))
    .composite([{ input: left, left: 0, top: 0 }])
    .png()
    .toFile(join(folder, 'half.png'));
  await writeFile(
    join(folder, 'object_annotations.csv'),
    'filename,col_x,row_y,width,height,label\nhalf.png,4,4,64,64,dark\nhalf.png,90,20,64,64,light\nimage-00001.jpg,4,4,64,64,light\n',
  );
});

describe.each([
  ['from the beginning', (name: string) => create(name, encoder)],
  [
    'added in place',
    async (name: string) => {
      const id = await create(name, 'none');
      const { status } = await api.call('POST', `/dataset/${id}/meaning`, json({ encoder }));
      expect(status).toBe(200);
      await api.waitFor(id, 'READY');
      return id;
    },
  ],
])('semantic embeddings that some items lack, %s', (how, make) => {
  let id: string;
  beforeAll(async () => {
    id = await make(how);
  });

  it('groups no item without one, and shows all', async () => {
    for (const level of LEVELS) {
      const { clusters } = await explore(id, { threshold: String(level) });
      expect(clusters.reduce((sum, { n_images }) => sum + (n_images ?? 0), 0)).toBe(6);
      for (const name of BLACK) {
        expect(clusters.find(({ previews }) => previews[0]?.file_name === name)).toMatchObject({ n_images: 1 });
      }
    }
  });

  it('finds such an item only by appearance', async () => {
    expect(await namesLike(id, 'image-00001.jpg')).toHaveLength(4);
    expect(await namesLike(id, 'image-00001.jpg')).not.toEqual(expect.arrayContaining(BLACK));
    const like = await namesLike(id, 'black.png');
    expect(like.slice(0, 2).toSorted()).toEqual(BLACK);
    expect(like).toHaveLength(6);
  });

  it('leaves out objects without one as well', async () => {
    const { clusters } = await explore(id, { entity_type: 'OBJECTS', threshold: '0' });
    const objects = clusters.flatMap(({ previews }) => previews);
    const labelOf = ({ labels }: (typeof objects)[number]) => JSON.stringify(labels);
    const light = objects.find((one) => labelOf(one).includes('light'));
    const near = await explore(id, {
      entity_type: 'OBJECTS',
      threshold: '0',
      anchor_media_id: light?.media_id ?? '',
      anchor_type: 'MEDIA',
    });
    expect(objects).toHaveLength(3);
    const found = near.clusters.flatMap(({ previews }) => previews);
    expect(found).toHaveLength(2);
    expect(found.some((one) => labelOf(one).includes('dark'))).toBe(false);
  });

  it('reports the items and the reasons', async () => {
    const { body } = await api.get<{ failures: { file_path: string; model_id: string; reason: string }[] }>(
      `/enrichment/${id}/failures`,
    );
    const names = body.failures.map(({ file_path }) => file_path.slice(file_path.lastIndexOf('/') + 1));
    expect(names.toSorted()).toEqual([...BLACK, 'half.png'].toSorted());
    for (const { model_id, reason } of body.failures) {
      expect(model_id).toBe(encoder);
      expect(reason).toContain('unusable vector');
    }
  });

  it('keeps this when the dataset is clustered again with more items', async () => {
    const more = new FormData();
    more.append('files', new Blob([new Uint8Array(await image(9))]), 'more.jpg');
    more.append('auto_reindex', 'true');
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body: more })).status).toBe(202);
    await api.waitFor(id, 'READY');
    expect(await namesLike(id, 'more.jpg')).toHaveLength(5);
    const { clusters } = await explore(id, { threshold: '4' });
    expect(clusters.reduce((sum, { n_images }) => sum + (n_images ?? 0), 0)).toBe(7);
  });
});

async function create(name: string, chosen: string): Promise<string> {
  const id = await api.createFromFolder(name, folder, { encoder: chosen });
  await api.waitFor(id, 'READY');
  return id;
}

async function explore(id: string, query: Record<string, string>): Promise<ExploreResult> {
  const { status, body, text } = await api.get<ExploreResult>(`/explore/${id}?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return exploreResult.parse(body);
}

/** Returns file names, the nearest first. */
async function namesLike(id: string, name: string): Promise<string[]> {
  const items = (await explore(id, { threshold: '0' })).clusters.flatMap(({ previews }) => previews);
  const anchor = items.find(({ file_name }) => file_name === name)?.media_id ?? '';
  const found = await explore(id, { threshold: '0', anchor_media_id: anchor, anchor_type: 'MEDIA' });
  return found.clusters.flatMap(({ previews }) => previews).map(({ file_name }) => file_name);
}
