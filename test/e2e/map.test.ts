import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MapItems, MapView } from '../../src-main/contract/schemas/map.ts';
import { violations } from '../support/accessibility.ts';
import { type Api, until } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { scene } from '../support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const N = 18;
const DOGS = 6;

describe('the map in the browser', needs(browserMissing()), () => {
  let app: App;
  let page: Page;
  let complaints: string[];
  let api: Api;
  let dataset: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await mkdir(folder, { recursive: true });
    for (let seed = 0; seed < N; seed += 1) await writeFile(join(folder, `${seed}.png`), await scene(seed + 1));
    const rows = Array.from({ length: DOGS }, (_, seed) => `${seed}.png,dog`);
    await writeFile(join(folder, 'image_annotations.csv'), ['filename,label', ...rows].join('\n'));
    app = await startApp();
    ({ api } = app);
    dataset = await api.createFromFolder('Mapped', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');
    await until(
      async () => (await api.get<MapView>(`/explore/${dataset}/map`)).body,
      ({ placed_items }) => placed_items === N,
    );
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${dataset}`);
  }, 120_000);

  const map = (on = page) => on.getByTestId('map');
  /** Position of an item on the screen while the whole map is shown. */
  async function onScreen(on = page): Promise<{ name: string; x: number; y: number }[]> {
    const { body } = await api.get<MapItems>(`/explore/${dataset}/map/items?limit=500`);
    const box = await map(on).boundingBox();
    if (!box) throw new Error('the map is not there');
    const scale = Math.min(box.width, box.height) / 1.04;
    return body.items.map(({ file_name, map_x, map_y }) => ({
      name: file_name,
      x: box.x + box.width / 2 + (map_x - 0.5) * scale,
      y: box.y + box.height / 2 + (map_y - 0.5) * scale,
    }));
  }

  it('opens by its key, explains its colours, and filters by them', async () => {
    await page.getByTestId('layout-switch').waitFor();
    await page.keyboard.press('m');
    await map().waitFor();
    await page.waitForFunction(
      (n) => document.querySelector('[data-testid=map]')?.getAttribute('data-marks') === String(n),
      N,
    );
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('map-colour').click();
    await page.getByRole('menuitemradio', { name: 'labels' }).click();
    await expect.poll(() => page.url()).toContain('map=label');
    const dog = page.getByTestId('legend-entry').filter({ hasText: 'dog' });
    await dog.click();
    await page.getByTestId('filter-chip').waitFor();
    await expect.poll(() => dog.getAttribute('aria-pressed')).toBe('true');
    // Items that do not match stay on the map.
    await expect.poll(() => map().getAttribute('data-marks')).toBe(String(N));
    await dog.click();
    await page.getByTestId('filter-chip').waitFor({ state: 'detached' });
  });

  it('selects the items in a drawn area, and filters by the area', async () => {
    const box = await map().boundingBox();
    const [left, right] = [(box?.x ?? 0) + 220, (box?.x ?? 0) + (box?.width ?? 0) - 10];
    const [top, bottom] = [(box?.y ?? 0) + 10, (box?.y ?? 0) + (box?.height ?? 0) - 60];
    const inside = (await onScreen()).filter(({ x, y }) => x > left && x < right && y > top && y < bottom).length;
    expect(inside).toBeGreaterThan(0);
    await page.keyboard.press('d');
    await page.mouse.move(left, top);
    await page.mouse.down();
    for (const [x, y] of [
      [right, top],
      [right, bottom],
      [left, bottom],
    ] as const)
      await page.mouse.move(x, y, { steps: 6 });
    await page.mouse.up();
    await page.getByTestId('selected').waitFor();
    await expect.poll(() => page.getByTestId('selected').textContent()).toBe(`${inside} selected`);
    await page.getByTestId('filter-by-area').click();
    await page.getByTestId('filter-chip').waitFor();
    await page.getByTestId('clear-selection').click();
    await page.getByTestId('drop-filter').click();
    await page.keyboard.press('d');
  });

  it('is released from memory when another screen opens', async () => {
    const devtools = await page.context().newCDPSession(page);
    const countCanvases = async () => {
      const { result } = await devtools.send('Runtime.evaluate', { expression: 'HTMLCanvasElement.prototype' });
      const { objects } = await devtools.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
      const counted = await devtools.send('Runtime.callFunctionOn', {
        objectId: objects.objectId ?? '',
        functionDeclaration: 'function () { return this.length; }',
        returnByValue: true,
      });
      await devtools.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' });
      return Number(counted.result.value);
    };
    const shown = page.url();
    for (let visit = 0; visit < 3; visit += 1) {
      await page.goto(`${app.baseUrl}/#/tasks`);
      await page.getByTestId('tasks-table').waitFor();
      await page.goto(shown);
      await map().waitFor();
      await page.waitForFunction(
        (n) => document.querySelector('[data-testid=map]')?.getAttribute('data-marks') === String(n),
        N,
      );
    }
    // That of the map that is shown, and at most one that is being released.
    await expect.poll(countCanvases).toBeLessThanOrEqual(2);
    await devtools.detach();
  });

  it('draws items without a colour in grey where there is no graphics card, also in the light theme', async () => {
    const { page: other } = await app.openPage();
    await other.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
        return kind === 'webgl2' ? null : original.call(this, kind, options);
      } as typeof original;
    });
    await other.goto(`${app.baseUrl}/#/dataset/${dataset}?map=label`);
    await map(other).waitFor();
    await other.getByTestId('toggle-theme').click();
    const plain = (await onScreen(other)).filter(({ name }) => Number.parseInt(name, 10) >= DOGS);
    const tints = () =>
      map(other).evaluate((stage, places) => {
        const canvas = stage.querySelector('canvas');
        const picture = canvas?.getContext('2d');
        if (!canvas || !picture) throw new Error('nothing is drawn');
        const box = canvas.getBoundingClientRect();
        const scale = canvas.width / box.width;
        return places.map(({ x, y }) => {
          const [r = 0, g = 0, b = 0] = picture.getImageData((x - box.x) * scale, (y - box.y) * scale, 1, 1).data;
          return { tint: Math.max(r, g, b) - Math.min(r, g, b), light: (r + g + b) / 3 };
        });
      }, plain);
    await expect.poll(async () => (await tints()).filter(({ light }) => light < 150).length).toBeGreaterThan(N / 3);
    expect((await tints()).filter(({ tint }) => tint > 20)).toEqual([]);
    await other.getByTestId('toggle-theme').click();
    await other.close();
  });

  it('shows the hovered item, opens it, and returns', async () => {
    await page.getByTestId('filter-chip').waitFor({ state: 'detached' });
    const box = await map().boundingBox();
    const items = await onScreen();
    const apart = items.find(
      ({ x, y, name }) =>
        x > (box?.x ?? 0) + 240 &&
        items.every((other) => other.name === name || Math.hypot(other.x - x, other.y - y) > 12),
    );
    if (!apart) throw new Error('all items are at one place');
    await page.mouse.move(apart.x, apart.y);
    await page.getByTestId('map-hover').waitFor();
    await expect.poll(() => page.getByTestId('map-hover').textContent()).toContain(apart.name);
    await page.mouse.click(apart.x, apart.y);
    await page.waitForURL(/\/item\//);
    await page.goBack();
    await map().waitFor();
    await expect.poll(() => page.url()).toContain('map=label');
  });

  it('shows thumbnails when zoomed in', async () => {
    await page.getByTestId('map-thumbnail').first().waitFor();
    await page.getByTestId('zoom-in').click();
    await page.getByTestId('map-thumbnail').first().waitFor();
    await map().focus();
    await page.keyboard.press('ArrowRight');
    await page.getByTestId('zoom-fit').click();
    expect(complaints).toEqual([]);
  });
});
