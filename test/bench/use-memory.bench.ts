import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { drawSample } from '../../src-main/infra/images/draw-sample.ts';
import { Api } from '../support/api.ts';
import { browserMissing, complaintsOf, launchBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';
import { round } from './timing.ts';

/** Minutes of use; `VITRINE_BENCH_USE_MIN` overrides it, for example with 60 for an hour. */
const USED_MIN = Number(process.env.VITRINE_BENCH_USE_MIN ?? 3);
/** Milliseconds between two actions; `VITRINE_BENCH_USE_PAUSE_MS` overrides it, for example with 2000 for the pace of a person. */
const PAUSE_MS = Number(process.env.VITRINE_BENCH_USE_PAUSE_MS ?? 100);
/** Number of times the memory is measured during the use. */
const SAMPLES = 12;
const IMAGES_PER_SCENE = 60;
const VIEWPORT = { width: 1280, height: 800 };

interface Sample {
  minutes: number;
  actions: number;
  /** JavaScript heap after a garbage collection. */
  heap_mb: number;
  dom_nodes: number;
  listeners: number;
}

/** One thing that a person does. Resolves when the page shows its result. */
type Action = (page: Page) => Promise<unknown>;

/**
 * Measures the memory of one page that a person uses for long without reloading it: round after round through all screens with scrolling,
 * changing filters and searches, items opened one after the other, edits and their undo.
 */
export async function measureUseMemory(folder: string): Promise<object> {
  const missing = browserMissing();
  if (missing !== undefined) return { skipped: missing };
  const server = await startServer(join(folder, 'data'));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    const complaints = complaintsOf(page);
    const { address, items } = await prepare(server.baseUrl, join(folder, 'sample'));
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await page.goto(server.baseUrl);
    const samples: Sample[] = [];
    const startedMs = performance.now();
    let actions = 0;
    for (let nth = 0; samples.length <= SAMPLES; nth += 1) {
      for (const act of roundOf(nth, address, items)) {
        await act(page);
        actions += 1;
        await pause(PAUSE_MS);
      }
      // Always on the same screen, so that the numbers of elements can be compared.
      const minutes = (performance.now() - startedMs) / 60_000;
      if (minutes >= (samples.length / SAMPLES) * USED_MIN) {
        samples.push({ minutes: round(minutes), actions, ...(await sampleOf(session)) });
      }
    }
    if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`);
    return { samples };
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Creates a dataset of the drawn sample. @returns Its address and the ids of its items. */
async function prepare(baseUrl: string, folder: string): Promise<{ address: string; items: string[] }> {
  await drawSample(folder, IMAGES_PER_SCENE);
  const api = new Api(baseUrl);
  const dataset = await api.createFromFolder('Sample', folder);
  await api.waitFor(dataset, 'READY');
  await api.atRest();
  const { body } = await api.get<ItemPage>(`/explore/${dataset}/items?page_size=500`);
  return { address: `#/dataset/${dataset}`, items: body.items.map(({ media_id }) => media_id) };
}

/** Returns the actions of one round. Each round has other filters, searches and items, so that every cache grows that has no bound. */
function roundOf(nth: number, address: string, items: readonly string[]): Action[] {
  const media = (offset: number) => items[(nth * 7 + offset) % items.length] ?? '';
  const containing = (text: string) =>
    `&vql=${encodeURIComponent(`[{"files":{"op":"contains","value":["${text}"]}}]`)}`;
  const goTo = (path: string, ready: string) => async (page: Page) => {
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, path);
    await page.getByTestId(ready).first().waitFor();
  };
  const press = (key: string, ready?: string) => async (page: Page) => {
    await page.keyboard.press(key);
    if (ready !== undefined) await page.getByTestId(ready).first().waitFor();
  };
  const type = (text: string) => (page: Page) => page.keyboard.type(text);
  const scroll = (px: number) => async (page: Page) => {
    await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height / 2);
    await page.mouse.wheel(0, px);
  };
  const click = (testId: string, ready: string) => async (page: Page) => {
    await page.getByTestId(testId).first().click();
    await page.getByTestId(ready).first().waitFor();
  };
  const focusTile = (page: Page) => page.locator('[role=gridcell][tabindex="0"]').focus();
  const away = (testId: string) => (page: Page) => page.getByTestId(testId).waitFor({ state: 'detached' });
  return [
    goTo('#/', 'dataset-card'),
    goTo(address, 'cluster-tile'),
    scroll(1500),
    click('cluster-tile', 'item-tile'),
    press('Escape', 'cluster-tile'),
    goTo(`${address}?flat=name`, 'item-tile'),
    scroll(4000),
    goTo(`${address}?flat=size&order=desc${containing(String(nth))}`, 'query-row'),
    goTo(`${address}?flat=created${containing(`beach-${nth % 60}`)}`, 'query-row'),
    goTo(`${address}?text=scene%20${nth}&in=words`, 'query-row'),
    goTo(`${address}?anchor=${media(0)}`, 'similar-tile'),
    goTo(`${address}?table=true`, 'items-table'),
    scroll(2000),
    goTo(`${address}?map=label`, 'legend-entry'),
    scroll(-400),
    goTo(`${address}?charts=true`, 'chart-curves'),
    goTo(`${address}/item/${media(1)}?flat=name`, 'item-page'),
    press('ArrowRight', 'item-page'),
    press('ArrowRight', 'item-page'),
    press('ArrowRight', 'item-page'),
    press('+'),
    goTo(`${address}/compare/${media(2)},${media(3)}`, 'compare'),
    goTo(`${address}/duplicates`, 'duplicate-group'),
    goTo(`${address}/review`, 'review-queues'),
    goTo(`${address}/review/unlabeled`, 'review'),
    goTo(`${address}?flat=name`, 'item-tile'),
    focusTile,
    press(' ', 'quick-look'),
    press('ArrowRight', 'quick-look'),
    press(' '),
    focusTile,
    press('p', 'selected'),
    press('t', 'tag-name'),
    type(`round ${nth % 3}`),
    press('Enter', 'undo'),
    click('undo', 'selected'),
    click('clear-selection', 'item-tile'),
    press('Control+k', 'palette'),
    type(`folder ${nth}`),
    press('Escape'),
    away('palette'),
    goTo(`${address}/data`, 'source-row'),
    goTo(`${address}/views`, 'no-views'),
    goTo(`${address}/enrich`, 'enrich-page'),
    goTo('#/tasks', 'task-row'),
    goTo('#/models', 'model-row'),
    goTo('#/settings', 'setting'),
    goTo('#/api', 'snippet'),
    goTo('#/recovery', 'back-up'),
  ];
}

async function sampleOf(session: CDPSession): Promise<Omit<Sample, 'minutes' | 'actions'>> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    heap_mb: round(read('JSHeapUsedSize') / 2 ** 20),
    dom_nodes: read('Nodes'),
    listeners: read('JSEventListeners'),
  };
}
