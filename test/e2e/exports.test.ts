import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { zipEntries } from '../support/zip-entries.ts';

const N = 12;

describe('exporting in the browser', needs(browserMissing()), () => {
  let app: App;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(
      folder,
      Array.from({ length: N }, (_, seed) => seed),
    );
    app = await startApp({ viewport: { width: 1400, height: 900 } });
    const { api } = app;
    const dataset = await api.createFromFolder('Exported', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${dataset}?flat=name`);
  });

  const dialog = () => page.getByTestId('export-dialog');

  it('exports the entire dataset and offers the file', async () => {
    await page.getByTestId('open-export').click();
    await dialog().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('choose-coco').click();
    await page.getByTestId('export-split').click();
    await page.getByTestId('export-shares').fill('nothing');
    await page.getByTestId('export-start').click();
    await expect.poll(() => dialog().getByRole('alert').first().textContent()).toContain('percentages of train');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
    await page.getByTestId('export-shares').fill('50,50');
    await page.getByTestId('export-images').click();
    await page.getByTestId('export-name').fill('mine');
    const begun = page.waitForEvent('download');
    await page.getByTestId('export-start').click();
    await page.getByTestId('download').waitFor();
    await page.getByTestId('notice').getByText('was saved to the downloads').waitFor();
    expect(await violations(page)).toEqual([]);
    const file = await begun;
    expect(file.suggestedFilename()).toBe('mine.zip');
    const entries = await zipEntries(await readFile(await file.path()));
    expect([...entries.keys()].filter((path) => path.startsWith('images/'))).toHaveLength(N);
    expect([...entries.keys()]).toContain('annotations_train.json');
  });

  it('exports selected items, and lists the export with earlier ones', async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const tile = page.getByTestId('item-tile').nth(1);
    await tile.hover();
    await tile.getByTestId('tile-check').click();
    await page.getByTestId('export-chosen').click();
    await dialog().getByText('Selected items (1)').waitFor();
    await page.getByTestId('choose-csv').click();
    await page.getByTestId('export-start').click();
    await expect.poll(() => page.getByTestId('download').count()).toBe(2);
    await dialog().getByText('CSV · 1 item').waitFor();
    expect(complaints).toEqual([]);
  });
});
