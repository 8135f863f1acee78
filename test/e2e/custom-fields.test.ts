import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { violations } from '../support/accessibility.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { openFacets } from '../support/open-facets.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { tinyPng } from '../support/tiny-png.ts';

describe('custom fields and sharing in the browser', needs(browserMissing()), () => {
  let app: App;
  let id: string;
  let items: ItemPage['items'];
  let files: string;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    files = await temporaryFolder(atEnd);
    for (const seed of [1, 2, 3, 4]) await writeFile(join(folder, `image-${seed}.png`), tinyPng(seed, 64));
    app = await startApp();
    const { api } = app;
    id = await api.createFromFolder('Described', folder, { encoder: 'none' });
    await api.waitFor(id, 'READY');
    ({ items } = (await api.get<ItemPage>(`/explore/${id}/items?sort_by=name&sort_order=asc`)).body);
  });
  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
  });
  afterEach(() => page.close());

  const open = (place: string) => page.goto(`${app.baseUrl}/#/dataset/${id}${place}`);
  const row = (name: string) => page.getByTestId('field-row').filter({ hasText: name });
  const values = async (name: string, of: readonly unknown[]) => {
    const path = join(files, name);
    await writeFile(path, JSON.stringify(of.map((value, at) => ({ media_id: items[at]?.media_id, value }))));
    return path;
  };

  it('are declared and filled, and list skipped rows', async () => {
    await open('/data');
    await page.getByTestId('add-field').click();
    await page.getByTestId('field-submit').click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByTestId('field-name').fill('Weather');
    await page.getByTestId('field-type').selectOption('enum');
    await page.getByTestId('field-options').fill('sun\nrain');
    const dialog = page.getByTestId('add-field-dialog');
    await dialog.getByTestId('values-file').setInputFiles(await values('w.json', ['sun', 'rain', 'hail', 'sun']));
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('field-submit').click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => row('Weather').getAttribute('data-status')).toBe('COMPLETED_WITH_ERRORS');
    await row('Weather').getByText('1 row skipped').click();
    await row('Weather').getByText('Row 3: value is not one of the options').waitFor();

    await page.getByTestId('add-field').click();
    await page.getByTestId('field-name').fill('Weather');
    await page.getByTestId('field-submit').click();
    await dialog.getByText('already exists').waitFor();
    await page.getByTestId('field-name').fill('Score');
    await page.getByTestId('field-type').selectOption('float');
    await page.getByTestId('field-submit').click();
    await dialog.waitFor({ state: 'detached' });
    await row('Score').getByText('No values yet').waitFor();
    await row('Score')
      .getByTestId('values-file')
      .setInputFiles(await values('s.json', [1, 2, 3, 4]));
    await expect.poll(() => row('Score').getAttribute('data-status')).toBe('COMPLETED');
    await page.getByTestId('fields-from-camera').click();
    await page.getByTestId('no-camera-data').waitFor();
    await expect.poll(() => page.getByTestId('field-row').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    expect(complaints.filter((complaint) => !complaint.includes('409 (Conflict)'))).toEqual([]);
  });

  it('filter the list by facets and comparisons, and are shown on an item page', async () => {
    await open('?flat=name');
    await page.getByTestId('items-grid').waitFor();
    const nItems = (count: number) => expect.poll(() => page.getByTestId('item-tile').count()).toBe(count);
    await nItems(4);
    await openFacets(page);
    await page.getByTestId('facet-metadata').filter({ hasText: 'sun' }).click();
    await nItems(2);
    const chips = page.getByTestId('filter-chip');
    await expect.poll(() => chips.first().innerText()).toContain('Weather');
    await page.getByTestId('add-filter').click();
    await page.getByTestId('filter-subject').selectOption('Score');
    await page.getByTestId('field-value').fill('1.5');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('field-apply').click();
    await nItems(1);
    await expect.poll(() => chips.nth(1).innerText()).toContain('> 1.5');
    await open(`/item/${items[3]?.media_id}`);
    await expect.poll(() => page.getByTestId('item-fields').innerText()).toMatch(/Weather\s+sun\s+Score\s+4/);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('sharing is not offered where nobody else has an account', async () => {
    await open('');
    await page.getByTestId('more').click();
    await page.getByTestId('open-data').waitFor();
    expect(await page.getByTestId('open-share').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
