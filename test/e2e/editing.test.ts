import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { violations } from '../support/accessibility.ts';
import { Api, until } from '../support/api.ts';
import { type ServedApp, serveApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { holdChildren } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const N = 16;

describe('selecting and editing in the browser', needs(browserMissing()), () => {
  let app: ServedApp;
  let page: Page;
  let complaints: string[];
  let api: Api;
  let baseUrl: string;
  let dataset: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    const [first] = await writeImages(
      folder,
      Array.from({ length: N - 2 }, (_, seed) => seed),
    );
    if (first === undefined) throw new Error('no image was written');
    for (const name of ['twice.jpg', 'thrice.jpg']) await copyFile(first, join(folder, name));
    app = await serveApp({ viewport: { width: 1400, height: 900 } });
    baseUrl = app.baseUrl;
    api = new Api(baseUrl);
    dataset = await api.createFromFolder('Edited', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');
    ({ page, complaints } = await app.openPage());
    await page.goto(`${baseUrl}/#/dataset/${dataset}?flat=name`);
  });

  const tiles = () => page.getByTestId('item-tile');
  const count = (n: number) =>
    page.waitForFunction((expected) => document.querySelectorAll('[data-testid=item-tile]').length === expected, n);

  it('moves the focus to the grid with the first arrow key', async () => {
    await count(N);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-index'))).toBe('0');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-index'))).toBe('1');
  });

  it('leaves the focus to the field that a key opens right after an arrow key', async () => {
    await count(N);
    await tiles().first().focus();
    // Faster than frames are drawn.
    await page.evaluate(async () => {
      for (const key of ['p', 'ArrowRight', 't']) {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        await Promise.resolve();
      }
      for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('tag-name');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-index'))).toBe('1');
    await page.getByTestId('clear-selection').click();
  });

  it('tags a selection, filters by the tag, excludes the items and undoes that', async () => {
    await count(N);
    await tiles().nth(1).hover();
    await tiles().nth(1).getByTestId('tile-check').click();
    await tiles()
      .nth(3)
      .click({ modifiers: ['Shift'] });
    await expect.poll(() => page.getByTestId('selected').textContent()).toBe('3 selected');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('tag').click();
    await page.getByTestId('tag-name').fill('checked');
    await page.getByTestId('tag-name').press('Enter');
    await page.getByText('Tags of 3 items changed: +checked').waitFor();

    await page.getByTestId('facet-tags').filter({ hasText: 'checked' }).click();
    await page.getByTestId('filter-chip').waitFor();
    await count(3);
    await tiles().first().focus();
    await page.keyboard.press('Control+a');
    await page.getByTestId('exclude').click();
    await page.getByTestId('explore-empty').waitFor();
    await page.getByTestId('undo').click();
    await count(3);

    await tiles().first().focus();
    await page.keyboard.press('p');
    await expect.poll(() => page.getByTestId('selected').textContent()).toBe('1 selected');
    // Esc clears the selection, and does nothing more although it also closes a tooltip.
    await page.getByTestId('clear-selection').hover();
    await page.getByRole('tooltip').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('selected').waitFor({ state: 'detached' });
    await page.reload();
    await count(3);
    await page.getByTestId('drop-filter').click();
    await count(N);
    expect(complaints).toEqual([]);
  });

  it('selects the items inside a drawn frame, also inside a cluster', async () => {
    const across = async (from: number, to: number) => {
      // Positions are read when nothing moves any more.
      for (const nth of [from, to]) await tiles().nth(nth).hover({ trial: true });
      const [a, b] = await Promise.all([tiles().nth(from).boundingBox(), tiles().nth(to).boundingBox()]);
      if (a === null || b === null) throw new Error('the tiles are not on screen');
      await page.keyboard.down('Shift');
      await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
      await page.mouse.down();
      await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 4 });
      await page.getByTestId('lasso').waitFor();
      await page.mouse.up();
      await page.keyboard.up('Shift');
    };
    await across(1, 4);
    await expect.poll(() => page.getByTestId('selected').textContent()).toBe('4 selected');
    await page.keyboard.press('Escape');

    const cluster = await api.get<{ clusters: { cluster_id: string; n_images: number }[] }>(
      `/explore/${dataset}?threshold=4`,
    );
    const [largest] = cluster.body.clusters;
    if (largest === undefined || largest.n_images < 2) throw new Error('nothing is grouped');
    await page.goto(`${baseUrl}/#/dataset/${dataset}/cluster/${largest.cluster_id}`);
    await count(largest.n_images);
    await across(0, 1);
    await expect.poll(() => page.getByTestId('selected').textContent()).toBe('2 selected');
    await page.keyboard.press('Control+a');
    await expect.poll(() => page.getByTestId('selected').textContent()).toBe(`${largest.n_images} selected`);
    await page.getByTestId('clear-selection').click();
    await page.goto(`${baseUrl}/#/dataset/${dataset}?flat=name`);
  });

  it('keeps a selection across items, filters and edits by keyboard alone, and undoes and restores from anywhere', async () => {
    const selected = () => page.getByTestId('selected').textContent();
    const focusedTile = () => page.evaluate(() => document.activeElement?.getAttribute('data-index'));
    await count(N);
    await tiles().first().focus();
    for (const key of ['p', 'Shift+ArrowRight', 'Shift+ArrowRight', 't']) await page.keyboard.press(key);
    await page.keyboard.type('night');
    await page.keyboard.press('Enter');
    await page.getByText('Tags of 3 items changed: +night').waitFor();
    await expect.poll(focusedTile).toBe('2');
    expect(await violations(page)).toEqual([]);

    // The keys apply to the item, not to the selection, also before it is loaded.
    const loaded = Promise.withResolvers<void>();
    await page.route(/label_confidence=/, async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await page.getByTestId('item-page').waitFor();
    await expect.poll(selected).toBe('3 selected');
    await page.locator('[data-testid=select-item][aria-pressed=true]').waitFor();
    await page.keyboard.press('x');
    loaded.resolve();
    await page.locator('[data-testid=exclude-item][aria-pressed=true]').waitFor();
    expect(await violations(page)).toEqual([]);
    // A tooltip below the pointer does not consume the key.
    await page.getByTestId('exclude-item').hover();
    await page.getByRole('tooltip').waitFor();
    await page.keyboard.press('Escape');
    await count(N - 1);
    await page.keyboard.press('Control+z');
    await count(N);
    await expect.poll(selected).toBe('3 selected');
    await page.unroute(/label_confidence=/);

    await tiles().first().focus();
    await page.keyboard.press('x');
    await count(N - 3);
    await expect.poll(focusedTile).toBe('0');
    await page.getByTestId('facet-excluded').press('Enter');
    await count(3);
    await expect.poll(() => page.getByTestId('excluded-strip').textContent()).toContain('3 excluded');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('restore-all').press('Enter');
    await page.getByTestId('explore-empty').waitFor();
    await page.keyboard.press('Shift+Z');
    await page.getByTestId('edit-row').first().waitFor();
    expect(await violations(page)).toEqual([]);
    const ofTags = page.getByTestId('edit-row').filter({ hasText: '+night' }).getByTestId('undo-edit');
    await ofTags.press('Enter');
    await ofTags.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.goto(`${baseUrl}/#/dataset/${dataset}?flat=name`);
    await count(N);
    expect(complaints).toEqual([]);
  });

  it('steps through the list from which an item was opened, and returns to the last viewed item', async () => {
    await page.goto(`${baseUrl}/#/dataset/${dataset}?threshold=0`);
    const grid = page.getByTestId('cluster-tile');
    await page.getByText(`Show ${N - 3} single images`).waitFor();
    await expect.poll(() => grid.count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('singles').click();
    await page.waitForFunction(
      (expected) => document.querySelectorAll('[data-testid=cluster-tile]').length === expected,
      N - 2,
    );
    await grid.first().waitFor();
    const n = await grid.count();
    const at = await grid.evaluateAll((all) =>
      all.findIndex((tile) => tile.querySelector('a')?.href.includes('/item/')),
    );
    expect(at).toBeGreaterThanOrEqual(0);
    await grid.nth(at).click();
    await page.getByText(`${at + 1} of ${n}`).waitFor();
    const step = at + 1 < n ? 1 : -1;
    await page.keyboard.press(step > 0 ? 'ArrowRight' : 'ArrowLeft');
    await page.getByText(`${at + 1 + step} of ${n}`).waitFor();
    await page.keyboard.press('Escape');
    await grid.first().waitFor();
    await page.waitForFunction(
      (seen) => document.activeElement?.getAttribute('data-index') === String(seen),
      at + step,
    );

    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      grid.nth(at).click({ modifiers: ['Control'] }),
    ]);
    await tab.getByTestId('item-page').waitFor();
    await tab.close();
    await expect.poll(() => page.getByTestId('selected').count()).toBe(0);
    await page.goto(`${baseUrl}/#/dataset/${dataset}?flat=name`);
    expect(complaints).toEqual([]);
  });

  it('compares images with synchronised zoom', async () => {
    await count(N);
    for (const nth of [0, 1]) {
      await tiles().nth(nth).focus();
      await page.keyboard.press('p');
    }
    await page.keyboard.press('c');
    await page.getByTestId('compare').waitFor();
    const images = page.getByTestId('compare').locator('section');
    await expect.poll(() => images.count()).toBe(2);
    const scales = () => page.getByTestId('zoom-scale').allTextContents();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-testid=zoom-scale]')].every((scale) => scale.textContent !== ''),
    );
    await page.keyboard.press('1');
    await expect.poll(() => scales()).toEqual(['100%', '100%']);
    const box = await images.nth(1).boundingBox();
    if (box === null) throw new Error('the second image is not on screen');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -600);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-testid=zoom-scale]')].every((scale) => scale.textContent === '739%'),
    );
    await expect.poll(() => page.locator('[data-pixelated=true]').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await count(N);
    await page.getByTestId('clear-selection').click();
  });

  it('edits an item on its page, and undoes that', async () => {
    const names = () => page.getByTestId('item-tag').allTextContents();
    await tiles().first().click();
    await page.getByTestId('item-page').waitFor();
    const tags = page.getByTestId('item-tags');
    await tags.getByTestId('tag').click();
    await page.getByTestId('tag-name').fill('by hand');
    await page.getByTestId('tag-name').press('Enter');
    // Below the page, and in the history of the item.
    await page.getByText('Tags of 1 item changed: +by hand').first().waitFor();
    await expect.poll(() => names()).toContain('by hand');
    const labels = page.getByTestId('item-labels');
    await labels.getByTestId('label').click();
    await page.getByTestId('label-name').fill('blob');
    await page.getByTestId('label-name').press('Enter');
    await labels.getByTestId('item-label').getByText('blob').waitFor();
    await expect.poll(() => labels.innerText()).toContain('Added manually');
    expect(await violations(page)).toEqual([]);
    await labels.getByTestId('remove-label').click();
    await labels.getByTestId('item-label').waitFor({ state: 'detached' });
    await page.getByTestId('undo').click();
    await labels.getByTestId('item-label').getByText('blob').waitFor();

    await page.keyboard.press('x');
    await page.locator('[data-testid=exclude-item][aria-pressed=true]').waitFor();
    await page.getByTestId('exclude-item').click();
    await page.locator('[data-testid=exclude-item][aria-pressed=false]').waitFor();
    await tags.getByTestId('item-tag').filter({ hasText: 'by hand' }).getByTestId('remove-tag').click();
    await page.getByTestId('item-tag').filter({ hasText: 'by hand' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await count(N);
    expect(complaints).toEqual([]);
  });

  it('shows imported images before they are clustered', async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(
      folder,
      Array.from({ length: 160 }, (_, seed) => seed),
    );
    const arriving = await api.createFromFolder('Arriving', folder, { encoder: 'none' });
    // Paused before the page opens: on a busy machine the page can take longer than the import.
    await until(
      () => api.get<ItemPage>(`/explore/${arriving}/arrivals`),
      ({ body }) => body.total > 0,
    );
    holdChildren(app.server, 'SIGSTOP');
    await page.goto(`${baseUrl}/#/dataset/${arriving}`);
    const arrived = page.getByTestId('arrived-tile');
    await arrived.first().waitFor();
    await page.getByTestId('dataset-progress').waitFor();
    expect(await violations(page)).toEqual([]);
    await arrived.first().click();
    await page.getByTestId('quick-look').waitFor();
    holdChildren(app.server, 'SIGCONT');
    await page.keyboard.press('Escape');
    await page.getByTestId('clusters-grid').waitFor({ timeout: 100_000 });
    await expect.poll(() => arrived.count()).toBe(0);
    await page.goto(`${baseUrl}/#/dataset/${dataset}?flat=name`);
    await count(N);
    expect(complaints).toEqual([]);
  });

  it('shows the query as text, and applies an edited text', async () => {
    await page.getByTestId('query-text').click();
    await page.getByTestId('query-vql').fill('[{"files":{"op":"contains","value":["00004"]}}]');
    await page.getByRole('button', { name: 'Apply' }).click();
    await count(1);
    await page.getByTestId('filter-chip').waitFor();
  });
});
