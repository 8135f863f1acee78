import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { openFacets } from '../support/open-facets.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { tinyPng } from '../support/tiny-png.ts';

describe('issues in the browser', needs(browserMissing()), () => {
  let app: App;
  let id: string;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    const [blurred = ''] = await writeImages(folder, [1], 'blurred');
    await copyFile(blurred, join(folder, 'same.jpg'));
    for (const seed of [2, 3, 4]) await writeFile(join(folder, `sound-${seed}.png`), tinyPng(seed, 64));
    await writeFile(join(folder, 'dark.png'), await sharp(tinyPng(5, 64)).linear(0.1, 0).png().toBuffer());
    app = await startApp();
    const { api } = app;
    id = await api.createFromFolder('Mixed', folder, { encoder: 'none' });
    await api.waitFor(id, 'READY');
  });
  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${id}?flat=name`);
    await page.getByTestId('items-grid').waitFor();
    await openFacets(page);
  });
  afterEach(() => page.close());

  const facet = (name: string) => page.getByTestId('facet-issues').filter({ hasText: name });
  const nItems = (count: number) => expect.poll(() => page.getByTestId('item-tile').count()).toBe(count);

  it('are counted in the facets, and filter the list', async () => {
    await facet('Blurred').getByText('2').waitFor();
    await facet('Dark').click();
    await nItems(1);
    const chip = page.getByTestId('issue-chip');
    await expect.poll(() => chip.innerText()).toBe('Dark');
    expect(await violations(page)).toEqual([]);
    await chip.click();
    await page.getByTestId('issue-mode').getByText('Without issue').click();
    await nItems(5);
    await expect.poll(() => chip.innerText()).toBe('not Dark');
    await page.getByTestId('issue-mode').getByText('With issue', { exact: true }).click();
    await page.getByTestId('issue-sureness').getByRole('slider').press('End');
    await expect.poll(() => chip.innerText()).toBe('Dark from 95%');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('drop-filter').click();
    await nItems(6);
    expect(complaints).toEqual([]);
  });

  it('are shown on an item page, and link to all items with the same issue', async () => {
    await facet('Duplicates').click();
    await nItems(2);
    await page.getByTestId('item-tile').first().click();
    const issues = page.getByTestId('item-issues');
    await issues.getByRole('link', { name: 'Blurred' }).waitFor();
    await expect.poll(() => issues.innerText()).toContain('100%');
    expect(await violations(page)).toEqual([]);
    await issues.getByRole('link', { name: 'Blurred' }).click();
    await expect.poll(() => page.getByTestId('issue-chip').innerText()).toBe('Blurred');
    expect(complaints).toEqual([]);
  });
});
