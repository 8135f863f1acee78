import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import type { Api } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { importTinyModels } from '../support/tiny-models/import-tiny-models.ts';

const N_IMAGES = 8;

describe('semantic embeddings in the browser', needs(browserMissing()), () => {
  let app: App;
  let page: Page;
  let api: Api;
  let images: string;
  let complaints: string[];

  beforeAll(async () => {
    images = await temporaryFolder(atEnd);
    await writeImages(
      images,
      Array.from({ length: N_IMAGES }, (_, seed) => seed),
    );
    app = await startApp({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
    ({ api } = app);
    ({ page, complaints } = await app.openPage());
  });

  /** Opens the dialog with all fields filled in except the encoder. */
  const startDataset = async (name: string) => {
    await page.goto(app.baseUrl);
    await page.getByTestId('new-dataset').first().click();
    await page.getByTestId('folder-path').fill(images);
    await page.getByTestId('folder-path').blur();
    await page.getByTestId('dataset-name').fill(name);
    await page.getByTestId('dataset-encoder').waitFor();
  };
  const create = async (): Promise<string> => {
    await page.getByTestId('create-dataset').click();
    await page.getByTestId('clusters-grid').waitFor({ timeout: 100_000 });
    return /dataset\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
  };

  it('offers to download an encoder when none is installed, and indexes by visual similarity at once', async () => {
    await startDataset('By looks');
    const encoder = page.getByTestId('dataset-encoder');
    await expect.poll(() => encoder.inputValue()).toBe('none');
    await expect.poll(() => encoder.locator('option').first().textContent()).toMatch(/download \d+ MB/);
    expect(await violations(page)).toEqual([]);
    const id = await create();

    await importTinyModels(api, ['clip'], atEnd);
    await page.goto(`${app.baseUrl}/#/dataset/${id}/enrich`);
    await page.getByTestId('add-semantic').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('add-semantic-run').click();
    await page.getByTestId('add-semantic').waitFor({ state: 'detached', timeout: 60_000 });
    await expect.poll(() => page.getByTestId('applied-models').textContent()).toContain('clip');
    expect((await api.waitFor(id, 'READY')).n_images).toBe(N_IMAGES);
    expect((await api.get(`/explore/${id}?caption=a%20dog`)).status).toBe(200);
  });

  it('uses the best installed encoder for a new dataset, or visual similarity only', async () => {
    await startDataset('By meaning');
    const encoder = page.getByTestId('dataset-encoder');
    await expect.poll(() => encoder.inputValue()).toBe('clip');
    expect(await violations(page)).toEqual([]);
    const id = await create();
    await api.waitFor(id, 'READY');
    expect((await api.get(`/explore/${id}?caption=a%20dog`)).status).toBe(200);

    await startDataset('Looks again');
    await encoder.selectOption('none');
    const plain = await create();
    await api.waitFor(plain, 'READY');
    expect((await api.get(`/explore/${plain}?caption=a%20dog`)).status).toBe(400);
    expect(complaints).toEqual([]);
  });
});
