import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { openLocal } from '../../clients/typescript/local.ts';
import type { Vitrine } from '../../clients/typescript/vitrine.ts';

/*
 * Implements `npm run generate:pictures`: draws the pictures of the documentation from the built app and its own sample dataset. `CHROMIUM`
 * names the browser, if it is not at the usual place of Debian.
 */
const root = resolve(import.meta.dirname, '..', '..');
const pictures = join(root, 'docs', 'pictures');
const VIEWPORT = { width: 1280, height: 800 };
/** Colours of a picture: few enough for a small file, enough for the gradients of the sample. */
const COLOURS = 128;

/** Pages of a dataset by the name of their picture, with what each shows once it is complete. */
const SCREENS: Record<string, { address: (dataset: string) => string; shown: string }> = {
  clusters: { address: (id) => `/dataset/${id}`, shown: '[data-testid=cluster-size]' },
  table: { address: (id) => `/dataset/${id}?flat=name&table=true`, shown: '[role=row]' },
  map: { address: (id) => `/dataset/${id}?map=label`, shown: '[data-testid=map]' },
  charts: { address: (id) => `/dataset/${id}?charts=true`, shown: '[data-testid=charts]' },
  duplicates: { address: (id) => `/dataset/${id}/duplicates?level=0.9`, shown: '[data-testid=duplicate-group]' },
  review: { address: (id) => `/dataset/${id}/review/duplicates`, shown: '[data-testid=review]' },
};

const data = await mkdtemp(join(tmpdir(), 'vitrine-pictures-'));
const local = await openLocal({ data, command: [process.execPath, join(root, 'out', 'main', 'headless.js')] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  const dataset = await makeSample(local.vitrine);
  const page = await browser.newPage({ viewport: VIEWPORT, locale: 'en-GB', colorScheme: 'light' });
  for (const [name, { address, shown }] of Object.entries(SCREENS)) {
    await page.goto(`${local.vitrine.baseUrl}/#${address(dataset)}`);
    await page.locator(shown).first().waitFor();
    await hintsClosed(page);
    await imagesLoaded(page);
    const png = await sharp(await page.screenshot({ animations: 'disabled' }))
      .png({ palette: true, colours: COLOURS })
      .toBuffer();
    await writeFile(join(pictures, `${name}.png`), png);
  }
} finally {
  await browser.close();
  await local.close();
  await rm(data, { recursive: true, force: true });
}

/** Makes the sample dataset, and waits until everything about it is computed. */
async function makeSample(vitrine: Vitrine): Promise<string> {
  await vitrine.api.answer_recommendation({ answer: 'declined' });
  const { dataset_id } = await vitrine.api.create_sample_dataset({ dataset_name: 'Sample' });
  await vitrine.waitForDataset(dataset_id);
  for (;;) {
    const { tasks } = await vitrine.api.list_tasks({ dataset_id, with_service: true, page: 1, page_size: 50 });
    const open = tasks.find(({ end_time }) => end_time === null);
    if (open === undefined) return dataset_id;
    await vitrine.waitForTask(open.task_id);
  }
}

async function hintsClosed(page: Page): Promise<void> {
  const close = page.getByTestId('close-hints');
  while (await close.first().isVisible()) await close.first().click();
}

async function imagesLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => Promise.all(Array.from(document.images, (image) => image.decode().catch(() => undefined))));
}
