import { beforeAll, expect, it } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

let api: Api;

beforeAll(async () => {
  ({ api } = await startTestApi({ finished: atEnd }));
});

const arrivals = (dataset: string, query = '') => api.get<ItemPage>(`/explore/${dataset}/arrivals?${query}`);

it('lists items in the order of their arrival, page by page', async () => {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3, 4, 5]);
  const dataset = await api.createFromFolder('arriving', folder);
  await api.waitFor(dataset, 'READY');
  const { body: all } = await arrivals(dataset);
  expect(all.total).toBe(5);
  const names = all.items.map(({ file_name }) => file_name);
  expect(names).toEqual([...names].sort());
  const { body: page } = await arrivals(dataset, 'page_number=1&page_size=3');
  expect(page.items.map(({ file_name }) => file_name)).toEqual(names.slice(3));
  expect((await arrivals(dataset, 'page_number=9')).body).toMatchObject({ items: [], total: 5 });
  expect((await arrivals(dataset, 'page_size=0')).status).toBe(422);
  expect((await arrivals('00000000-0000-4000-8000-000000000000')).status).toBe(404);
});
