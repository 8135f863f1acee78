import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DuplicateList } from '../../src-main/contract/schemas/duplicates.ts';
import { violations } from '../support/accessibility.ts';
import { until } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { scene } from '../support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('reviewing duplicates in the browser', needs(browserMissing()), () => {
  let app: App;
  let page: Page;
  let complaints: string[];
  let dataset: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    for (const seed of [1, 2, 3]) await writeFile(join(folder, `scene-${seed}.png`), await scene(seed));
    await sharp(await scene(1))
      .resize(320)
      .toFile(join(folder, 'small.jpg'));
    await copyFile(join(folder, 'scene-2.png'), join(folder, 'twice.png'));
    app = await startApp({ viewport: { width: 1280, height: 900 } });
    const { api } = app;
    dataset = await api.createFromFolder('Copies', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');
    await until(
      async () => (await api.get<DuplicateList>(`/explore/${dataset}/duplicates`)).body,
      ({ total_groups }) => total_groups === 2,
    );
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${dataset}`);
  });

  const groups = () => page.getByTestId('duplicate-group');
  const nGroups = (n: number) =>
    page.waitForFunction(
      (expected) => document.querySelectorAll('[data-testid=duplicate-group]').length === expected,
      n,
    );

  it('shows copies side by side with the one to keep, and excludes the others by keys', async () => {
    await page.getByTestId('open-duplicates').click();
    await nGroups(2);
    expect(await violations(page)).toEqual([]);
    await expect
      .poll(async () => (await page.getByTestId('kept').allTextContents()).sort())
      .toEqual(['Keep: added first, otherwise equal', 'Keep: highest resolution']);
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(
      () => document.querySelectorAll('[data-testid=duplicate-group][aria-current=true]').length === 1,
    );
    const kept = () => groups().nth(1).getByTestId('kept').textContent();
    const before = await kept();
    await page.keyboard.press('ArrowRight');
    await until(kept, (words) => words === 'Keep: your choice');
    await page.keyboard.press('ArrowLeft');
    await until(kept, (words) => words === before);
    await page.keyboard.press('x');
    await nGroups(1);
    await expect.poll(() => page.getByTestId('edit-done').textContent()).toContain('1 excluded');
    await page.getByTestId('undo').click();
    await nGroups(2);
  });

  it('limits groups to identical files, and shows them in Explore', async () => {
    await page.getByTestId('duplicate-level').getByText('Identical').click();
    await nGroups(1);
    await page.getByTestId('duplicates-in-explore').click();
    await page.getByTestId('filter-chip').waitFor();
    await expect.poll(() => page.getByTestId('filter-chip').textContent()).toContain('at least 100%');
    expect(complaints).toEqual([]);
  });
});
