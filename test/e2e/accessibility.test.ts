import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { drawSample } from '../../src-main/infra/images/draw-sample.ts';
import { violations } from '../support/accessibility.ts';
import { until } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A usual screen at 400%. */
const NARROWEST = { width: 320, height: 640 };
const WIDEST = { width: 1920, height: 1080 };
/** A usual screen, and half of one. */
const SIZES_BETWEEN = [
  { width: 1280, height: 800 },
  { width: 600, height: 800 },
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

/** Further screens, checked once: narrow and light, where words are cut and contrasts are lowest. */
const FURTHER_SCREENS: typeof SCREENS = [
  ['table', '/dataset/DATASET?table=true', 'items-table'],
  ['excluded items', '/dataset/DATASET?flat=created&vql=[{"excluded":{"op":"is","value":true}}]', 'excluded-strip'],
  ['queues of the review', '/dataset/DATASET/review', 'review-queues'],
  ['review of duplicates', '/dataset/DATASET/review/duplicates', 'review-pair'],
  ['review of items', '/dataset/DATASET/review/unlabeled', 'review'],
  ['comparison', '/dataset/DATASET/compare/ITEM,OTHER', 'compare'],
  ['enrichment', '/dataset/DATASET/enrich', 'enrich-page'],
  ['unread files', '/dataset/DATASET/errors', 'no-file-errors'],
  ['models', '/models', 'model-row'],
  ['API', '/api', 'snippet'],
  ['recovery', '/recovery', 'back-up'],
];

/** Dialogs and panels: where they are opened, the test ids to click (or keys to press) one after the other, and the test id that appears. */
const DIALOGS: readonly [name: string, address: string, steps: readonly string[], ready: string][] = [
  ['new dataset', '/', ['new-dataset'], 'new-dataset-dialog'],
  ['filters of datasets', '/', ['inventory-filter'], 'filter-media-OBJECTS'],
  ['the command palette', '/', ['Control+k'], 'palette'],
  ['the list of keys', '/', ['?'], 'shortcuts'],
  ['the report of a problem', '/', ['help-menu', 'open-report'], 'report-dialog'],
  ['a filter to add', '/dataset/DATASET', ['add-filter'], 'filter-popover'],
  ['add media', '/dataset/DATASET', ['add-media'], 'add-media-dialog'],
  ['export', '/dataset/DATASET', ['open-export'], 'export-dialog'],
  ['labels to filter by', '/dataset/DATASET', ['label-filter'], 'label-find'],
  ['facets over the results', '/dataset/DATASET', ['toggle-facets'], 'close-facets'],
  ['edit history', '/dataset/DATASET', ['more', 'open-edits'], 'edits-drawer'],
  ['a new snapshot', '/dataset/DATASET', ['more', 'open-snapshots', 'snapshot-create'], 'snapshot-dialog'],
  ['a view to save', '/dataset/DATASET', ['open-views', 'save-as-view'], 'view-name'],
];

describe('every screen', needs(browserMissing()), () => {
  let app: App;
  let page: Page;
  const ids = { DATASET: '', ITEM: '', OTHER: '' };

  beforeAll(async () => {
    app = await startApp();
    const { api } = app;
    const folder = join(await temporaryFolder(atEnd), 'sample');
    await drawSample(folder, 3);
    ids.DATASET = await api.createFromFolder('Sample', folder);
    await api.waitFor(ids.DATASET, 'READY');
    await until(
      async () => (await api.get<{ placed_items: number }>(`/explore/${ids.DATASET}/map`)).body,
      ({ placed_items }) => placed_items > 0,
    );
    const { items } = (await api.get<ItemPage>(`/explore/${ids.DATASET}/items`)).body;
    [ids.ITEM = '', ids.OTHER = ''] = items.map(({ media_id }) => media_id);
    await api.call('POST', `/dataset/${ids.DATASET}/exclude`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ media_selection: [{ type: 'media', payload: { media_ids: [items.at(-1)?.media_id] } }] }),
    });
    ({ page } = await app.openPage());
    await page.emulateMedia({ reducedMotion: 'reduce' });
  }, 120_000);

  async function open(address: string, ready: string): Promise<void> {
    const path = address.replace(/DATASET|ITEM|OTHER/g, (name) => ids[name as keyof typeof ids]);
    await page.goto(`${app.baseUrl}/#${path}`);
    await page.getByTestId(ready).first().waitFor();
  }

  async function check(size: typeof WIDEST, themes: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    await page.setViewportSize(size);
    for (const [nth, theme] of themes.entries()) {
      // The page's own preference would reload nothing either; the attribute is what the styles read.
      await page.evaluate((expected) => document.documentElement.setAttribute('data-theme', expected), theme);
      const ofTheme = await violations(page, { targets: true, onlyColours: nth > 0 });
      found.push(...ofTheme.map((one) => `${theme} ${size.width}: ${one}`));
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    return overflow > 0 ? [...found, `${size.width}: ${overflow} px beyond the window`] : found;
  }

  it.each(SCREENS)('%s has no violations at any size or theme, and fits its width', async (_, address, ready) => {
    await open(address, ready);
    const found = await check(WIDEST, THEMES);
    // Between them no colour is added, so that one theme is enough.
    for (const size of SIZES_BETWEEN) found.push(...(await check(size, ['dark'])));
    found.push(...(await check(NARROWEST, THEMES)));
    expect(found).toEqual([]);
  });

  it.each(FURTHER_SCREENS)(
    '%s has no violations when narrow and light, and fits its width',
    async (_, address, ready) => {
      await open(address, ready);
      expect(await check(NARROWEST, ['light'])).toEqual([]);
    },
  );

  it.each(DIALOGS)('%s has no violations when narrow, in both themes', async (_, address, steps, ready) => {
    await page.setViewportSize(NARROWEST);
    await open(address, address === '/' ? 'dataset-card' : 'cluster-tile');
    for (const step of steps) {
      if (/^[a-z-]+$/.test(step)) await page.getByTestId(step).first().click();
      else await page.keyboard.press(step);
    }
    await page.getByTestId(ready).first().waitFor();
    expect(await check(NARROWEST, THEMES)).toEqual([]);
    await page.goto('about:blank');
  });
});
