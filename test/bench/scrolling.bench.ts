import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import sharp from 'sharp';
import { browserMissing, launchBrowser } from '../support/browser.ts';
import { image } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { GENERATED_DATASET, generateDataset } from './generated-dataset.ts';
import { median, quantile, round } from './timing.ts';

/** `VITRINE_BENCH_ITEMS` overrides. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 100_000);
/** How long is scrolled; `VITRINE_BENCH_SCROLL_S` overrides: 600 for ten minutes. */
const SCROLLED_S = Number(process.env.VITRINE_BENCH_SCROLL_S ?? 60);
const VIEWPORT = { width: 1280, height: 800 };
/** A quick hand on the wheel; after each stretch it goes on elsewhere, in another list. */
const SPEED_PX_PER_S = 3000;
const STRETCH_S = 5;
const THUMBNAILS = 64;
const THUMBNAIL_PX = 256;
/** Lists that are scrolled in turn: all items, in another order, and what filters leave. */
const LISTS = [
  '?flat=name',
  '?flat=similarity',
  `?flat=name&vql=${encodeURIComponent('[{"files":{"op":"contains","value":["7"]}}]')}`,
  `?flat=created&vql=${encodeURIComponent('[{"files":{"op":"ends_with","value":["1.jpg","2.jpg"]}}]')}`,
];

interface Stretch {
  frames: number[];
  scrolledPx: number;
  /** Thumbnails on screen that had not come when the scrolling ended. */
  missing: number;
}

/**
 * A real page that scrolls through many thumbnails, drawn without a GPU: milliseconds from frame to frame, the share of the time that the
 * page's own thread works, requests for each screenful that passes, and what the page holds before, half way and at the end.
 */
export async function measureScrolling(folder: string): Promise<object> {
  const missing = browserMissing();
  if (missing !== undefined) return { skipped: missing };
  const data = join(folder, 'data');
  await generateDataset(data, ITEMS, await thumbnails());
  const server = await startServer(data);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    const open = async (list: string) => {
      await page.goto(`${server.baseUrl}/#/dataset/${GENERATED_DATASET}${list}`);
      await page.getByTestId('item-tile').first().locator('img').waitFor();
    };
    await open(LISTS[0] ?? '');
    const session = await page.context().newCDPSession(page);
    const memory = [await memoryOf(session)];
    const stretches: Stretch[] = [];
    const nStretches = Math.max(2, Math.ceil(SCROLLED_S / STRETCH_S));
    const works = { busy: 0, script: 0, style_and_layout: 0 };
    requests = 0;
    for (let nth = 0; nth < nStretches; nth += 1) {
      await open(LISTS[nth % LISTS.length] ?? '');
      const before = await metricsOf(session);
      stretches.push(await scroll(page, nth / nStretches));
      const of = timesOf(before, await metricsOf(session));
      works.busy += of('TaskDuration');
      works.script += of('ScriptDuration');
      works.style_and_layout += of('LayoutDuration') + of('RecalcStyleDuration');
      if (nth + 1 === Math.ceil(nStretches / 2)) memory.push(await memoryOf(session));
    }
    memory.push(await memoryOf(session));
    const frames = stretches.flatMap((stretch) => stretch.frames);
    const screens = stretches.reduce((sum, { scrolledPx }) => sum + scrolledPx, 0) / VIEWPORT.height;
    return {
      items: ITEMS,
      scrolled_s: nStretches * STRETCH_S,
      screens: round(screens),
      frame_ms: { p50: round(median(frames)), p95: round(quantile(frames, 0.95)), max: round(quantile(frames, 1)) },
      share_of_the_time: Object.fromEntries(
        Object.entries(works).map(([work, seconds]) => [work, round(seconds / (nStretches * STRETCH_S))]),
      ),
      requests_a_screen: round(requests / screens),
      thumbnails_missing_at_the_end_of_a_stretch: round(
        stretches.reduce((sum, stretch) => sum + stretch.missing, 0) / stretches.length,
      ),
      memory_at_start_half_and_end: memory,
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

function thumbnails(): Promise<Uint8Array[]> {
  return Promise.all(
    Array.from({ length: THUMBNAILS }, async (_, seed) =>
      sharp(await image(seed))
        .resize(THUMBNAIL_PX)
        .webp()
        .toBuffer(),
    ),
  );
}

/** Scrolls for a while from a place in the list, 0 … 1. */
function scroll(page: Page, from: number): Promise<Stretch> {
  return page.evaluate(
    async ({ start, speed, lengthMs }) => {
      const grid = document.querySelector('[data-testid="items-grid"]');
      const scroller = [grid, ...(grid?.querySelectorAll('*') ?? [])].find(
        (element) => element !== null && element.scrollHeight > element.clientHeight + 100,
      );
      if (!scroller) throw new Error('nothing scrolls');
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      scroller.scrollTop = start * (scroller.scrollHeight - scroller.clientHeight);
      await nextFrame();
      const began = await nextFrame();
      const top = scroller.scrollTop;
      const frames: number[] = [];
      let scrolledPx = 0;
      for (let before = began; before - began < lengthMs; ) {
        const now = await nextFrame();
        frames.push(now - before);
        before = now;
        scrolledPx = ((now - began) * speed) / 1000;
        scroller.scrollTop = top + scrolledPx;
      }
      const images = [...scroller.querySelectorAll('img')];
      return { frames, scrolledPx, missing: images.filter((one) => !one.complete || one.naturalWidth === 0).length };
    },
    { start: from * 0.9, speed: SPEED_PX_PER_S, lengthMs: STRETCH_S * 1000 },
  );
}

async function memoryOf(session: CDPSession): Promise<{ heap_mb: number; dom_nodes: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const metrics = await metricsOf(session);
  return { heap_mb: round((metrics.get('JSHeapUsedSize') ?? 0) / 2 ** 20), dom_nodes: metrics.get('Nodes') ?? 0 };
}

async function metricsOf(session: CDPSession): Promise<Map<string, number>> {
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** Seconds that passed in a kind of work between two moments. */
function timesOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): (name: string) => number {
  return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
}
