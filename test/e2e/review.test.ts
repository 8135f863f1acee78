import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DuplicateList } from '../../src-main/contract/schemas/duplicates.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { violations } from '../support/accessibility.ts';
import { until } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { scene } from '../support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the review in the browser, by keyboard alone', needs(browserMissing()), () => {
  let app: App;
  let page: Page;
  let complaints: string[];
  let dataset: string;
  let labelled: string;
  let nKeys = 0;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    for (let seed = 1; seed <= 6; seed += 1) {
      const small = sharp(await scene(seed)).resize(320);
      await writeFile(join(folder, `scene-${seed}.png`), await small.png().toBuffer());
    }
    for (const seed of [11, 12]) {
      const soft = sharp(await scene(seed, 320, 240)).blur(7);
      await writeFile(join(folder, `soft-${seed}.png`), await soft.png().toBuffer());
    }
    for (const seed of [1, 2]) await copyFile(join(folder, `scene-${seed}.png`), join(folder, `copy-${seed}.png`));
    app = await startApp();
    const { api } = app;
    dataset = await api.createFromFolder('Doubts', folder, { encoder: 'none' });
    labelled = await api.createFromFolder('Labels', await writeMislabelled(), { encoder: 'none' });
    await api.waitFor(dataset, 'READY');
    await api.waitFor(labelled, 'READY');
    await until(
      async () => (await api.get<DuplicateList>(`/explore/${dataset}/duplicates`)).body,
      ({ total_groups }) => total_groups === 2,
    );
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${dataset}`);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    nKeys += keys.length;
  };
  const textOf = (testId: string) => () => page.getByTestId(testId).textContent();
  /** Names of the items of a dataset. A decision is shown before the server has it. */
  const shown = async (of: string, ...filters: object[]) => {
    const { body } = await app.api.get<ItemPage>(
      `/explore/${of}/items?vql=${encodeURIComponent(JSON.stringify(filters))}`,
    );
    return body.items.map(({ file_name }) => file_name);
  };
  const open = (of: string, kind: string) => page.goto(`${app.baseUrl}/#/dataset/${of}/review/${kind}`);

  it('resolves all duplicates by four keys from Explore, the confirmation included, and undoes it by one', async () => {
    await page.getByTestId('open-review').waitFor();
    nKeys = 0;
    await press('r');
    await page.getByTestId('review-duplicates').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-testid') === 'review-duplicates');
    expect(await violations(page)).toEqual([]);
    await press('Enter');
    await page.getByTestId('review-pair').waitFor();
    expect(await violations(page)).toEqual([]);
    await press('Shift+A');
    await expect.poll(textOf('bulk-counts')).toContain('2 images of 2 groups');
    expect(await violations(page)).toEqual([]);
    await press('Enter');
    await page.getByTestId('review-done').waitFor();
    expect(nKeys).toBe(4);
    expect(await violations(page)).toEqual([]);
    await press('z');
    await expect.poll(textOf('review-left')).toBe('2 groups left');
  });

  it('shows the difference of two copies, keeps the chosen one, and keeps all of a group', async () => {
    await press('d');
    await page.getByTestId('review-difference').waitFor();
    // Both copies are scaled to the same box, whatever their sizes.
    const copies = page.getByTestId('review-difference').locator('img');
    const [one, two] = await Promise.all([copies.nth(0).boundingBox(), copies.nth(1).boundingBox()]);
    expect(one?.width).toBeGreaterThan(100);
    expect(one).toEqual(two);
    await press('d');
    const kept = await page.getByTestId('review-kept').locator('xpath=following-sibling::span[1]').textContent();
    await press('ArrowRight');
    await expect.poll(textOf('review-suggestion')).not.toContain(kept ?? '');
    await press('a');
    await expect.poll(textOf('review-left')).toBe('1 group left · 1 decided');
    await press('k');
    await page.getByTestId('review-done').waitFor();
    await expect.poll(() => shown(dataset)).toHaveLength(9);
    expect(await shown(dataset)).not.toContain(kept);
  });

  it('excludes blurred images by one key each, skips, and comes back to what is left', async () => {
    await open(dataset, 'blur');
    await expect.poll(textOf('review-reason')).toContain('Out of focus');
    const first = await page.getByTestId('review-reason').textContent();
    nKeys = 0;
    await press('s');
    await expect.poll(textOf('review-reason')).not.toBe(first);
    await press('a');
    await page.getByTestId('review-skipped').waitFor();
    expect(await violations(page)).toEqual([]);
    // Left and opened again, the queue starts with what is not decided.
    await page.reload();
    await expect.poll(textOf('review-reason')).toBe(first);
    await press('a');
    await page.getByTestId('review-done').waitFor();
    expect(nKeys).toBe(3);
    await expect.poll(async () => (await shown(dataset)).filter((name) => name.startsWith('soft'))).toEqual([]);
  });

  it('corrects a wrong label by one key', async () => {
    await open(labelled, 'mislabels');
    await expect.poll(textOf('review-reason')).toContain('Labelled harbour');
    expect(await violations(page)).toEqual([]);
    await press('a');
    await page.getByTestId('review-done').waitFor();
    await expect.poll(() => shown(labelled, { labels: { op: 'is', value: ['meadow'] } })).toHaveLength(10);
    expect(complaints).toEqual([]);
  });
});

/** Two kinds of similar images; the first image of the first kind has the label of the second. */
async function writeMislabelled(): Promise<string> {
  const folder = await temporaryFolder(atEnd);
  await mkdir(folder, { recursive: true });
  const rows = ['filename,label'];
  for (const [kind, label] of ['meadow', 'harbour'].entries()) {
    const base = await scene(40 + kind, 160, 120);
    for (let nth = 0; nth < 10; nth += 1) {
      const name = `${label}-${nth}.png`;
      const image = sharp(base).linear(1 - nth * 0.02, nth);
      await writeFile(join(folder, name), await image.png().toBuffer());
      rows.push(`${name},${kind === 0 && nth === 0 ? 'harbour' : label}`);
    }
  }
  await writeFile(join(folder, 'image_annotations.csv'), `${rows.join('\n')}\n`);
  return folder;
}
