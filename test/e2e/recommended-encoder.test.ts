import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { startModelHub } from '../support/model-hub.ts';
import { needs } from '../support/needs.ts';
import { COLOURS, recommendedPackage } from '../support/recommended-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the recommended encoder', needs(browserMissing()), () => {
  it('is offered beside the first dataset, which groups its images by it after one click', async () => {
    const root = await temporaryFolder(atEnd);
    const made = recommendedPackage(await mkdtemp(join(root, 'model-')));
    const hub = await startModelHub(made.onHub);
    atEnd(() => hub.close());
    const images = await mkdtemp(join(root, 'images-'));
    await writeImages(images, [1, 2, 3, 4, 5, 6]);
    const { baseUrl, openPage } = await startApp(
      { viewport: { width: 1440, height: 900 } },
      {
        VITRINE_MODELS_CATALOGUE: made.catalogue,
        VITRINE_MODELS_HUB_URL: hub.url,
        VITRINE_RECOMMENDED_ENCODER: 'ask',
      },
    );
    const { page, complaints } = await openPage();
    const banner = page.getByTestId('encoder-banner');

    await page.goto(baseUrl);
    await page.getByTestId('first-run').waitFor();
    expect(await banner.count()).toBe(0);
    const form = new FormData();
    form.set('dataset_name', 'Blobs');
    form.set('bucket_path', images);
    const created = await fetch(`${baseUrl}/api/v1/dataset`, { method: 'POST', body: form });
    const { dataset_id: id } = (await created.json()) as { dataset_id: string };
    await banner.waitFor();
    expect(await banner.textContent()).toMatch(/^Understand what images show\? One download of \d+ KB/);
    expect(await violations(page)).toEqual([]);

    await banner.getByRole('button', { name: 'Download' }).click();
    await expect.poll(() => banner.count(), { timeout: 60_000 }).toBe(0);
    const encoderOf = async () => {
      const answer = await fetch(`${baseUrl}/api/v1/enrichment/${id}/context`);
      return (await answer.text()).includes(`"MULTIMODEL_IMAGE_ENCODING":"${COLOURS}"`);
    };
    await expect.poll(encoderOf, { timeout: 60_000 }).toBe(true);
    expect(complaints).toEqual([]);
  });
});
