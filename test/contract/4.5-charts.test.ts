import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Agreement, LabelGroups, Scatter } from '../../src-main/contract/schemas/charts.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

/** Width of each image. All are 200 pixels high. */
const WIDTHS = [300, 300, 400, 500];
const BOX = [20, 20, 100, 100];
/** A box that overlaps the other by more than half. */
const NEAR = [25, 25, 100, 100];
const FAR = [150, 100, 60, 60];
const [CAT, DOG] = [1, 2];

let api: Api;
let dataset: string;

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  for (const [at, width] of WIDTHS.entries()) await writeFile(join(folder, `${at}.png`), await image(at, width, 200));
  const box = (imageId: number, categoryId: number) => ({
    id: imageId,
    image_id: imageId,
    category_id: categoryId,
    bbox: BOX,
  });
  const guess = (imageId: number, categoryId: number, score: number, bbox = NEAR) => ({
    image_id: imageId,
    category_id: categoryId,
    score,
    bbox,
  });
  const annotations = {
    images: WIDTHS.map((width, id) => ({ id, file_name: `${id}.png`, width, height: 200 })),
    categories: [
      { id: CAT, name: 'cat' },
      { id: DOG, name: 'dog' },
    ],
    annotations: [box(0, CAT), box(1, CAT), box(2, DOG), box(3, DOG)],
  };
  const predictions = [guess(0, CAT, 0.9), guess(1, DOG, 0.8), guess(3, DOG, 0.4), guess(3, CAT, 0.6, FAR)];
  await writeFile(join(folder, 'annotations.json'), JSON.stringify(annotations));
  await writeFile(join(folder, 'predictions.json'), JSON.stringify(predictions));
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
  dataset = await api.createFromFolder('charts', folder);
  await api.waitFor(dataset, 'READY');
}, 120_000);

async function chart<T>(name: string, query = ''): Promise<T> {
  const { status, body } = await api.get<T>(`/explore/${dataset}/charts/${name}?${query}`);
  expect(status).toBe(200);
  return body;
}

async function names(...filters: object[]): Promise<string[]> {
  const vql = encodeURIComponent(JSON.stringify(filters));
  const { body } = await api.get<ItemPage>(`/explore/${dataset}/items?sort_by=name&vql=${vql}`);
  return body.items.map(({ file_name }) => file_name);
}

describe('annotations against predictions', () => {
  it('are counted in pairs of classes, and a pair is a filter', async () => {
    const found = await chart<Agreement>('agreement');
    expect(found).toMatchObject({ compared: 'objects', n_annotated: 4, n_predicted: 4, confidence_min: 0.5 });
    expect(found.classes.toSorted()).toEqual(['cat', 'dog']);
    const counts = Object.fromEntries(found.pairs.map((pair) => [`${pair.annotated} ${pair.predicted}`, pair.count]));
    expect(counts).toEqual({ 'cat cat': 1, 'cat dog': 1, 'dog null': 2, 'null cat': 1 });
    for (const [annotated, predicted, expected] of [
      ['cat', 'dog', ['1.png']],
      ['dog', null, ['2.png', '3.png']],
      [null, 'cat', ['3.png']],
      ['cat', 'bird', []],
    ] as const)
      expect(await names({ agreement: { annotated, predicted } })).toEqual(expected);
    expect(await names({ agreement: { annotated: 'dog', predicted: 'dog', confidence_min: 0.3 } })).toEqual(['3.png']);
  });

  it('have precision and recall by class and confidence', async () => {
    const { overall, curves } = await chart<Agreement>('agreement');
    const at = (curve: Agreement['overall'], confidence: number) =>
      curve.find((one) => Math.abs(one.confidence - confidence) < 1e-9);
    expect(at(overall, 0.3)).toMatchObject({ precision: 2 / 4, recall: 2 / 4 });
    expect(at(overall, 0.5)).toMatchObject({ precision: 1 / 3, recall: 1 / 4 });
    expect(at(overall, 0.95)).toMatchObject({ precision: null, recall: 0 });
    const cat = curves.find(({ name }) => name === 'cat');
    expect(cat?.n_annotated).toBe(2);
    expect(at(cat?.curve ?? [], 0.5)).toMatchObject({ precision: 1 / 2, recall: 1 / 2 });
  });

  it('list confidences that are filters', async () => {
    const { confidences } = await chart<Agreement>('agreement');
    expect(confidences.filter(({ count }) => count > 0).map(({ from }) => from)).toEqual([0.4, 0.6, 0.8, 0.9]);
    expect(await names({ confidence: { op: 'range', from: 0.55, to: 0.85 } })).toEqual(['1.png', '3.png']);
  });

  it('count only matching items, and nothing for labels that nobody predicted', async () => {
    const labels = encodeURIComponent('["dog"]');
    expect((await chart<Agreement>('agreement', `labels=${labels}`)).n_annotated).toBe(3);
    expect(await chart<Agreement>('agreement', 'compared=labels')).toMatchObject({ n_predicted: 0, classes: [] });
  });
});

describe('other charts', () => {
  it('count items by two numbers, with bounds that are filters', async () => {
    const found = await chart<Scatter>('scatter', 'x=width&y=height');
    expect(found).toMatchObject({ n_items: 4, x: { from: 300, to: 500, is_time: false }, y: { from: 200, to: 200 } });
    expect(found.cells.map(({ x_from, x_to, count }) => [x_from, x_to, count])).toEqual([
      [300, 300, 2],
      [400, 400, 1],
      [500, 500, 1],
    ]);
    expect((await api.get(`/explore/${dataset}/charts/scatter?x=width&y=colour`)).status).toBe(422);
    expect((await api.get(`/explore/${dataset}/charts/scatter?x=width&y=field:none`)).status).toBe(422);
  });

  it('count labels by group', async () => {
    const found = await chart<LabelGroups>('label_groups', 'by=folder');
    expect(found.labels.map(({ name }) => name).toSorted()).toEqual(['cat', 'dog']);
    expect((await api.get(`/explore/${dataset}/charts/label_groups?by=field`)).status).toBe(400);
  });
});
