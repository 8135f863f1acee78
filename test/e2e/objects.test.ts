import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { json } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { image } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

const WIDTH_PX = 640;
const HEIGHT_PX = 480;
const BOX_PX = 160;

/** Positions of the two objects of each image: a badge that all images share, and a spot of its own. */
const BADGES = [
  { x: 40, y: 60 },
  { x: 400, y: 250 },
  { x: 200, y: 20 },
] as const;
const SPOT = { x: 20, y: 300 } as const;

/** Images with objects, annotated as COCO, with a label and a caption each. One annotation is invalid. */
async function writeAnnotated(folder: string): Promise<void> {
  const badge = await image(77, BOX_PX, BOX_PX);
  const boxes: object[] = [];
  for (const [index, { x, y }] of BADGES.entries()) {
    const plain = sharp(await image(index, WIDTH_PX, HEIGHT_PX));
    const bytes = await plain
      .composite([{ input: badge, left: x, top: y }])
      .jpeg({ quality: 92 })
      .toBuffer();
    await writeFile(join(folder, `scene-${index}.jpg`), bytes);
    boxes.push(
      { id: index * 2, image_id: index, category_id: 1, bbox: [x, y, BOX_PX, BOX_PX] },
      { id: index * 2 + 1, image_id: index, category_id: 2, bbox: [SPOT.x, SPOT.y, 120, 90] },
    );
  }
  boxes.push({ id: 99, image_id: 404, category_id: 1, bbox: [0, 0, 10, 10] });
  const coco = {
    images: BADGES.map((_, id) => ({ id, file_name: `scene-${id}.jpg`, width: WIDTH_PX, height: HEIGHT_PX })),
    categories: [
      { id: 1, name: 'badge' },
      { id: 2, name: 'spot' },
    ],
    annotations: boxes,
  };
  await writeFile(join(folder, 'annotations.json'), JSON.stringify(coco));
  const rows = BADGES.map((_, index) => `scene-${index}.jpg,outdoors,Soft blobs with a badge ${index}`);
  await writeFile(join(folder, 'image_annotations.csv'), ['filename,label,caption', ...rows, ''].join('\n'));
}

describe('objects in the browser', needs(browserMissing()), () => {
  let app: App;
  let datasetId: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeAnnotated(folder);
    app = await startApp({ viewport: { width: 1440, height: 900 } });
    const { api } = app;
    datasetId = await api.createFromFolder('Badges', folder);
    await api.waitFor(datasetId, 'READY');
  });

  async function open(address: string): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await app.openPage();
    await page.goto(`${app.baseUrl}/#/dataset/${datasetId}${address}`);
    return { page, complaints };
  }

  it('outlines objects, marks them in both places, and finds similar ones', async () => {
    const { page, complaints } = await open('?threshold=0');
    await page.getByTestId('cluster-tile').first().click();
    await page.getByTestId('item-page').waitFor();
    const boxes = page.getByTestId('object-box');
    await expect.poll(() => boxes.count()).toBe(2);
    const details = page.getByTestId('item-details');
    await expect.poll(() => details.getByTestId('item-captions').textContent()).toContain('Soft blobs with a badge');
    await expect.poll(() => details.getByTestId('item-labels').textContent()).toContain('outdoors');
    await page.getByTestId('item-objects').locator('img').first().waitFor();
    // While one box is hovered, the others fade.
    await page.mouse.move(5, 5);
    await page.locator('[data-marked="true"]').waitFor({ state: 'detached' });
    expect(await violations(page)).toEqual([]);

    // A box is at the position of its annotation on the displayed image.
    const title = (await page.locator('h1').textContent()) ?? '';
    const { x, y } = BADGES[Number(/\d/.exec(title)?.[0])] ?? SPOT;
    const shownImage = page.locator('[data-testid="item-page"] img[alt^="scene-"]').first();
    const badgeBox = page.getByRole('link', { name: /^badge/ }).and(boxes);
    /** Maximum deviation of the badge, in screen pixels. */
    const offBy = async () => {
      const [shown, badge] = await Promise.all([shownImage.boundingBox(), badgeBox.boundingBox()]);
      if (shown === null || badge === null) return Infinity;
      const scale = Math.min(shown.width / WIDTH_PX, shown.height / HEIGHT_PX);
      const left = shown.x + (shown.width - WIDTH_PX * scale) / 2;
      const top = shown.y + (shown.height - HEIGHT_PX * scale) / 2;
      const off = [badge.x - (left + x * scale), badge.y - (top + y * scale), badge.width - BOX_PX * scale];
      return Math.max(...off.map(Math.abs));
    };
    await expect.poll(offBy).toBeLessThan(0.5);

    const marked = page.locator('[data-testid="object-box"][aria-current="true"]');
    const row = page.getByTestId('object-row').filter({ hasText: 'badge' });
    await row.hover();
    await expect.poll(() => marked.textContent()).toBe('badge');
    await boxes.filter({ hasText: 'spot' }).hover();
    await expect.poll(() => marked.textContent()).toBe('spot');
    await expect.poll(() => row.getAttribute('aria-current')).toBe('false');

    await page.mouse.move(5, 5);
    await page.keyboard.press('b');
    await expect.poll(() => boxes.count()).toBe(0);
    await page.getByTestId('toggle-boxes').click();
    await expect.poll(() => boxes.count()).toBe(2);

    await boxes.filter({ hasText: 'badge' }).click();
    await page.getByTestId('similar-grid').waitFor();
    // A search lists single items, the most similar ones first.
    const labels = page.getByTestId('tile-label');
    await expect.poll(() => labels.allTextContents()).toEqual(['badge', 'badge', 'badge', 'spot', 'spot', 'spot']);
    expect(await page.getByTestId('cluster-size').count()).toBe(0);
    await expect.poll(() => page.getByTestId('anchor-chip').textContent()).toContain('badge');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('lists objects in a view of their own and opens one on its image', async () => {
    const { page, complaints } = await open('?threshold=0');
    await page.getByTestId('view-switch').getByText('Objects').click();
    await expect.poll(() => page.url()).toContain('type=OBJECTS');
    await page.getByTestId('tile-label').first().waitFor();
    await expect.poll(() => page.getByTestId('view-switch').textContent()).not.toContain('Videos');
    expect(await violations(page)).toEqual([]);

    // By keyboard: to the last tile, open it, and search for similar objects.
    await page.getByTestId('cluster-tile').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByTestId('item-page').waitFor();
    const marked = page.locator('[data-testid="object-box"][aria-current="true"]');
    await expect.poll(() => marked.count()).toBe(1);
    await expect.poll(() => page.url()).toContain('object=');
    await page.keyboard.press('s');
    await page.getByTestId('similar-grid').waitFor();
    await expect.poll(() => page.url()).toContain('type=OBJECTS');
    await page.getByTestId('score').first().waitFor();
    await expect.poll(() => page.getByTestId('score').first().textContent()).toBe('0.00');
    await page.keyboard.press('Escape');
    await page.getByTestId('clusters-grid').waitFor();
    await expect.poll(() => page.url()).toContain('type=OBJECTS');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('compares predicted with annotated objects', async () => {
    const { api } = app;
    await importTinyModels(api, ['detector'], atEnd);
    const { body } = await api.call<{ dataset_id: string }>(
      'POST',
      `/dataset/${datasetId}/enrich_dataset`,
      json({ enrichment_models: { OBJECT_DETECTION: 'detector' } }),
    );
    await api.waitFor(body.dataset_id, 'READY');
    const { page, complaints } = await open('');
    await page.goto(`${app.baseUrl}/#/dataset/${body.dataset_id}?flat=name`);
    await page.getByTestId('item-tile').first().click();
    // A minimum confidence of 0 shows every prediction of the model.
    await page.getByTestId('min-confidence').press('Home');
    const agreement = page.getByTestId('box-agreement');
    await expect.poll(() => agreement.textContent()).toMatch(/0 of 2 found · [1-9]\d* not annotated/);
    const boxes = page.getByTestId('object-box');
    const predicted = page.locator('[data-testid=object-box][data-predicted=true]');
    const nPredicted = await predicted.count();
    await expect.poll(() => boxes.count()).toBe(nPredicted + 2);
    await expect
      .poll(() => page.locator('[data-verdict=missed]').allTextContents())
      .toEqual(expect.arrayContaining(['badge · missed', 'spot · missed']));
    expect(await violations(page)).toEqual([]);
    await agreement.getByText('Predicted').click();
    await expect.poll(() => boxes.count()).toBe(nPredicted);
    await agreement.getByText('Annotated', { exact: true }).click();
    await expect.poll(() => boxes.count()).toBe(2);
    await page.getByTestId('min-confidence').press('End');
    await expect.poll(() => agreement.textContent()).toContain('0 of 2 found · 0 not annotated');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('cuts the counts of a dataset before its name', async () => {
    const { page, complaints } = await open('?threshold=0');
    const title = page.locator('header h1');
    const counts = page.getByTestId('dataset-counts');
    await expect.poll(() => counts.textContent()).toContain('clusters');
    const isWhole = (element: HTMLElement) => element.scrollWidth <= element.clientWidth;
    let wasCut = false;
    for (const width of [1440, 1360, 1280, 1200, 1100, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => title.evaluate(isWhole), { message: `${width} px` }).toBe(true);
      wasCut ||= !(await counts.evaluate(isWhole));
    }
    expect(wasCut).toBe(true);
    await expect
      .poll(() =>
        counts.evaluate((element: HTMLElement) => element.title !== '' && element.title === element.textContent),
      )
      .toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows no count when no file was skipped', async () => {
    const { page, complaints } = await open('/errors');
    await page.getByText('All files were imported').waitFor();
    await expect.poll(() => page.locator('header').textContent()).not.toContain('0');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('lists skipped annotations', async () => {
    const { page, complaints } = await open('');
    await page.getByTestId('dataset-annotation-problems').getByTestId('annotation-problems-link').click();
    await page.getByTestId('annotation-problem-row').first().waitFor();
    await expect
      .poll(() => page.getByTestId('annotation-problem-row').allTextContents())
      .toEqual([expect.stringMatching(/^annotations\.json7no image has the id 404/)]);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
