import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { type Api, json } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

/** Labels of each image, by index. The last two have none. */
const LABELS = [['meadow'], ['meadow'], ['meadow', 'harbour'], ['harbour'], ['quay, old'], ['meadow'], [], []] as const;
/** Images that contain one object of each label. */
const OBJECTS = { badge: [0, 1, 2], spot: [3, 4] } as const;

const fileOf = (seed: number) => `image-${String(seed).padStart(5, '0')}.jpg`;

async function writeAnnotated(folder: string): Promise<void> {
  await writeImages(folder, [...LABELS.keys()]);
  const labels = LABELS.flatMap((names, seed) => names.map((name) => `${fileOf(seed)},"${name}"`));
  await writeFile(join(folder, 'image_annotations.csv'), ['filename,label', ...labels, ''].join('\n'));
  const objects = Object.entries(OBJECTS).flatMap(([label, seeds]) =>
    seeds.map((seed) => `${fileOf(seed)},${20 + 10 * seed},30,90,80,${label}`),
  );
  const head = 'filename,col_x,row_y,width,height,label';
  await writeFile(join(folder, 'object_annotations.csv'), [head, ...objects, ''].join('\n'));
}

describe('searching in the browser', needs(browserMissing()), () => {
  let app: App;
  let api: Api;
  let page: Page;
  let complaints: string[];
  let plain: string;
  let enriched: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeAnnotated(folder);
    app = await startApp({ viewport: { width: 1440, height: 900 } });
    ({ api } = app);
    await importTinyModels(api, ['clip'], atEnd);
    plain = await api.createFromFolder('Blobs', folder, { encoder: 'none' });
    await api.waitFor(plain, 'READY');
    const started = await api.call<{ dataset_id: string }>(
      'POST',
      `/dataset/${plain}/enrich_dataset`,
      json({ enrichment_models: { MULTIMODEL_IMAGE_ENCODING: 'clip' } }),
    );
    enriched = started.body.dataset_id;
    await api.waitFor(enriched, 'READY');
    await api.waitFor(plain, 'READY');
  });

  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
  });
  afterEach(() => page.close());

  const open = (datasetId: string, address = '') => page.goto(`${app.baseUrl}/#/dataset/${datasetId}${address}`);
  const words = () => page.getByTestId('search-words');
  const label = (name: string) => page.getByTestId('label-row').filter({ hasText: name });
  const query = () => new URLSearchParams(page.url().split('?')[1] ?? '');

  it('finds names and labels without any model, and explains what semantic search needs', async () => {
    await open(plain);
    await page.getByTestId('clusters-grid').waitFor();
    await page.getByTestId('search-hint').waitFor({ state: 'attached' });
    await page.keyboard.press('/');
    await page.getByTestId('search-hint').waitFor();
    await expect.poll(() => words().evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('search-hint').waitFor({ state: 'hidden' });
    for (const [text, found] of [
      [fileOf(3), '1 image,'],
      ['harbours -meadow', '1 image,'],
      ['badge', '3 images,'],
    ] as const) {
      await words().fill(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByTestId('found').textContent()).toContain(found);
    }
    await expect.poll(() => query().get('in')).toBe('words');
    expect(await violations(page)).toEqual([]);
    await words().fill('zebra');
    await page.keyboard.press('Enter');
    await page.getByTestId('explore-empty').waitFor();

    // A link to a semantic search offers alternatives where that is not available.
    await open(plain, '?text=a+boat');
    await page.getByTestId('search-refused').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('search-refused').getByRole('button', { name: 'Choose models' }).click();
    await page.getByTestId('enrich-page').waitFor();
  });

  it('finds by text, best match first, and goes back step by step', async () => {
    await open(enriched);
    await page.getByTestId('clusters-grid').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('a boat');
    await page.keyboard.press('Enter');
    // Clear matches are shown first. An encoder with random weights finds none.
    await page.getByTestId('search-beyond').click();
    await page.getByTestId('found-tile').first().waitFor();
    await expect.poll(() => query().get('text')).toBe('a boat');
    await expect.poll(() => page.getByTestId('text-chip').textContent()).toContain('“a boat”');
    await expect.poll(() => page.getByTestId('found-tile').count()).toBe(LABELS.length);
    const strengths = await page
      .getByTestId('strength')
      .evaluateAll((marks) => marks.map((mark) => mark.dataset.strength));
    const order = ['strong', 'partial', 'loose'];
    expect(strengths).toEqual(strengths.toSorted((a, b) => order.indexOf(a ?? '') - order.indexOf(b ?? '')));
    expect(await violations(page)).toEqual([]);

    // Its neighbours on the item page are the results, in order.
    await page.getByTestId('found-tile').nth(2).click();
    await page.getByTestId('item-page').waitFor();
    await page.getByText(`3 of ${LABELS.length}`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('found-grid').waitFor();

    // The chip edits the text. Find similar on a result is a new search without the text.
    await page.getByTestId('text-chip').getByRole('button', { name: 'Edit search' }).click();
    await page.keyboard.type('a hill');
    await page.keyboard.press('Enter');
    await expect.poll(() => query().get('text')).toBe('a hill');
    await page.getByTestId('found-tile').first().waitFor();
    await page.getByTestId('found-tile').first().hover();
    await page.getByTestId('find-similar').first().click();
    await page.getByTestId('similar-grid').waitFor();
    await expect.poll(() => query().get('text')).toBeNull();
    await expect.poll(() => words().inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => words().inputValue()).toBe('a hill');
    await page.goBack();
    await expect.poll(() => words().inputValue()).toBe('a boat');
    await expect.poll(() => query().get('beyond')).toBe('true');
    await page.reload();
    await page.getByTestId('found-tile').first().waitFor();
    await expect.poll(() => words().inputValue()).toBe('a boat');
    await page.keyboard.press('Escape');
    await page.getByTestId('clusters-grid').waitFor();
    await expect.poll(() => query().get('text')).toBeNull();
    expect(complaints).toEqual([]);
  });

  it('filters by labels in every mode', async () => {
    await open(enriched, '?threshold=0');
    await page.getByTestId('label-filter').click();
    await label('meadow').waitFor();
    await expect
      .poll(() => page.getByTestId('label-row').allTextContents())
      .toEqual(['Without labels', 'meadow4', 'badge3', 'harbour2', 'spot2', 'quay, old1']);
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('label-find').fill('har');
    await expect.poll(() => page.getByTestId('label-row').count()).toBe(1);
    await page.keyboard.press('Enter');
    const found = page.getByTestId('found');
    await expect.poll(() => found.textContent()).toMatch(/^2 images/);
    await page.getByTestId('label-find').fill('');
    await label('meadow').click();
    await expect.poll(() => found.textContent()).toMatch(/^5 images/);
    await expect.poll(() => query().getAll('label')).toEqual(['harbour', 'meadow']);
    await page.getByTestId('label-mode').getByText('All of').click();
    await expect.poll(() => found.textContent()).toMatch(/^1 image /);
    await page.getByTestId('label-mode').getByText('None of').click();
    await expect.poll(() => found.textContent()).toMatch(/^3 images/);
    await expect.poll(() => page.getByTestId('label-chip').textContent()).toContain('None of harbour, meadow');
    await page.getByTestId('label-popover').getByRole('button', { name: 'Clear' }).click();
    await label('Without labels').click();
    await expect.poll(() => found.textContent()).toMatch(/^2 images/);
    await page.keyboard.press('Escape');
    await page.getByTestId('label-popover').waitFor({ state: 'detached' });
    expect(await violations(page)).toEqual([]);

    // All changes in the popover are one history entry. Esc removes the remaining filter.
    await page.goBack();
    await page.getByTestId('query-row').waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByTestId('label-chip').getByRole('button', { name: 'Edit label filter' }).click();
    await page.getByTestId('label-popover').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('label-popover').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByTestId('query-row').waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toContain(enriched);
    expect(complaints).toEqual([]);
  });

  it('combines a search with a label, explains an empty result, and clears both at once', async () => {
    await open(enriched, '?text=a+boat&beyond=true&label=harbour&label=quay%2C+old&labels=all');
    await page.getByTestId('explore-empty').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Match any label instead' }).click();
    await expect.poll(() => page.getByTestId('found-tile').count()).toBe(3);
    await page.getByTestId('found-tile').first().hover();
    await page.getByTestId('find-similar').first().click();
    await page.getByTestId('anchor-chip').waitFor();
    await expect.poll(() => page.getByTestId('similar-tile').count()).toBe(3);
    await expect.poll(() => query().getAll('label')).toEqual(['harbour', 'quay, old']);
    await page.getByTestId('clear-query').click();
    await page.getByTestId('query-row').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('keeps the text for objects, but drops labels that objects do not have', async () => {
    await open(enriched, '?text=a+boat&beyond=true&label=meadow');
    await page.getByTestId('found-tile').first().waitFor();
    await page.getByTestId('view-switch').getByText('Objects').click();
    const kinds = async () => [...new Set(await page.getByTestId('tile-label').allTextContents())].toSorted();
    await expect.poll(kinds).toEqual(['badge', 'spot']);
    await expect.poll(() => query().get('text')).toBe('a boat');
    await expect.poll(() => query().getAll('label')).toEqual([]);
    await page.getByTestId('label-filter').click();
    await label('badge').click();
    await expect.poll(kinds).toEqual(['badge']);
    await expect.poll(() => page.getByTestId('label-row').allTextContents()).toEqual(['badge3', 'spot2']);
    await expect.poll(() => page.getByTestId('label-mode').textContent()).not.toContain('All of');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('completes a query as text, marks its errors, and keeps it as a recent query', async () => {
    await open(plain);
    await page.getByTestId('query-text').click();
    const text = page.getByTestId('query-vql');
    const suggested = page.getByTestId('query-suggestion');
    await suggested.filter({ hasText: 'labels' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type('lab');
    await expect.poll(() => suggested.count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => text.inputValue()).toBe('[{"labels":{"op":"is","value":[""]}}]');
    await page.keyboard.type('mea');
    await expect.poll(() => suggested.allTextContents()).toEqual(['meadow4']);
    // Esc closes the suggestions but not the query.
    await page.keyboard.press('Escape');
    await suggested.first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Space');
    await suggested.first().click();
    await expect.poll(() => text.inputValue()).toBe('[{"labels":{"op":"is","value":["meadow"]}}]');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.getByTestId('found').textContent()).toMatch(/^4 images/);
    await expect.poll(() => page.getByTestId('filter-count').textContent()).toBe('4');

    await page.getByTestId('query-text').click();
    await text.fill('[{"labels":{"op":"is","value":["meadow"]}},{"width":{"op":"range","from":"wide"}}]');
    const fault = page.getByTestId('query-fault');
    await expect.poll(() => fault.textContent()).toContain('vql[1].width.from');
    await expect.poll(() => page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await fault.click();
    await expect
      .poll(() =>
        text.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd)),
      )
      .toBe('"wide"');
    expect(await violations(page)).toEqual([]);
    await text.fill('[{"labels":{"op":"is","value":["harbour"]}}]');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => page.getByTestId('found').textContent()).toMatch(/^2 images/);

    await page.reload();
    await page.getByTestId('query-text').click();
    await page.getByTestId('recent-query').filter({ hasText: 'labels meadow' }).click();
    await expect.poll(() => page.getByTestId('found').textContent()).toMatch(/^4 images/);
    expect(complaints).toEqual([]);
  });

  it('names the invalid part of a query in an address', async () => {
    const vql = [{ labels: { op: 'is', value: ['meadow'] } }, { width: { op: 'above', from: 3 } }];
    for (const layout of ['', '&flat=name', '&map=cluster']) {
      await open(plain, `?vql=${encodeURIComponent(JSON.stringify(vql))}${layout}`);
      await page.getByTestId('search-refused').waitFor();
      await expect.poll(() => page.locator('[data-faulty="true"]').count()).toBe(1);
      await expect.poll(() => page.locator('[data-faulty="true"]').textContent()).toContain('Width');
      expect(await violations(page)).toEqual([]);
    }
    await page.getByTestId('drop-filter').nth(1).click();
    await page.getByTestId('search-refused').waitFor({ state: 'detached' });
  });

  it('links from a label of an image to all images with it', async () => {
    await open(plain, '?threshold=0&label=quay%2C+old');
    await page.getByTestId('cluster-tile').first().click();
    await page.getByTestId('item-label').click();
    await expect.poll(() => query().getAll('label')).toEqual(['quay, old']);
    await expect.poll(() => page.getByTestId('found').textContent()).toMatch(/^1 image /);
    expect(complaints).toEqual([]);
  });
});
