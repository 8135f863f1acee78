import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { tinyPng } from '../support/tiny-png.ts';

const WIDTHS = [40, 64, 48, 32];

describe('the table of items', needs(browserMissing()), () => {
  let app: App;
  let id: string;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    for (const [seed, width] of WIDTHS.entries()) await writeFile(join(folder, `${seed}.png`), tinyPng(seed, width));
    app = await startApp({ permissions: ['clipboard-read', 'clipboard-write'] });
    id = await app.api.createFromFolder('Table', folder, { encoder: 'none' });
    await app.api.waitFor(id, 'READY');
  });
  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${id}`);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
  });

  const names = () => page.getByTestId('row-name').allTextContents();
  const openTable = async () => {
    await page.getByTestId('cluster-tile').first().waitFor();
    await page.keyboard.press('v');
    await expect.poll(() => names().then(({ length }) => length)).toBe(WIDTHS.length);
  };

  it('sorts by a column, and remembers which columns are shown', async () => {
    await openTable();
    await page.getByTestId('column-width').click();
    await expect.poll(names).toEqual(['3.png', '0.png', '2.png', '1.png']);
    await page.getByTestId('column-width').click();
    await expect.poll(names).toEqual(['1.png', '2.png', '0.png', '3.png']);
    expect(await page.getByTestId('column-width').getAttribute('aria-sort')).toBe('descending');
    await page.getByTestId('columns').click();
    await page.getByTestId('show-width').click();
    await page.getByTestId('show-uniqueness').click();
    await page.keyboard.press('Escape');
    await page.getByTestId('column-uniqueness').waitFor();
    expect(await page.getByTestId('column-width').count()).toBe(0);
    await page.reload();
    await page.getByTestId('column-uniqueness').waitFor();
    expect(await page.getByTestId('column-width').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('is used by keyboard alone: select, edit, copy and open', async () => {
    await openTable();
    await page.getByTestId('column-file_size').click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => page.getByTestId('selected').textContent()).toContain('2');
    await page.keyboard.press('Control+c');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^Name\t.*\n\d\.png\t.*\n\d\.png\t.*$/);
    await page.keyboard.press('Escape');
    await page.getByTestId('selected').waitFor({ state: 'detached' });
    // Keys are faster than the frames of a busy machine.
    await page.evaluate(() => {
      window.requestAnimationFrame = (use) => window.setTimeout(use, 200);
    });
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.getByTestId('label-name').waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await page.getByTestId('label-name').fill('square');
    await page.keyboard.press('Enter');
    await page.getByTestId('item-row').getByText('square').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-column'))).toBe('1');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByTestId('item-labels').getByText('square').waitFor();
    await page.keyboard.press('Escape');

    const column = (await page.getByTestId('column-file_size').getAttribute('data-column')) ?? '';
    await page.locator(`[data-row="1"][data-column="${column}"]`).focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('item-page').waitFor();
    await page.keyboard.press('Escape');
    const focused = () => page.evaluate(() => ({ ...(document.activeElement as HTMLElement).dataset }));
    await expect.poll(focused).toMatchObject({ row: '1', column });
  });
});
