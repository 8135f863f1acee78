import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { View } from '../../src-main/contract/schemas/view.ts';
import { violations } from '../support/accessibility.ts';
import type { Api } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeLabelledImages } from '../support/labelled-images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('saved views in the browser', needs(browserMissing()), () => {
  let baseUrl: string;
  let api: Api;
  let app: App;
  let id: string;
  let page: Page;
  let complaints: string[];

  const folderOf = async (labels: Record<number, string>) => {
    const folder = await temporaryFolder(atEnd);
    await writeLabelledImages(folder, labels);
    return folder;
  };

  beforeAll(async () => {
    app = await startApp();
    ({ api, baseUrl } = app);
    id = await api.createFromFolder('Watched', await folderOf({ 1: 'dog', 2: 'cat' }), { encoder: 'none' });
    await api.waitFor(id, 'READY');
  });
  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
  });
  afterEach(() => page.close());

  it('are saved from Explore, report new matches, and are muted and deleted', async () => {
    await page.goto(`${baseUrl}/#/dataset/${id}/views`);
    await page.getByTestId('no-views').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${baseUrl}/#/dataset/${id}?label=dog`);
    await page.getByTestId('save-view').click();
    await page.getByTestId('view-name').fill('Dogs');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('save-view-submit').click();
    const row = page.getByTestId('view-row');
    await page.getByTestId('notice').getByText('Saved “Dogs”').waitFor();
    expect(page.url()).toContain('label=dog');
    await page.getByTestId('notice-action').click();
    await row.getByText('No new batches').waitFor();

    await page.goto(`${baseUrl}/#/dataset/${id}`);
    await page.getByTestId('open-views').click();
    await page.getByRole('menuitemradio', { name: 'Dogs' }).click();
    await page.getByTestId('filter-chip').getByText('dog').waitFor();
    await page.getByTestId('open-views').click();
    await page.getByRole('menuitemradio', { name: 'Dogs', checked: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('filter-chip').getByRole('button').last().click();
    await page.getByTestId('filter-chip').waitFor({ state: 'detached' });
    await page.getByTestId('open-views').click();
    await page.getByTestId('update-view').click();
    await page.getByRole('alertdialog').getByText('Update “Dogs”?').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.goto(`${baseUrl}/#/dataset/${id}?label=cat`);
    await page.getByTestId('save-view').click();
    await page.getByTestId('view-name').fill(' Dogs ');
    await page.getByText('A view with this name already exists').waitFor();
    await expect.poll(() => page.getByTestId('save-view-submit').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');

    await page.goto(`${baseUrl}/#/dataset/${id}/views`);
    await row.waitFor();
    await api.post(`/dataset/${id}/add_media`, { s3_uri: await folderOf({ 3: 'dog', 4: 'dog', 5: 'cat' }) });
    const toast = page.getByTestId('alert-toast');
    await expect.poll(() => toast.innerText()).toContain('Dogs: 2 new results in Watched');
    // The toast is one of the notices and does not cover them.
    await page.getByTestId('notices').getByTestId('alert-toast').waitFor();
    await row.getByText('2 results').waitFor();
    await expect.poll(() => page.getByTestId('trend').locator('li').count()).toBe(1);
    await expect.poll(() => page.getByTestId('alerts-badge').innerText()).toBe('1');
    expect(await violations(page)).toEqual([]);

    await page.keyboard.press('u');
    await page.getByTestId('alert-row').getByText('2 new results').waitFor();
    await expect.poll(() => page.getByTestId('alert-previews').locator('img').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByTestId('alerts-badge').count()).toBe(0);
    await expect.poll(() => toast.count()).toBe(0);

    await expect.poll(() => page.getByTestId('view-matches').locator('img').count()).toBe(3);
    await page.getByTestId('view-toggle').click();
    const details = page.getByTestId('view-details');
    await expect.poll(() => details.getByRole('link').count()).toBe(3);
    await expect.poll(() => details.getByTestId('trend').locator('li').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('view-toggle').click();

    const pause = page.getByTestId('view-monitoring');
    await pause.click();
    await row.getByText('Paused').waitFor();
    await pause.click();
    await row.getByText('Paused').waitFor({ state: 'detached' });
    const mute = page.getByTestId('view-alerting');
    await expect.poll(() => mute.getAttribute('aria-pressed')).toBe('true');
    await mute.click();
    await expect.poll(() => mute.getAttribute('aria-pressed')).toBe('false');
    const { body } = await api.get<{ views: View[] }>(`/dataset/${id}/views`);
    expect(body.views[0]?.alerting_enabled).toBe(false);

    await page.getByTestId('explore-view').click();
    await page.getByTestId('filter-chip').getByText('dog').waitFor();
    await page.goBack();
    await page.getByTestId('delete-view').click();
    await page.getByRole('button', { name: 'Delete view', exact: true }).click();
    await page.getByTestId('no-views').waitFor();
    expect(complaints).toEqual([]);
  });
});
