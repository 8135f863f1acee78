import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { DuplicateList } from '../../src-main/contract/schemas/duplicates.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { Api, until } from '../support/api.ts';
import { browserMissing, complaintsOf, launchBrowser } from '../support/browser.ts';
import { areFacetsOpen } from '../support/open-facets.ts';
import { scene } from '../support/scenes.ts';
import { type Server, startServer } from '../support/server.ts';
import { Hand, WAYS } from './hand.ts';

/** Folder for a screenshot of each step, by theme and size; none if it is not set. */
const PICTURES = process.env.VITRINE_BENCH_PICTURES;
const LIMIT_MS = 120_000;
const WIDTH = 240;
const [TAGGED, OTHERS, BLURRED, COPIES] = [300, 40, 8, 20];
const [KINDS, IMAGES_OF_A_KIND] = [12, 12];

/** Looks in which the journeys are made; `VITRINE_BENCH_LOOKS` overrides them, for example with `dark-1920,light-1280`. */
const LOOKS = (process.env.VITRINE_BENCH_LOOKS ?? 'dark-1280,light-1920').split(',').map((name) => {
  const [theme = '', width] = name.split('-');
  return { name, theme, viewport: width === '1920' ? { width: 1920, height: 1080 } : { width: 1280, height: 800 } };
});
type Look = (typeof LOOKS)[number];

interface Journey {
  page: Page;
  hand: Hand;
  api: Api;
  dataset: string;
  /** A dataset with a wrong label in each class. */
  labelled: string;
  folder: string;
}

/**
 * Measures how much a person does for the usual work, by keyboard alone and by mouse: keys or clicks, characters typed beside them, and
 * seconds of which none is thought. Each journey checks its result on the server.
 */
export async function measureJourneys(folder: string): Promise<object> {
  const missing = browserMissing();
  if (missing !== undefined) return { skipped: missing };
  const media = await layOut(join(folder, 'media'));
  const server = await startServer(join(folder, 'data'));
  try {
    const figures: Record<string, object> = {};
    for (const look of LOOKS) figures[look.name] = await travel(server, media, folder, look);
    return figures;
  } finally {
    await server.stop();
  }
}

async function travel(
  server: Server,
  media: { doubts: string; labels: string },
  folder: string,
  look: Look,
): Promise<object> {
  const api = new Api(server.baseUrl);
  const browser = await launchBrowser();
  const figures: Record<string, Record<string, object>> = {};
  try {
    for (const way of WAYS) {
      const name = `${look.name} ${way}`;
      const dataset = await api.createFromFolder(name, media.doubts, { encoder: 'none' });
      const labelled = await api.createFromFolder(`${name} labels`, media.labels, { encoder: 'none' });
      for (const id of [dataset, labelled]) await api.waitFor(id, 'READY', LIMIT_MS);
      await api.atRest();
      const page = await browser.newPage({ viewport: look.viewport, acceptDownloads: true });
      const preferences = JSON.stringify({ state: { theme: look.theme }, version: 0 });
      await page.addInitScript((text) => localStorage.setItem('vitrine.preferences', text), preferences);
      const complaints = complaintsOf(page);
      const hand = new Hand(page, way, PICTURES && join(PICTURES, look.name, way));
      for (const [title, run] of Object.entries(JOURNEYS)) {
        const of = title === 'mislabels fixed' ? labelled : dataset;
        await page.goto(`${server.baseUrl}/#/dataset/${of}`);
        await page.getByTestId('open-review').waitFor();
        await hand.begin(title);
        await run({ page, hand, api, dataset, labelled, folder });
        const of1 = figures[title] ?? {};
        figures[title] = { ...of1, [way]: hand.end() };
      }
      if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`);
      await page.close();
    }
    return figures;
  } finally {
    await browser.close();
  }
}

const JOURNEYS: Record<string, (journey: Journey) => Promise<void>> = {
  'duplicates resolved': async ({ page, hand, api, dataset }) => {
    await acceptAll(hand, page, 'duplicates');
    await until(async () => (await api.get<DuplicateList>(`/explore/${dataset}/duplicates`)).body.total_groups === 0);
  },
  'blurred excluded': async ({ page, hand, api, dataset }) => {
    await acceptAll(hand, page, 'blur');
    await until(async () => (await namesOf(api, dataset)).every((name) => !name.startsWith('soft')));
  },
  'mislabels fixed': async ({ page, hand, api, labelled }) => {
    await acceptAll(hand, page, 'mislabels');
    await until(async () => (await wrongLabels(api, labelled)) === 0);
  },
  '300 images tagged, labelled, exported': async ({ page, hand, api, dataset }) => {
    await filterTagged(hand, page);
    if (hand.way === 'keyboard') {
      await hand.press('ArrowRight');
      await hand.press('Control+a');
    } else {
      await page.locator('[role=gridcell]').first().hover();
      await hand.click(page.getByTestId('tile-check').first());
      await hand.click(page.getByTestId('select-all'));
    }
    await page.getByTestId('selected').waitFor();
    await hand.step('selected');
    for (const [kind, key, word] of [
      ['tag', 't', 'checked'],
      ['label', 'l', 'night'],
    ] as const) {
      await hand.activate(`selection-tray] [data-testid=${kind}`, key);
      await page.getByTestId(`${kind}-name`).waitFor();
      await hand.type(word);
      await hand.press('Enter');
      await page.getByText(`${kind === 'tag' ? 'Tags' : 'Labels'} of ${TAGGED} items changed`).waitFor();
      await hand.step(kind);
    }
    await hand.activate('export-chosen', 'e');
    await page.getByTestId('export-dialog').waitFor();
    await hand.step('export');
    const download = page.waitForEvent('download');
    await hand.activate('export-start');
    await download;
    if (hand.way === 'keyboard') await hand.press('Escape');
    else await hand.click(page.getByTestId('export-dialog').getByRole('button', { name: 'Close' }).last());
    await page.getByTestId('export-dialog').waitFor({ state: 'detached' });
    const filter = encodeURIComponent(JSON.stringify([{ labels: { op: 'is', value: ['night'] } }]));
    const { body } = await api.get<ItemPage>(`/explore/${dataset}/items?vql=${filter}`);
    if (body.total !== TAGGED) throw new Error(`${body.total} items were labelled`);
  },
  'a view saved, a batch added, the alert opened': async ({ page, hand, api, dataset, folder }) => {
    await filterTagged(hand, page);
    if (hand.way === 'keyboard') {
      await hand.press('Control+k');
      await hand.type('save as');
      await page.getByTestId('palette').getByRole('option').first().waitFor();
      await hand.press('Enter');
    } else await hand.click(page.getByTestId('save-view'));
    await page.getByTestId('view-name').waitFor();
    await hand.type('Watched');
    await hand.step('named');
    await hand.press('Enter');
    await page.getByTestId('notice').getByText('Saved').waitFor();
    const more = join(folder, `more-${dataset}`, 'tagged');
    await mkdir(more, { recursive: true });
    await writeFile(join(more, 'new.png'), await scene(9_999, WIDTH, WIDTH));
    await api.post(`/dataset/${dataset}/add_media`, { s3_uri: join(folder, `more-${dataset}`), auto_reindex: 'true' });
    await page.getByTestId('alerts-badge').waitFor();
    await hand.step('alerted');
    await hand.activate('alerts-bell', 'u');
    await page.getByTestId('alert-row').first().waitFor();
    await hand.step('alerts');
    const before = page.url();
    await hand.activate('alert-row');
    await page.waitForURL((url) => url.href !== before);
    await hand.step('opened');
    await api.waitFor(dataset, 'READY', LIMIT_MS);
  },
  'a snapshot made, restored': async ({ page, hand, api, dataset }) => {
    if (hand.way === 'keyboard') {
      await hand.press('Control+k');
      await hand.type('snapshots');
      await page.getByTestId('palette').getByRole('option').first().waitFor();
      await hand.press('Enter');
    } else {
      await hand.click(page.getByTestId('more'));
      await hand.click(page.getByTestId('open-snapshots'));
    }
    const rows = page.getByTestId('snapshot-row');
    await rows.first().waitFor();
    const before = await rows.count();
    await hand.activate('snapshot-create');
    await page.getByTestId('snapshot-dialog').waitFor();
    await hand.type('Curated');
    await hand.press('Enter');
    await rows.nth(before).waitFor();
    await hand.step('made');
    await hand.activate('snapshot-menu');
    const restore = page.getByRole('menuitem', { name: 'Restore snapshot' });
    await restore.waitFor();
    if (hand.way === 'keyboard') {
      const isChosen = () => restore.evaluate((entry) => entry === document.activeElement);
      while (!(await isChosen())) await hand.press('ArrowDown');
      await hand.press('Enter');
    } else await hand.click(restore);
    const confirm = page.getByRole('button', { name: 'Restore snapshot' });
    await confirm.waitFor();
    await hand.step('confirm');
    if (hand.way === 'keyboard') {
      // Cancel has the focus.
      await hand.press('Tab');
      await hand.press('Enter');
    } else await hand.click(confirm);
    await rows.nth(before + 1).waitFor();
    await api.waitFor(dataset, 'READY', LIMIT_MS);
  },
};

/** From Explore: opens a queue of the review, and accepts all its suggestions. */
async function acceptAll(hand: Hand, page: Page, kind: string): Promise<void> {
  await hand.activate('open-review', 'r');
  await page.getByTestId(`review-${kind}`).waitFor();
  await hand.step('queues');
  await hand.activate(`review-${kind}`);
  await page.getByTestId('review-reason').waitFor();
  await hand.step('queue');
  await hand.activate('review-all', 'Shift+A');
  await page.locator('[data-testid=bulk-confirm]:enabled').waitFor();
  await hand.step('all');
  if (hand.way === 'keyboard') await hand.press('Enter');
  else await hand.click(page.getByTestId('bulk-confirm'));
  await page.locator('[data-testid=review-done], [data-testid=review-skipped]').first().waitFor();
  await hand.step('done');
}

/** Filters the list to the folder of the images to tag. */
async function filterTagged(hand: Hand, page: Page): Promise<void> {
  if (hand.way === 'keyboard') {
    await hand.press('Control+k');
    await hand.type('tagged');
    await page.getByTestId('palette').getByRole('option').filter({ hasText: 'tagged' }).first().waitFor();
    await hand.press('Enter');
  } else {
    if (!(await areFacetsOpen(page))) await hand.click(page.getByTestId('toggle-facets'));
    await hand.click(page.getByTestId('facet-folders').filter({ hasText: 'tagged' }));
  }
  await page.getByTestId('filter-chip').waitFor();
  await hand.step('filtered');
}

async function namesOf(api: Api, dataset: string): Promise<string[]> {
  const { body } = await api.get<ItemPage>(`/explore/${dataset}/items?page_size=500`);
  return body.items.map(({ file_name }) => file_name);
}

async function wrongLabels(api: Api, dataset: string): Promise<number> {
  let n = 0;
  for (let kind = 0; kind < KINDS; kind += 1) {
    const filter = encodeURIComponent(JSON.stringify([{ labels: { op: 'is', value: [`kind-${kind}`] } }]));
    const { body } = await api.get<ItemPage>(`/explore/${dataset}/items?page_size=500&vql=${filter}`);
    n += body.items.filter(({ file_name }) => !file_name.startsWith(`kind-${kind}-`)).length;
  }
  return n;
}

/** Draws a dataset with blurred images and copies, and one with a wrong label in each class. */
async function layOut(folder: string): Promise<{ doubts: string; labels: string }> {
  const [doubts, labels] = [join(folder, 'doubts'), join(folder, 'labels')];
  for (const part of ['tagged', 'others', 'soft', 'copies']) await mkdir(join(doubts, part), { recursive: true });
  await mkdir(labels, { recursive: true });
  const draw = async (name: string, seed: number) => writeFile(join(doubts, name), await scene(seed, WIDTH, WIDTH));
  const numbers = (n: number) => Array.from({ length: n }, (_, nth) => nth);
  await pMap(numbers(TAGGED), (nth) => draw(join('tagged', `${nth}.png`), nth + 1), { concurrency: 2 });
  await pMap(numbers(OTHERS), (nth) => draw(join('others', `${nth}.png`), 1000 + nth), { concurrency: 2 });
  for (const nth of numbers(BLURRED)) {
    const soft = await sharp(await scene(2000 + nth, WIDTH, WIDTH))
      .blur(7)
      .toBuffer();
    await writeFile(join(doubts, 'soft', `soft-${nth}.png`), soft);
  }
  for (const nth of numbers(COPIES)) {
    await copyFile(join(doubts, 'others', `${nth}.png`), join(doubts, 'copies', `copy-${nth}.png`));
  }
  const rows = ['filename,label'];
  for (const kind of numbers(KINDS)) {
    const base = await scene(5000 + kind, WIDTH, WIDTH);
    for (const nth of numbers(IMAGES_OF_A_KIND)) {
      const name = `kind-${kind}-${nth}.png`;
      const image = sharp(base).linear(1 - nth * 0.02, nth);
      await writeFile(join(labels, name), await image.png().toBuffer());
      rows.push(`${name},kind-${nth === 0 ? (kind + 1) % KINDS : kind}`);
    }
  }
  await writeFile(join(labels, 'image_annotations.csv'), `${rows.join('\n')}\n`);
  return { doubts, labels };
}
