import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { COVER_SHEET } from '../../src-main/contract/schemas/explore.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const N_IMAGES = 100;
/** Small tiles: the page has more of them than thumbnails are loaded in parallel. */
const TILE_PX = 72;

describe('thumbnails of a long list', needs(browserMissing()), () => {
  let app: App;
  let address: string;
  /** The items in list order. */
  let ids: string[];
  let page: Page;
  /** Indices of the items whose thumbnails were requested, in order of the requests. */
  let asked: number[];
  let held: Route[];

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(join(folder, 'inner'), [...Array(N_IMAGES).keys()]);
    app = await startApp({ viewport: { width: 640, height: 360 } });
    const dataset = await app.api.createFromFolder('Long', folder);
    await app.api.waitFor(dataset, 'READY');
    const { body } = await app.api.get<ItemPage>(`/explore/${dataset}/items?sort_by=name&page_size=${N_IMAGES}`);
    ids = body.items.map(({ media_id }) => media_id);
    address = `${app.baseUrl}/#/dataset/${dataset}?flat=name`;
  });

  beforeEach(async () => {
    ({ page } = await app.openPage());
    onTestFinished(() => page.close());
    await page.addInitScript((tileWidthPx) => {
      localStorage.setItem('vitrine.preferences', JSON.stringify({ state: { tileWidthPx }, version: 0 }));
    }, TILE_PX);
    asked = [];
    held = [];
  });

  it('come as sheets of many', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(address);
    const covers = page.getByTestId('item-tile').locator('[data-testid="cover"][data-state="shown"]');
    await expect.poll(() => covers.count()).toBeGreaterThan(20);
    const of = (kind: string) => requests.filter((path) => path.includes(`/${kind}/`));
    expect(of('thumbnail')).toEqual([]);
    expect(of('cover').length).toBeLessThanOrEqual(N_IMAGES / COVER_SHEET.covers);
  });

  it('come one by one where a sheet cannot be loaded', async () => {
    await page.route('**/cover/**', (route) => route.abort());
    await page.goto(address);
    const first = page.getByTestId('item-tile').first().locator('img');
    await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });

  describe('that has no sheets and loads slowly', () => {
    beforeEach(async () => {
      await page.route('**/explore/*/items*', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), cover_sheets: [] } });
      });
      await page.route('**/thumbnail/**', (route) => {
        asked.push(ids.findIndex((id) => route.request().url().includes(id)));
        held.push(route);
      });
      // Images that are held hold up the `load` of the page.
      await page.goto(address, { waitUntil: 'commit' });
      await page.getByTestId('item-tile').first().locator('img').waitFor({ state: 'attached' });
      await expect.poll(() => asked.length).toBeGreaterThan(5);
    });

    const scrollTo = (offsetPx: number) =>
      page.getByRole('grid').evaluate((grid, top) => grid.parentElement?.scrollTo(0, top), offsetPx);
    const placed = () =>
      page
        .getByTestId('item-tile')
        .evaluateAll((tiles) => tiles.map((tile) => Number(tile.getAttribute('data-index'))));

    it('are requested from the top of the visible part, a few at a time', async () => {
      expect(asked).toEqual([...asked.keys()]);
      expect(asked.length).toBeLessThan((await placed()).length);
    });

    it('are requested first where the user has scrolled to', async () => {
      const shown = await placed();
      const nAsked = asked.length;
      expect(nAsked).toBeLessThan(shown.length);
      await scrollTo(2 * TILE_PX);
      await expect.poll(async () => Math.max(...(await placed()))).toBeGreaterThan(shown.length);
      await held[0]?.continue();
      await expect.poll(() => asked.length).toBeGreaterThan(nAsked);
      expect(asked[nAsked]).toBe(shown.length);
    });

    it('are never requested where the user has scrolled past', async () => {
      const shown = await placed();
      const passed = shown.filter((index) => !asked.includes(index));
      expect(passed).not.toEqual([]);
      await scrollTo(1e6);
      await expect.poll(() => asked.at(-1)).toBeGreaterThan(shown.length);
      await page.unroute('**/thumbnail/**');
      for (const route of held) await route.continue().catch(() => undefined);
      const last = page.getByRole('gridcell').last().locator('img');
      await expect.poll(() => last.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      expect(asked.filter((index) => passed.includes(index))).toEqual([]);
    });
  });
});
