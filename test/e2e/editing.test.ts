import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing, complaintsOf, launchBrowser } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const N = 9;

describe('choosing and editing in the browser', needs(browserMissing()), () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(
      folder,
      Array.from({ length: N }, (_, seed) => seed),
    );
    const server = await startServer(await temporaryFolder(atEnd), { VITRINE_COMPUTE_PROCESSES: '1' });
    browser = await launchBrowser();
    atEnd(async () => {
      await browser.close();
      await server.stop();
    });
    const api = new Api(server.baseUrl);
    const dataset = await api.createFromFolder('Edited', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');
    page = await browser.newPage({ viewport: { width: 1400, height: 900 }, bypassCSP: true });
    complaints = complaintsOf(page);
    await page.goto(`${server.baseUrl}/#/dataset/${dataset}?flat=name`);
  });

  const tiles = () => page.getByTestId('item-tile');
  const count = (n: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll('[data-testid=item-tile]').length === wanted, n);

  it('tags what is chosen, narrows to it, leaves it out and takes that back', async () => {
    await count(N);
    await tiles()
      .nth(1)
      .click({ modifiers: ['Control'] });
    await tiles()
      .nth(3)
      .click({ modifiers: ['Shift'] });
    expect(await page.getByTestId('selected').textContent()).toBe('3 selected');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('tag').click();
    await page.getByTestId('tag-name').fill('checked');
    await page.getByTestId('tag-name').press('Enter');
    await page.getByText('Tags of 3 changed: checked').waitFor();

    await page.getByTestId('facet-tags').filter({ hasText: 'checked' }).click();
    await page.getByTestId('filter-chip').waitFor();
    await count(3);
    await tiles().first().focus();
    await page.keyboard.press('Control+a');
    await page.getByTestId('exclude').click();
    await page.getByTestId('explore-empty').waitFor();
    await page.getByTestId('undo').click();
    await count(3);

    await tiles().first().focus();
    await page.keyboard.press('x');
    expect(await page.getByTestId('selected').textContent()).toBe('1 selected');
    await page.keyboard.press('Escape');
    await page.getByTestId('selection-bar').waitFor({ state: 'detached' });
    await page.reload();
    await count(3);
    await page.getByTestId('drop-filter').click();
    await count(N);
    expect(complaints).toEqual([]);
  });

  it('shows the query as text and takes what is written there', async () => {
    await page.getByTestId('query-text').click();
    await page.getByTestId('query-vql').fill('[{"files":{"op":"contains","value":["00004"]}}]');
    await page.getByRole('button', { name: 'Apply' }).click();
    await count(1);
    await page.getByTestId('filter-chip').waitFor();
  });
});
