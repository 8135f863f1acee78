import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { violations } from '../support/accessibility.ts';
import { Api } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing, complaintsOf, sharedBrowser } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { type ModelHub, sha256Of, startModelHub } from '../support/model-hub.ts';
import { needs } from '../support/needs.ts';
import { holdChildren, type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TINY_RUNNER, tinyEncoder } from '../support/tiny-encoder.ts';
import { writeTinyModel } from '../support/tiny-models/generate.ts';

const N_IMAGES = 6;

describe('models in the browser', needs(browserMissing()), () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await sharedBrowser();
    // axe is injected as a script, which the page's policy forbids; the policy itself is asserted elsewhere.
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark', bypassCSP: true });
    complaints = complaintsOf(page);
  });

  const row = (model: string) => page.locator(`[data-testid="model-row"][data-model="${model}"]`);
  const option = (model: string) => page.locator(`[data-testid="model-option"][data-model="${model}"]`);

  describe('from a folder to labels on images', () => {
    let server: Server;
    let api: Api;
    let source: string;
    let models: string;

    beforeAll(async () => {
      server = await startServer(await temporaryFolder(atEnd));
      atEnd(() => server.stop());
      api = new Api(server.baseUrl);
      models = await temporaryFolder(atEnd);
      for (const name of ['clip', 'siglip2', 'vit-gpt2', 'detector'] as const) writeTinyModel(models, name);
      await mkdir(join(models, 'torn'));
      await writeFile(join(models, 'torn', 'vitrine.json'), '{"type":');
      const images = await temporaryFolder(atEnd);
      await writeImages(
        images,
        Array.from({ length: N_IMAGES }, (_, seed) => seed),
      );
      source = await api.createFromFolder('Blobs', images);
      await api.waitFor(source, 'READY');
    });

    it('explains where models come from when none is installed', async () => {
      await page.goto(`${server.baseUrl}/#/dataset/${source}/enrich`);
      await page.getByTestId('no-models').waitFor();
      await expect.poll(() => page.getByTestId('enrich').isDisabled()).toBe(true);
      await option('yolox-nano').getByTestId('get-model').click();
      await page.locator('[data-model="yolox-nano"][data-marked="true"]').waitFor();
      await expect.poll(() => row('yolox-nano').getAttribute('data-state')).toBe('not_installed');
      expect(await violations(page)).toEqual([]);
    });

    it('imports a folder of models, and lists skipped models with reasons', async () => {
      await page.getByTestId('import-models').click();
      await page.getByTestId('import-path').fill(models);
      expect(await violations(page)).toEqual([]);
      await page.getByTestId('import-start').click();
      await page.getByTestId('import-outcome').waitFor();
      await expect.poll(() => page.getByTestId('imported').count()).toBe(4);
      const refused = await page.getByTestId('refused').allTextContents();
      expect(refused).toEqual([expect.stringContaining('torn')]);
      expect(refused[0]).toContain('is not JSON');
      await page.getByTestId('import-done').click();
      await expect.poll(() => row('clip').getAttribute('data-state')).toBe('installed');
      await expect.poll(() => row('clip').textContent()).toContain('Own model');
    });

    it('edits the labels of a tagging model, and resets them', async () => {
      await row('clip-tags').getByTestId('edit-labels').click();
      const text = page.getByTestId('labels-text');
      const first = await text.inputValue();
      await text.fill('harbour\nmeadow\n\nharbour\nengine room');
      await expect.poll(() => page.getByTestId('labels-count').textContent()).toContain('3 labels');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByTestId('labels-dialog').waitFor({ state: 'detached' });
      expect((await api.get('/models/labels/clip-tags')).body).toEqual({
        labels: ['harbour', 'meadow', 'engine room'],
        is_default: false,
      });
      await row('clip-tags').getByTestId('edit-labels').click();
      await expect.poll(() => text.inputValue()).toBe('harbour\nmeadow\nengine room');
      // Text that the user types during the reset is kept.
      const answered = Promise.withResolvers<void>();
      await page.route(/\/api\/v1\/models(\?|$)/, async (route) => {
        await answered.promise;
        await route.continue();
      });
      await page.getByTestId('labels-reset').click();
      await expect.poll(() => text.inputValue()).toBe(first);
      await text.fill('harbour\nmeadow\nengine room');
      answered.resolve();
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByTestId('labels-dialog').waitFor({ state: 'detached' });
    });

    it('filters the list by name and type, which the address keeps', async () => {
      await page.getByLabel('Find a model').fill('clip');
      await expect.poll(() => row('yolox-nano').count()).toBe(0);
      await page.getByTestId('filter-type').click();
      await page.getByRole('menuitemradio', { name: 'Tags' }).click();
      await expect.poll(() => row('clip').count()).toBe(0);
      await page.reload();
      await row('clip-tags').waitFor();
      await expect.poll(() => page.getByTestId('model-row').count()).toBeLessThan(6);
    });

    it('does not apply object captions without an object detector', async () => {
      await page.goto(`${server.baseUrl}/#/dataset/${source}/enrich`);
      await option('vit-gpt2-objects').locator('input').check();
      await page.getByTestId('missing-dependency').waitFor();
      await expect.poll(() => page.getByTestId('enrich').isDisabled()).toBe(true);
      await expect.poll(() => page.getByTestId('preview').isDisabled()).toBe(true);
      await expect.poll(() => page.getByTestId('enrich-obstacle').textContent()).toContain('needs Objects');
      await page.getByTestId('missing-dependency').getByRole('button').click();
      await expect.poll(() => option('detector').locator('input').isChecked()).toBe(true);
      await expect.poll(() => page.getByTestId('enrich').isEnabled()).toBe(true);
      await page.getByRole('button', { name: 'None for Object captions' }).click();
    });

    it('previews the chosen models on images of the dataset', async () => {
      for (const model of ['clip', 'clip-tags', 'vit-gpt2']) await option(model).locator('input').check();
      await page.getByTestId('preview').click();
      await page.getByTestId('preview-grid').waitFor({ timeout: 60_000 });
      await expect.poll(() => page.getByTestId('preview-item').count()).toBe(N_IMAGES);
      await expect.poll(() => page.getByTestId('preview-similar').count()).toBe(N_IMAGES * 5);
      const views = page.getByLabel('Model', { exact: true });
      await views.getByText('clip, tags', { exact: true }).click();
      const labels = page.getByTestId('preview-label');
      await labels.first().waitFor();
      await expect.poll(() => labels.first().textContent()).toMatch(/^(harbour|meadow|engine room)\d+%$/);
      expect(await violations(page)).toEqual([]);
    });

    it('compares two models of a type side by side', async () => {
      await option('siglip2').locator('input').check();
      await expect.poll(() => option('clip').locator('input').isChecked()).toBe(false);
      await page.getByTestId('preview').click();
      await page
        .getByLabel('Model', { exact: true })
        .getByText('siglip2', { exact: true })
        .waitFor({ timeout: 60_000 });
      await page.getByTestId('compare').getByText('clip', { exact: true }).click();
      await expect.poll(() => page.getByTestId('preview-item').count()).toBe(2 * N_IMAGES);
      await expect
        .poll(() => page.getByTestId('preview-grid').getByRole('heading').allTextContents())
        .toEqual(['siglip2', 'clip']);
      expect(await violations(page)).toEqual([]);
      await option('clip').locator('input').check();
    });

    it('keeps the choice after a reload', async () => {
      await page.reload();
      for (const model of ['clip', 'clip-tags', 'vit-gpt2', 'detector']) {
        await expect.poll(() => option(model).locator('input').isChecked()).toBe(true);
      }
    });

    it('shows the effects of an enrichment on both datasets, and stops it by deleting the copy', async () => {
      // The work is held, so that it cannot finish before it has been checked.
      holdChildren(server, 'SIGSTOP');
      await page.getByTestId('enrich').click();
      await page.getByTestId('enrich-start').click();
      await page.getByTestId('stop-enriching').waitFor();
      holdChildren(server, 'SIGSTOP');
      await expect.poll(() => page.getByTestId('dataset-status').textContent()).toBe('Enriching');
      expect(await violations(page)).toEqual([]);
      await page.getByTestId('stop-enriching').click();
      const dialog = page.getByRole('alertdialog');
      await expect.poll(() => dialog.textContent()).toContain('“Blobs” is unchanged');
      const beside = await browser.newPage({ bypassCSP: true });
      await beside.goto(`${server.baseUrl}/#/dataset/${source}`);
      await beside.getByTestId('dataset-read-only').waitFor();
      await expect.poll(() => beside.getByTestId('to-copy').textContent()).toContain('Blobs (enriched)');
      expect(await violations(beside)).toEqual([]);
      await beside.goto(`${server.baseUrl}/#/`);
      await expect
        .poll(() => beside.getByTestId('dataset-status').allTextContents())
        .toEqual(['Enriching', 'Enriching']);
      holdChildren(server, 'SIGCONT');
      await dialog.getByRole('button', { name: 'Stop and delete copy' }).click();
      await page.waitForURL((url) => url.hash === `#/dataset/${source}`);
      await expect.poll(() => beside.getByTestId('dataset-status').allTextContents()).toEqual(['Ready']);
      await beside.close();
      await page.goBack();
    });

    it('enriches a copy, which becomes READY with labels on its images', async () => {
      await page.getByTestId('enrich').click();
      await page.getByTestId('enrich-dialog').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByTestId('enrich-start').click();
      await page.waitForURL((url) => url.hash.startsWith('#/dataset/') && !url.hash.includes(source));
      await page.getByTestId('clusters-grid').waitFor({ timeout: 100_000 });
      const copy = /dataset\/([^/?]+)/.exec(page.url())?.[1] ?? '';
      await api.waitFor(copy, 'READY');
      await api.waitFor(source, 'READY');
      await page.getByTestId('more').click();
      await page.getByTestId('open-enrich').click();
      await expect.poll(() => page.getByTestId('applied-models').textContent()).toContain('Captionsvit-gpt2');

      const { body } = await api.get<ExploreResult>(`/explore/${copy}?threshold=4`);
      // In Explore, labels of boxes count as labels of the image. The item page shows them at the boxes.
      const previews = body.clusters.flatMap(({ previews: shown }) => shown);
      const items = await Promise.all(
        previews.map(({ media_id }) => api.get<Image>(`/dataset/${copy}/image/${media_id}`)),
      );
      const tagged = items.map((item) => item.body).find(({ label_details }) => label_details.length > 0);
      const label = tagged?.label_details[0]?.label ?? 'nothing was labelled';
      await page.goto(`${server.baseUrl}/#/dataset/${copy}/item/${tagged?.media_id}`);
      await page.getByTestId('item-labels').getByText(label, { exact: true }).first().waitFor();
    });

    it('removes a model after a confirmation', async () => {
      await page.goto(`${server.baseUrl}/#/models`);
      await row('vit-gpt2').getByTestId('remove-model').click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove model' }).click();
      await row('vit-gpt2').waitFor({ state: 'detached' });
      await expect.poll(() => row('vit-gpt2-objects').count()).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  describe('from a hub', () => {
    const MODEL = tinyEncoder(1_000_000);
    const PATH = '/someone/tiny/resolve/main/model.onnx';
    let baseUrl: string;
    let hub: ModelHub;

    beforeAll(async () => {
      hub = await startModelHub({ [PATH]: MODEL });
      atEnd(() => hub.close());
      const catalogue = join(await temporaryFolder(atEnd), 'models.json');
      const files = [{ path: 'model.onnx', size_bytes: MODEL.length, sha256: sha256Of(MODEL) }];
      const source = { hub_repository: 'someone/tiny' };
      await writeFile(
        catalogue,
        JSON.stringify({
          packages: [{ id: 'tiny', name: 'Tiny', vendor: 'Nobody', licence: 'CC0-1.0', source, files }],
          models: [
            {
              id: 'tiny',
              package_id: 'tiny',
              name: 'Tiny',
              description: '',
              type: 'MULTIMODEL_IMAGE_ENCODING',
              runner: TINY_RUNNER,
            },
          ],
        }),
      );
      ({ baseUrl } = await startApp({}, { VITRINE_MODELS_CATALOGUE: catalogue }));
    });

    it('offers only import while downloads are turned off', async () => {
      await page.goto(`${baseUrl}/#/models`);
      await page.getByTestId('hub-url').fill(hub.url);
      await page.getByTestId('model-settings').getByRole('button', { name: 'Save' }).click();
      await page.getByTestId('never-download').click();
      await page.getByTestId('downloads-off').waitFor();
      await expect.poll(() => row('tiny').getByTestId('download-model').count()).toBe(0);
      await row('tiny').getByRole('button', { name: 'Import Tiny from a folder' }).click();
      await page.getByTestId('import-dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByTestId('never-download').click();
      await row('tiny').getByTestId('download-model').waitFor();
      expect(hub.requests).toEqual([]);
    });

    it('shows the progress of a download, stops it, and resumes it', async () => {
      hub.misbehave(() => ({ kind: 'slow' }));
      await row('tiny').getByTestId('download-model').click();
      const progress = row('tiny').getByTestId('download-progress');
      await expect.poll(() => progress.textContent()).toMatch(/^[1-9]\d*%.* of 4\.0 MB.*\/s/);
      expect(await violations(page)).toEqual([]);
      await row('tiny').getByTestId('cancel-download').click();
      await expect.poll(() => row('tiny').textContent()).toContain('already downloaded');
      hub.hurry();
      await row('tiny').getByTestId('download-model').click();
      await expect.poll(() => row('tiny').getAttribute('data-state')).toBe('installed');
      expect(hub.requests.at(-1)?.range).toMatch(/^bytes=\d+-$/);
      expect(complaints).toEqual([]);
    });
  });
});
