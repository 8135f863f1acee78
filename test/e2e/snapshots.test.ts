import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { violations } from '../support/accessibility.ts';
import { type Api, json } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('snapshots in the browser', needs(browserMissing()), () => {
  let api: Api;
  let app: App;
  let page: Page;
  let complaints: string[];
  let dataset: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [1, 2, 3, 4]);
    app = await startApp({ viewport: { width: 1280, height: 900 } });
    ({ api } = app);
    dataset = await api.createFromFolder('Kept', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${dataset}`);
    await page.getByTestId('more').click();
    await page.getByTestId('open-snapshots').click();
  });

  const rows = () => page.getByTestId('snapshot-row');
  const states = () => page.getByTestId('snapshot-state').allTextContents();
  const choose = async (row: number, action: string) => {
    await rows().nth(row).getByTestId('snapshot-menu').click();
    await page.locator('[role=menu][data-state=open]').getByRole('menuitem', { name: action }).click();
    await page.locator('[role=menu]').waitFor({ state: 'detached' });
  };

  it('shows the first snapshot, and creates and describes another', async () => {
    await expect.poll(states).toEqual(['Current version']);
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('snapshot-create').click();
    await page.getByLabel('Name', { exact: true }).fill('Before the clean-up');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('snapshot-save').click();
    await expect.poll(() => rows().count()).toBe(2);
    await expect.poll(() => rows().first().getAttribute('data-current')).toBe('true');
    await choose(0, 'Edit');
    await page.getByLabel('Description', { exact: true }).fill('as it came');
    await page.getByTestId('snapshot-save').click();
    await expect.poll(() => rows().first().textContent()).toContain('as it came');
  });

  it('finds snapshots by name', async () => {
    await page.getByLabel('Find a snapshot').fill('clean');
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByLabel('Find a snapshot').fill('');
    await expect.poll(() => rows().count()).toBe(2);
  });

  it('lists the changes since a snapshot', async () => {
    const { body } = await api.get<ItemPage>(`/explore/${dataset}/items`);
    const ids = body.items.slice(0, 1).map(({ media_id }) => media_id);
    await api.call(
      'POST',
      `/dataset/${dataset}/exclude`,
      json({ media_selection: [{ type: 'media', payload: { media_ids: ids } }] }),
    );
    await choose(0, 'Show changes since');
    await expect.poll(() => page.getByTestId('snapshot-change').allTextContents()).toHaveLength(1);
    await expect.poll(() => page.getByTestId('snapshot-change').textContent()).toContain('Excluded');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('snapshot-change').waitFor({ state: 'detached' });
    const hasFocus = () =>
      rows()
        .first()
        .getByTestId('snapshot-menu')
        .evaluate((menu) => menu === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByTestId('snapshots-drawer').waitFor({ state: 'detached' });
    await page.getByTestId('more').click();
    await page.getByTestId('open-snapshots').click();
  });

  it('restores, clones and removes after a confirmation, and keeps the current one', async () => {
    await rows().first().getByTestId('snapshot-menu').click();
    await page.getByRole('menuitem', { name: 'Clone snapshot' }).waitFor();
    await page.getByRole('menuitem', { name: 'Restore snapshot' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Remove snapshot' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('[role=menu]').waitFor({ state: 'detached' });
    await choose(1, 'Restore snapshot');
    await page.getByRole('button', { name: 'Restore snapshot' }).click();
    await expect.poll(() => rows().nth(2).getAttribute('data-current')).toBe('true');
    await expect.poll(() => rows().first().textContent()).toContain('Before restoring Kept_snapshot');
    await api.waitFor(dataset, 'READY');
    await expect.poll(() => page.getByText('is being restored').count()).toBe(0);
    await choose(0, 'Clone snapshot');
    await page.getByRole('button', { name: 'Clone snapshot' }).click();
    await expect
      .poll(async () => (await api.get<Dataset[]>('/datasets')).body.map(({ display_name }) => display_name))
      .toContain('Kept (cloned)');
    await api.atRest();
    await choose(0, 'Remove snapshot');
    await page.getByRole('button', { name: 'Remove snapshot' }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByRole('status').filter({ hasText: 'was removed' }).waitFor();
    await expect
      .poll(() => page.getByTestId('snapshots-drawer').evaluate((drawer) => drawer.contains(document.activeElement)))
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.getByTestId('snapshots-drawer').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
