import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { violations } from '../support/accessibility.ts';
import { until } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';

/** Wide, usual, half a screen, and a usual screen at 400%. */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
  { width: 600, height: 800 },
  { width: 320, height: 640 },
];
const THEMES = ['dark', 'light'];

/** Address of each screen, and the test id that is there when it is complete. */
const SCREENS: readonly [name: string, address: string, ready: string][] = [
  ['datasets', '/', 'dataset-card'],
  ['clusters', '/dataset/DATASET', 'cluster-tile'],
  ['list', '/dataset/DATASET?flat=name', 'item-tile'],
  ['map', '/dataset/DATASET?map=label', 'legend-entry'],
  ['charts', '/dataset/DATASET?charts=true', 'chart-curves'],
  ['item', '/dataset/DATASET/item/ITEM', 'item-page'],
  ['duplicates', '/dataset/DATASET/duplicates', 'duplicate-group'],
  ['data', '/dataset/DATASET/data', 'source-row'],
  ['views', '/dataset/DATASET/views', 'no-views'],
  ['tasks', '/tasks', 'task-row'],
  ['settings', '/settings', 'setting'],
];

describe('every screen', needs(browserMissing()), () => {
  let app: App;
  let page: Page;
  const ids = { DATASET: '', ITEM: '' };

  beforeAll(async () => {
    app = await startApp();
    const { api } = app;
    const made = await api.call<{ dataset_id: string }>('POST', '/datasets/sample_data', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ dataset_name: 'Sample' }),
    });
    ids.DATASET = made.body.dataset_id;
    await api.waitFor(ids.DATASET, 'READY');
    await until(
      async () => (await api.get<{ placed_items: number }>(`/explore/${ids.DATASET}/map`)).body,
      ({ placed_items }) => placed_items > 0,
    );
    ids.ITEM = (await api.get<ItemPage>(`/explore/${ids.DATASET}/items`)).body.items[0]?.media_id ?? '';
    ({ page } = await app.openPage());
    await page.emulateMedia({ reducedMotion: 'reduce' });
  }, 120_000);

  it.each(SCREENS)('%s has no violations at any size in both themes, and fits its width', async (_, address, ready) => {
    await page.goto(`${app.baseUrl}/#${address.replace('DATASET', ids.DATASET).replace('ITEM', ids.ITEM)}`);
    await page.getByTestId(ready).first().waitFor();
    const found: string[] = [];
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const theme of THEMES) {
        // The page's own preference would reload nothing either; the attribute is what the styles read.
        await page.evaluate((expected) => document.documentElement.setAttribute('data-theme', expected), theme);
        const where = `${theme} ${size.width}`;
        found.push(...(await violations(page)).map((one) => `${where}: ${one}`));
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (overflow > 0) found.push(`${size.width}: ${overflow} px beyond the window`);
    }
    expect(found).toEqual([]);
  });
});
