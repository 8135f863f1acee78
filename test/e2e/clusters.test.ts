import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('clusters', needs(browserMissing()), () => {
  let app: App;
  let id: string;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [1, 2, 3, 4]);
    app = await startApp();
    id = await app.api.createFromFolder('Clusters', folder, { encoder: 'none' });
    await app.api.waitFor(id, 'READY');
  });
  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('of one image are tiles of the image, and a cluster is searched, filtered and listed like the dataset', async () => {
    const { body } = await app.api.get<{ clusters: { cluster_id: string }[] }>(`/explore/${id}?threshold=4`);
    await page.goto(`${app.baseUrl}/#/dataset/${id}/cluster/${body.clusters[0]?.cluster_id}?threshold=4`);
    await page.getByTestId('item-tile').first().waitFor();
    await page.getByTestId('cluster-count').waitFor();
    const count = await page.getByTestId('item-tile').count();
    await page.getByTestId('toggle-facets').waitFor();
    await page.keyboard.press('v');
    await expect.poll(() => page.getByTestId('item-row').count()).toBe(count);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('v');
    await page.getByTestId('item-tile').first().waitFor();
    await page.getByTestId('back').click();
    await page.getByTestId('cluster-tile').first().waitFor();
  });
});
