import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import {
  type MapItems,
  type MapView,
  MUTED_COLOURS,
  NO_COLOUR,
  PLACE_STEPS,
} from '../../src-main/contract/schemas/map.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { scene } from '../support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const IMAGES = 24;
const DOGS = 8;

let api: Api;
let dataset: string;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
  dataset = await api.createFromFolder('map', await photos(IMAGES));
  await api.waitFor(dataset, 'READY');
  await mapped(api, dataset, IMAGES);
}, 120_000);

async function photos(count: number): Promise<string> {
  const folder = await temporaryFolder(atEnd);
  for (const [at, part] of ['dogs', 'other'].entries()) {
    await mkdir(join(folder, part));
    const [from, to] = at === 0 ? [0, DOGS] : [DOGS, count];
    for (let seed = from; seed < to; seed += 1) {
      await writeFile(join(folder, part, `${seed}.png`), await scene(seed + 1));
    }
  }
  const rows = Array.from({ length: DOGS }, (_, seed) => `dogs/${seed}.png,dog`);
  await writeFile(join(folder, 'image_annotations.csv'), ['filename,label', ...rows].join('\n'));
  return folder;
}

/** Waits until `count` items are on the map. */
function mapped(of: Api, id: string, count: number): Promise<MapView> {
  return until(
    async () => (await of.get<MapView>(`/explore/${id}/map`)).body,
    ({ placed_items, waiting_items }) => placed_items === count && waiting_items === 0,
  );
}

function vql(...filters: object[]): string {
  return `vql=${encodeURIComponent(JSON.stringify(filters))}`;
}

async function map(query = ''): Promise<MapView> {
  const { status, body } = await api.get<MapView>(`/explore/${dataset}/map?${query}`);
  expect(status).toBe(200);
  return body;
}

async function places(query = ''): Promise<MapItems> {
  return (await api.get<MapItems>(`/explore/${dataset}/map/items?limit=500&${query}`)).body;
}

function shorts(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16LE(at * 2));
}

function numbers(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4));
}

describe('the map', () => {
  it('has a position for every item, the same as in the list of its items', async () => {
    const shown = await map();
    const { items, total } = await places();
    expect(total).toBe(IMAGES);
    expect(shown).toMatchObject({ marks: 'points', n_marks: IMAGES, matching_items: IMAGES });
    const [xs, ys] = [shorts(shown.x), shorts(shown.y)];
    const asSteps = (x: number, y: number) => `${Math.round(x * PLACE_STEPS)} ${Math.round(y * PLACE_STEPS)}`;
    expect(xs.map((x, at) => `${x} ${ys[at]}`).sort()).toEqual(
      items.map(({ map_x, map_y }) => asSteps(map_x, map_y)).sort(),
    );
    expect(numbers(shown.counts)).toEqual(Array(IMAGES).fill(1));
  });

  it('also draws items that a filter does not match, and marks whether each matches', async () => {
    const shown = await map(`labels=${encodeURIComponent('["dog"]')}`);
    expect(shown).toMatchObject({ n_marks: IMAGES, matching_items: DOGS, placed_items: IMAGES });
    expect(numbers(shown.matching).filter((fits) => fits === 1)).toHaveLength(DOGS);
    expect((await places(`labels=${encodeURIComponent('["dog"]')}`)).total).toBe(DOGS);
  });

  it.each(['cluster', 'label', 'tag', 'folder', 'issue', 'media_type', 'quality', 'uniqueness', 'width', 'created'])(
    'has a legend by %s that counts its colours',
    async (colour) => {
      const shown = await map(`colour=${colour}&threshold=4`);
      const colours = [...Buffer.from(shown.colours, 'base64')];
      for (const [at, { count }] of shown.legend.entries()) {
        // An item with several labels or issues has the colour of the rarest one.
        expect(colours.filter((one) => one === at).length).toBeLessThanOrEqual(count);
      }
      expect(colours.every((one) => one === NO_COLOUR || one >= MUTED_COLOURS || one < shown.legend.length)).toBe(true);
      if (colour === 'label') expect(shown.legend).toMatchObject([{ value: 'dog', name: null, count: DOGS }]);
      if (colour === 'media_type') expect(shown.legend).toMatchObject([{ value: 'image', count: IMAGES }]);
      if (colour === 'quality') expect(shown.legend.map(({ value }) => value)).toEqual(['1', '2', '3', '4', '5']);
    },
  );

  it('returns a part of itself', async () => {
    const { items } = await places();
    const [one] = items;
    const side = 0.02;
    const window = `x=${(one?.map_x ?? 0) - side / 2}&y=${(one?.map_y ?? 0) - side / 2}&side=${side}`;
    const part = await map(window);
    expect(part.n_marks).toBeGreaterThan(0);
    expect(part.n_marks).toBeLessThan(IMAGES);
    expect((await places(window)).items[0]?.media_id).toBe(one?.media_id);
    expect((await map('x=5&y=5&side=1')).n_marks).toBe(0);
  });

  it('has areas that filter every result, as VQL', async () => {
    const { items } = await places();
    const { map_id } = await map();
    const isInside = ({ map_x, map_y }: { map_x: number; map_y: number }) => map_x + map_y < 1;
    const triangle = {
      map: {
        map_id,
        value: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      },
    };
    const expected = items.filter(isInside).map(({ media_id }) => media_id);
    expect(expected.length).toBeGreaterThan(0);
    const { body } = await api.get<ItemPage>(`/explore/${dataset}/items?page_size=500&${vql(triangle)}`);
    expect(body.items.map(({ media_id }) => media_id).sort()).toEqual(expected.sort());
    const both = await api.get(`/explore/${dataset}/facets?${vql(triangle, { labels: { op: 'is', value: ['dog'] } })}`);
    expect(both.body).toMatchObject({
      total: items.filter((item) => isInside(item) && item.labels?.includes('dog')).length,
    });
    const edited = await api.call(
      'POST',
      `/dataset/${dataset}/edit_labels`,
      json({
        media_selection: [{ type: 'query', payload: { vql: JSON.stringify([triangle]) } }],
        add: ['near'],
      }),
    );
    expect(edited.status).toBe(200);
    const near = await api.get<ItemPage>(`/explore/${dataset}/items?labels=${encodeURIComponent('["near"]')}`);
    expect(near.body.total).toBe(expected.length);
  });

  it('has clusters that filter every result, as VQL', async () => {
    const { legend } = await map('colour=cluster&threshold=4');
    for (const { value, count } of legend) {
      const { body } = await api.get<ItemPage>(`/explore/${dataset}/items?${vql({ clusters: { value } })}`);
      expect(body.total).toBe(count);
    }
    const unknown = vql({ clusters: { value: '11111111-1111-4111-8111-111111111111' } });
    expect((await api.get<ItemPage>(`/explore/${dataset}/items?${unknown}`)).body.total).toBe(0);
  });

  it.each([
    ['a colour that there is not', 'colour=mood'],
    ['a window of no size', 'side=0'],
    ['a window far away', 'x=1e9'],
    ['a place that is none', 'y=NaN'],
    ['videos', 'entity_type=VIDEOS'],
    [
      'an area of two corners',
      vql({
        map: {
          value: [
            [0, 0],
            [1, 1],
          ],
        },
      }),
    ],
    ['an area of words', vql({ map: { value: 'left' } })],
    [
      'corners that are no numbers',
      vql({
        map: {
          value: [
            [0, 0],
            [1, 'x'],
            [1, 1],
          ],
        },
      }),
    ],
    ['a cluster that is no id', vql({ clusters: { value: 'x' } })],
  ])('refuses %s', async (_what, query) => {
    expect((await api.get(`/explore/${dataset}/map?${query}`)).status).toBe(422);
    if (!query.startsWith('colour')) {
      expect((await api.get(`/explore/${dataset}/map/items?${query}`)).status).toBe(422);
    }
  });

  it('refuses areas that were drawn on another map', async () => {
    const area = {
      map: {
        map_id: 'looks-99',
        value: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      },
    };
    expect(await api.get(`/explore/${dataset}/map?${vql(area)}`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('computed again') },
    });
  });

  it('is also computed on request', async () => {
    const { status, body } = await api.post<{ task_id: string }>(`/dataset/${dataset}/lay_out_map`);
    expect(status).toBe(202);
    const { tasks } = await until(
      async () => (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}&task_type=PROJECTION`)).body,
      (found) => found.tasks.every(({ status: of }) => of === 'COMPLETED'),
    );
    expect(tasks.find(({ task_id }) => task_id === body.task_id)?.status_message).toBe(
      'No new items to place on the map',
    );
    const nowhere = '11111111-1111-4111-8111-111111111111';
    expect((await api.post(`/dataset/${nowhere}/lay_out_map`)).status).toBe(404);
  });
});

it('keeps the positions of items when others are added, and places new items near similar ones', async () => {
  const id = await api.createFromFolder('growing', await photos(IMAGES));
  await api.waitFor(id, 'READY');
  const before = await mapped(api, id, IMAGES);
  const folder = await temporaryFolder(onTestFinished);
  for (let seed = 0; seed < 3; seed += 1) await writeFile(join(folder, `n${seed}.png`), await scene(100 + seed));
  await api.post(`/dataset/${id}/add_media`, { s3_uri: folder, auto_reindex: 'true' });
  const after = await mapped(api, id, IMAGES + 3);
  expect(after.map_id).toBe(before.map_id);
  expect(shorts(after.x)).toEqual(expect.arrayContaining(shorts(before.x)));
});
