import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { type ExploreResult, exploreResult } from '../../../src-main/contract/schemas/explore.ts';
import type { EnrichmentContext } from '../../../src-main/contract/schemas/model.ts';
import { type Api, json } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { checkFolder } from '../../support/kills/check-folder.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';
import { importTinyModels } from '../../support/tiny-models/import-tiny-models.ts';

/** Number of images and of boxes per image. Both items and objects exceed one model batch. */
const IMAGES = 20;
const BOXES_EACH = 4;
const ANCHORS = { IMAGES: 'image-00007.jpg', OBJECTS: 'box-7-1' } as const;

/** A data folder of a stopped server, with an encoder and a dataset without one. */
let sound: string;
let folder: string;
let plain: string;
/** Query results of a dataset with a semantic space that was never interrupted. */
let whole: Answers;

type Answers = Record<keyof typeof ANCHORS, Map<string, number>>;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  await writeImages(
    folder,
    Array.from({ length: IMAGES }, (_, seed) => seed),
  );
  const rows = Array.from({ length: IMAGES * BOXES_EACH }, (_, at) => {
    const [of, nth] = [Math.floor(at / BOXES_EACH), at % BOXES_EACH];
    return `image-${String(of).padStart(5, '0')}.jpg,${10 + nth * 75},20,70,160,box-${of}-${nth}`;
  });
  await writeFile(
    join(folder, 'object_annotations.csv'),
    `filename,col_x,row_y,width,height,label\n${rows.join('\n')}\n`,
  );
  sound = await temporaryFolder(atEnd);
  const { api, close } = await openData(sound, { finished: atEnd });
  await importTinyModels(api, ['clip'], atEnd);
  plain = await api.createFromFolder('plain', folder, { encoder: 'none' });
  await api.waitFor(plain, 'READY');
  const withMeaning = await api.createFromFolder('whole', folder, { encoder: 'clip' });
  await api.waitFor(withMeaning, 'READY');
  whole = await answersOf(api, withMeaning);
  await api.call('DELETE', `/dataset/${withMeaning}`);
  await api.atRest();
  await close();
});

/** Kills a server in the middle of a task, and opens its data again. */
async function killed(
  fits: RegExp,
  nth: number,
  begin: (api: Api) => Promise<unknown>,
): Promise<{ api: Api; data: string }> {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  const first = await serve(data, killedBefore(fits, nth));
  noteFault();
  // The response may be lost with the server.
  await begin(first.api).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  expect((await first.server.ended).code).toBeNull();
  return { api: (await openData(data)).api, data };
}

async function expectWhole(api: Api, data: string, id: string): Promise<void> {
  expect(await api.waitFor(id, 'READY')).toMatchObject({
    n_images: IMAGES,
    n_objects: IMAGES * BOXES_EACH,
    n_file_errors: 0,
    fatal_error_msg: null,
  });
  const { body } = await api.get<EnrichmentContext>(`/enrichment/${id}/context`);
  expect(body.dataset_enrichment_models.enrichment_models.MULTIMODEL_IMAGE_ENCODING).toBe('clip');
  expect(await answersOf(api, id)).toEqual(whole);
  expect((await api.get(`/explore/${id}?caption=a%20dog`)).status).toBe(200);
  await api.atRest();
  await checkFolder(data);
  expect((await api.get('/recovery')).body).toEqual({ events: [], n_new: 0 });
}

describe('a kill while semantic embeddings are added in place', () => {
  it.each([
    ['before it is begun', /"added_meaning"/, 1],
    ['among the items', /"meaning_applied:IMAGES","16"/, 1],
    ['between items and objects', /"meaning_applied:OBJECTS"/, 1],
    ['among the objects', /"meaning_applied:OBJECTS"/, 2],
    ['when every vector is there', /"meaning_applied:IMAGES","20"/, 2],
    ['before the index of items is published', /"index:meaning:IMAGES"/, 1],
    ['between the indexes of items and of objects', /"index:meaning:OBJECTS"/, 1],
    ['before the space is the dataset’s', /"vector_space:meaning:IMAGES"/, 1],
    [
      'at the switch, when the space is there and the catalog does not know',
      /UPDATE task SET status[\s\S]*"COMPLETED"/,
      1,
    ],
  ])('%s', async (_when, fits, nth) => {
    const { api, data } = await killed(fits, nth, (first) => first.call('POST', `/dataset/${plain}/meaning`, json({})));
    expect((await api.get(`/explore/${plain}?threshold=0`)).status).toBe(200);
    await expectWhole(api, data, plain);
  });
});

describe('a kill while a dataset with both embeddings is created', () => {
  it.each([
    ['when vectors of both are written, and their rows are not', /INSERT INTO item_text /, 2],
    ['among the objects that are described', /INSERT INTO object_text /, 2],
    ['between the indexes of the two', /"index:meaning:IMAGES"/, 1],
    ['at the switch', /UPDATE task SET status[\s\S]*"COMPLETED"/, 1],
  ])('%s', async (_when, fits, nth) => {
    const { api, data } = await killed(fits, nth, (first) =>
      first.createFromFolder('killed', folder, { encoder: 'clip' }),
    );
    const { body } = await api.get<Dataset[]>('/datasets');
    const made = body.find(({ display_name }) => display_name === 'killed');
    await expectWhole(api, data, made?.id ?? '');
  });
});

/** Returns the distances of everything from one item and from one object, by file name and by label. */
async function answersOf(api: Api, id: string): Promise<Answers> {
  const explore = async (query: Record<string, string>) => {
    const expected = new URLSearchParams({ threshold: '0', ...query });
    const { status, body, text } = await api.get<ExploreResult>(`/explore/${id}?${expected}`);
    expect(status, text).toBe(200);
    return exploreResult.parse(body).clusters.flatMap(({ previews }) => previews);
  };
  const distances = async (entityType: keyof typeof ANCHORS) => {
    const nameOf = ({ file_name, labels }: ExploreResult['clusters'][number]['previews'][number]) =>
      entityType === 'IMAGES' ? file_name : JSON.stringify(labels);
    const shown = await explore({ entity_type: entityType });
    const anchor = shown.find((item) => nameOf(item).includes(ANCHORS[entityType]));
    const query = { entity_type: entityType, anchor_type: 'MEDIA', anchor_media_id: anchor?.media_id ?? '' };
    const near = await explore(query);
    return new Map(near.map((item) => [nameOf(item), item.relevance_score ?? Number.NaN] as const).toSorted());
  };
  return { IMAGES: await distances('IMAGES'), OBJECTS: await distances('OBJECTS') };
}
