import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing, complaintsOf, sharedBrowser } from '../support/browser.ts';
import { image, writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a first run in the browser', needs(browserMissing()), () => {
  let baseUrl: string;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = await temporaryFolder(atEnd);
    // Three variants of each image: original, another size, and another size as JPEG.
    for (let seed = 0; seed < 12; seed += 1) {
      await writeImages(folder, [seed]);
      await writeFile(join(folder, `image-${seed}-small.jpg`), await image(seed, 200, 150));
      await writeFile(join(folder, `image-${seed}-large.jpg`), await image(seed, 640, 480));
    }
    await writeFile(join(folder, 'broken.jpg'), 'no image at all');
    ({ baseUrl } = await startApp());
    browser = await sharedBrowser();
  });

  it('goes from an empty start to the images that are similar to one', async () => {
    // axe is injected as a script, which the page's policy forbids; the policy itself is asserted elsewhere.
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'dark',
      bypassCSP: true,
    });
    const complaints = complaintsOf(page);
    await page.goto(baseUrl);
    await page.getByTestId('first-run').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByTestId('new-dataset').first().click();
    await page.getByTestId('folder-path').fill(folder);
    await page.getByTestId('folder-path').blur();
    await page.getByTestId('dataset-name').fill('Blobs');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('create-dataset').click();

    await page.getByTestId('clusters-grid').waitFor({ timeout: 60_000 });
    const tiles = page.getByTestId('cluster-tile');
    await expect.poll(() => tiles.count()).toBeGreaterThan(1);
    expect(await violations(page)).toEqual([]);
    await page.locator('[data-testid="cover"][data-state="shown"]').first().waitFor();

    await page.getByTestId('file-errors-link').click();
    await page.getByTestId('file-error-row').first().waitFor();
    await expect.poll(() => page.getByTestId('file-error-row').first().textContent()).toContain('broken.jpg');
    await page.goBack();

    await tiles.first().click();
    await page.getByTestId('items-grid').waitFor();
    await expect.poll(() => page.getByTestId('item-tile').count()).toBeGreaterThanOrEqual(3);
    await page.getByTestId('item-tile').first().dblclick();
    await page.getByTestId('item-page').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByTestId('find-similar').first().click();
    await page.getByTestId('similar-grid').waitFor();
    await page.getByTestId('anchor-chip').waitFor();
    await page.getByTestId('score').first().waitFor();
    const scores = await page.getByTestId('score').allTextContents();
    const numbers = scores.map((text) => Number(/[\d.]+/.exec(text)?.[0]));
    expect(numbers[0]).toBe(0);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('opens the same view from a copied address and goes back to the inventory', async () => {
    const page = await browser.newPage({ colorScheme: 'light' });
    const complaints = complaintsOf(page);
    await page.goto(baseUrl);
    await page.getByTestId('dataset-card').first().click();
    await page.getByTestId('clusters-grid').waitFor();
    const address = page.url();
    const other = await browser.newPage();
    await other.goto(address);
    await other.getByTestId('clusters-grid').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('datasets').waitFor();
    expect(complaints).toEqual([]);
  });
});
