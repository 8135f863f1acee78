import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import { type Api, json } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { findModels } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

const models = findModels();
let api: Api;
let id: string;
let plain: string;
let meant: string;
/** Captions, and an encoder that finds images by text. */
let both: string;

/** Label, caption and box of each image. */
const TEXTS = [
  ['harbour', 'Two dogs were running along the quay', 'dog'],
  ['harbour', 'A red boat', 'boat'],
  ['meadow', 'A dog sleeps in the grass', 'dog'],
  ['meadow', 'A dog, a dog and another dog', 'cow'],
] as const;
const nameOf = (seed: number) => `image-${String(seed).padStart(5, '0')}.jpg`;

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [...TEXTS.keys()]);
  const rows = (row: (entry: (typeof TEXTS)[number], name: string) => string) =>
    TEXTS.map((entry, seed) => row(entry, nameOf(seed))).join('\n');
  await writeFile(
    join(folder, 'image_annotations.csv'),
    `filename,label,caption\n${rows(([label, caption], name) => `${name},${label},"${caption}"`)}\n`,
  );
  await writeFile(
    join(folder, 'object_annotations.csv'),
    `filename,col_x,row_y,width,height,label\n${rows(([, , box], name) => `${name},10,10,50,50,${box}`)}\n`,
  );
  const bare = await temporaryFolder(atEnd);
  await writeImages(bare, [1, 2]);
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
  await importTinyModels(api, ['clip'], atEnd);
  id = await api.createFromFolder('Said', folder, { encoder: 'none' });
  plain = await api.createFromFolder('Plain', bare, { encoder: 'none' });
  meant = await api.createFromFolder('Meant', bare, { encoder: 'clip' });
  both = await api.createFromFolder('Both', folder, { encoder: 'clip' });
  await api.waitFor(meant, 'READY');
  await api.waitFor(both, 'READY');
  await api.waitFor(id, 'READY');
  await api.waitFor(plain, 'READY');
});

async function explore(parameters: Record<string, string>, of = id) {
  const query = new URLSearchParams({ entity_type: 'IMAGES', threshold: '0', ...parameters });
  const answer = await api.get<ExploreResult & { detail?: string }>(`/explore/${of}?${query}`);
  const previews = answer.status === 200 ? answer.body.clusters.flatMap((cluster) => cluster.previews) : [];
  return { ...answer, names: previews.map(({ file_name }) => file_name), previews };
}
const vql = (...filters: object[]) => ({ vql: JSON.stringify(filters) });
const fts = (value: string) => ({ text: { op: 'fts', value } });
const seeds = (...of: number[]) => of.map(nameOf);

it.each([
  ['run dog', [0]],
  ['harbour', [0, 1]],
  ['harbour -dog', [1]],
  ['boat OR cow', [1, 3]],
  ['"red boat"', [1]],
  ['"boat red"', []],
  ['(grass OR quay) dog', [0, 2]],
  ['sleeping', [2]],
  [nameOf(2), [2]],
  ['00003', [3]],
  ['zebra', []],
  ['-dog', [1]],
])('full text %s finds images by all their texts', async (text, found) => {
  const { names, previews } = await explore(vql(fts(text)));
  expect(names.toSorted()).toEqual(seeds(...found));
  for (const { relevance_score, relevance_score_type } of previews) {
    expect(relevance_score).toBeGreaterThanOrEqual(0);
    expect(relevance_score_type).toBe('text_rank');
  }
});

it('ranks by how often the words occur, and combines with other filters', async () => {
  const { names, body } = await explore(vql(fts('dog')));
  expect(names).toHaveLength(3);
  // A match in label and caption scores higher than a match in the caption alone.
  expect(names.at(-1)).toBe(nameOf(3));
  const scores = body.clusters.map(({ relevance_score }) => relevance_score ?? -1);
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
  const inMeadow = { labels: { op: 'is', value: ['meadow'] } };
  expect((await explore(vql(fts('dog'), inMeadow))).names.toSorted()).toEqual(seeds(2, 3));
  expect((await explore(vql(fts('dog'), fts('run')))).names).toEqual(seeds(0));
  const [first] = (await explore(vql(fts('dog')))).previews;
  const near = { similarity: { op: 'media', value: first?.media_id } };
  const ranked = await explore(vql(fts('dog'), near));
  expect(ranked.names.toSorted()).toEqual(names.toSorted());
  expect(ranked.previews[0]).toMatchObject({ relevance_score: 0, relevance_score_type: 'cosine_distance' });
});

it('finds items by their ids, and objects by their labels and images', async () => {
  const [first] = (await explore(vql(fts('quay')))).previews;
  expect((await explore(vql(fts(first?.media_id ?? '')))).names).toEqual(seeds(0));
  const { previews } = await explore({ entity_type: 'OBJECTS', ...vql(fts(`dog ${nameOf(2)}`)) });
  expect(previews).toMatchObject([{ type: 'OBJECT', file_name: nameOf(2), labels: ['dog'] }]);
});

it('finds items by the beginning of what is their own in their ids, not of what all ids of a dataset begin with', async () => {
  const [first, ...others] = (await explore({})).previews;
  const id = first?.media_id ?? '';
  const found = async (text: string) => (await explore(vql(fts(`${text}*`)))).names;
  const all = (await explore({})).names.toSorted();
  expect(others.length).toBeGreaterThan(1);
  // A file name may begin with a single digit.
  for (const short of [3, 8, 12]) expect(await found(id.slice(0, short)), `${short} digits`).toEqual([]);
  for (const whole of [id.slice(0, 13), id.slice(0, 13).replace('-', '')])
    expect((await found(whole)).toSorted()).toEqual(all);
  for (const own of [
    id.slice(14, 25),
    id.slice(14, 23).toUpperCase(),
    id.slice(14, 23).replace('-', ''),
    id.slice(0, 25),
  ])
    expect(await found(own), own).toEqual([first?.file_name]);
  const { previews } = await explore({ entity_type: 'OBJECTS' });
  const [object] = previews;
  const objectsFound = await explore({ entity_type: 'OBJECTS', ...vql(fts(`${object?.media_id.slice(14, 25)}*`)) });
  expect(objectsFound.previews.map(({ media_id }) => media_id)).toEqual([object?.media_id]);
});

it('finds captions by words when no encoder is installed', async () => {
  for (const parameters of [
    { caption: 'a dog running' },
    { image_caption: 'a dog running' },
    { caption: 'a dog running', textual_similarity_threshold: '0.5' },
    vql({ text: { op: 'semantic', value: 'dog runs', threshold: 0.3 } }),
    vql({ text: { op: 'semantic', value: 'dogs' } }, { text: { op: 'semantic', value: 'a quay' } }),
  ]) {
    const { names, previews } = await explore(parameters);
    expect(names).toEqual(seeds(0));
    expect(previews[0]?.relevance_score_type).toBe('text_rank');
    expect(previews[0]?.relevance_score).toBeLessThanOrEqual(0.4);
  }
  expect((await explore({ caption: 'harbour' })).names).toEqual([]);
  expect((await api.get(`/user_config?dataset_id=${id}`)).body).toMatchObject({
    features: [{ feature_options: { labels_search: true, captions_search: true, semantic_search: true } }],
  });
});

it('ranks captions by words even if an encoder finds images by text', async () => {
  const { names, previews } = await explore({ caption: 'a dog running' }, both);
  expect(names).toEqual(seeds(0));
  expect(previews[0]?.relevance_score_type).toBe('text_rank');
  // Other texts are compared with the images.
  const meaning = await explore(vql({ text: { op: 'semantic', value: 'dog' } }), both);
  expect(meaning.names).toHaveLength(TEXTS.length);
});

it('ranks captions by words and by meaning with an encoder of captions', needs(models), async () => {
  const { root } = models as { root: string };
  const imported = await api.call('POST', '/models/import', json({ path: join(root, 'standin-text') }));
  expect(imported.body).toMatchObject({ imported: [{ package_id: 'standin-text' }], refused: [] });
  const enriched = await api.call<{ dataset_id: string }>(
    'POST',
    `/dataset/${id}/enrich_dataset`,
    json({ enrichment_models: { CAPTION_ENCODING: 'standin-text' } }),
  );
  const encoded = enriched.body.dataset_id;
  await api.waitFor(encoded, 'READY');

  const byWords = await explore({ caption: 'red boat' }, encoded);
  expect(byWords.names).toHaveLength(TEXTS.length);
  expect(byWords.names[0]).toBe(nameOf(1));
  expect(byWords.previews[0]).toMatchObject({ relevance_score_type: 'cosine_distance' });
  // No caption has the word.
  const byMeaning = await explore({ caption: 'ship' }, encoded);
  expect(byMeaning.names[0]).toBe(nameOf(1));

  for (const found of [byWords, byMeaning]) {
    const scores = found.previews.map(({ relevance_score }) => relevance_score ?? -1);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    const limit = ((scores[0] ?? 0) + (scores[1] ?? 0)) / 2;
    const caption = found === byWords ? 'red boat' : 'ship';
    const near = await explore({ caption, textual_similarity_threshold: String(limit) }, encoded);
    expect(near.names).toEqual(found.names.slice(0, 1));
  }
});

it('keeps the matches within the distance threshold, by words alone and with other scores', async () => {
  const { previews } = await explore(vql(fts('dog')));
  const least = 1 - (previews[0]?.relevance_score ?? 0) - 0.001;
  const strong = { text: { op: 'fts', value: 'dog', threshold: least } };
  const alone = await explore(vql(strong));
  expect(alone.names.length).toBeLessThan(previews.length);
  expect(alone.names).toContain(previews[0]?.file_name);
  const near = { similarity: { op: 'media', value: previews.at(-1)?.media_id } };
  expect((await explore(vql(strong, near))).names.toSorted()).toEqual(alone.names.toSorted());
});

it('explains what is needed when the dataset has no captions either', async () => {
  for (const parameters of [{ caption: 'a dog' }, vql({ text: { op: 'semantic', value: 'a dog' } })]) {
    const { status, body } = await explore(parameters, plain);
    expect(status).toBe(400);
    expect(body.detail).toContain('MULTIMODEL_IMAGE_ENCODING');
  }
  expect((await explore(vql(fts('image-00001')), plain)).names).toEqual(seeds(1));
});

it('compares with several texts at once, and reports the distance at which noise begins', async () => {
  const meaning = (value: string) => ({ text: { op: 'semantic', value } });
  const [dog, street] = [await explore(vql(meaning('dog')), meant), await explore(vql(meaning('street')), meant)];
  const both = await explore(vql(meaning('dog'), meaning('street')), meant);
  const scoreOf = (found: typeof dog, name: string) =>
    found.previews.find(({ file_name }) => file_name === name)?.relevance_score ?? -1;
  for (const name of seeds(1, 2)) {
    expect(scoreOf(both, name)).toBeCloseTo(Math.max(scoreOf(dog, name), scoreOf(street, name)), 5);
  }
  const { cut_off } = dog.body.metadata;
  expect(cut_off?.total_items).toBeLessThanOrEqual(2);
  const within = await explore({ ...vql(meaning('dog')), within_cut_off: 'true' }, meant);
  expect(within.names).toEqual(dog.names.slice(0, cut_off?.total_items));
  const words = await explore({ ...vql(fts('image')), within_cut_off: 'true' }, meant);
  expect(words.body.metadata).toMatchObject({ cut_off: null, total_items: 2 });
  expect((await explore({}, meant)).body.metadata.cut_off).toBeNull();
});

it('answers or refuses any text', async () => {
  const piece = fc.oneof(
    fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
    fc.constantFrom(
      '(',
      ')',
      '"',
      '-',
      '+',
      ' AND ',
      ' OR ',
      ' NOT ',
      ' NEAR(',
      '*',
      '^',
      '{label}:',
      '\0',
      "'",
      'dog',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 10 }), async (pieces) => {
      expect([200, 422]).toContain((await explore(vql(fts(pieces.join(''))))).status);
    }),
    { numRuns: 60 },
  );
  expect((await explore(vql(fts(`${'(dog OR (cat '.repeat(40)}x`)))).status).toBe(422);
  expect((await explore(vql(fts('dog '.repeat(200))))).status).toBe(422);
});
