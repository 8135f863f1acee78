import { join } from 'node:path';
import sharp from 'sharp';
import { browserMissing, launchBrowser } from '../support/browser.ts';
import { image } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { type BarePage, openBarePage } from './bare-page.ts';
import { GENERATED_DATASET, generateDataset } from './generated-dataset.ts';
import { median, quantile, round } from './timing.ts';

/** Number of items; `VITRINE_BENCH_ITEMS` overrides it. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 100_000);
/** Scrolling time in seconds; `VITRINE_BENCH_SCROLL_S` overrides it, for example with 600 for ten minutes. */
const SCROLLED_S = Number(process.env.VITRINE_BENCH_SCROLL_S ?? 60);
const VIEWPORT = { width: 1280, height: 800 };
/** Speed of a quick mouse-wheel user. Each stretch scrolls another position of another list. */
const SPEED_PX_PER_S = 3000;
const STRETCH_S = 5;
/** Time limit in milliseconds for loading a list, even on a busy machine. */
const LIST_LIMIT_MS = 60_000;
const THUMBNAILS = 64;
const THUMBNAIL_PX = 256;
/** Lists that are scrolled in turn: all items, another order, and filtered items. */
const LISTS = [
  '?flat=name',
  '?flat=similarity',
  `?flat=name&vql=${encodeURIComponent('[{"files":{"op":"contains","value":["7"]}}]')}`,
  `?flat=created&vql=${encodeURIComponent('[{"files":{"op":"ends_with","value":["1.jpg","2.jpg"]}}]')}`,
];

interface Stretch {
  frames: number[];
  scrolledPx: number;
  requests: number;
  /** Number of tiles in view at the sampled moments, and number of those with their thumbnail. */
  seen: { tiles: number; shown: number };
  /** Milliseconds from the end of scrolling until all tiles in view had their thumbnails. */
  completeMs: number;
}

/**
 * Measures a real page that scrolls through many thumbnails without a GPU: milliseconds between frames, the share of time in which the
 * page's main thread works, the share of passing tiles that are shown with their thumbnail, requests per screenful, and the page's memory
 * before, half way and at the end.
 */
export async function measureScrolling(folder: string): Promise<object> {
  const missing = browserMissing();
  if (missing !== undefined) return { skipped: missing };
  const data = join(folder, 'data');
  await generateDataset(data, ITEMS, await thumbnails());
  const server = await startServer(data);
  const browser = await launchBrowser();
  try {
    const page = await openBarePage(browser, VIEWPORT);
    await page.send('Page.navigate', { url: `${server.baseUrl}/#${addressOf(0)}` });
    await listed(page);
    await page.send('Performance.enable', { timeDomain: 'threadTicks' });
    const memory = [await memoryOf(page)];
    const stretches: Stretch[] = [];
    const nStretches = Math.max(2, Math.ceil(SCROLLED_S / STRETCH_S));
    const works = { busy: 0, script: 0, style_and_layout: 0 };
    for (let nth = 0; nth < nStretches; nth += 1) {
      await page.evaluate((address) => window.location.replace(`#${address}`), addressOf(nth));
      await listed(page);
      const before = await metricsOf(page);
      stretches.push(await scroll(page, nth / nStretches));
      const of = timesOf(before, await metricsOf(page));
      works.busy += of('TaskDuration');
      works.script += of('ScriptDuration');
      works.style_and_layout += of('LayoutDuration') + of('RecalcStyleDuration');
      if (nth + 1 === Math.ceil(nStretches / 2)) memory.push(await memoryOf(page));
    }
    memory.push(await memoryOf(page));
    const frames = stretches.flatMap((stretch) => stretch.frames);
    const sum = (of: (stretch: Stretch) => number) => stretches.reduce((before, stretch) => before + of(stretch), 0);
    const screens = sum((stretch) => stretch.scrolledPx) / VIEWPORT.height;
    return {
      items: ITEMS,
      scrolled_s: nStretches * STRETCH_S,
      screens: round(screens),
      frame_ms: { p50: round(median(frames)), p95: round(quantile(frames, 0.95)), max: round(quantile(frames, 1)) },
      share_of_the_time: Object.fromEntries(
        Object.entries(works).map(([work, seconds]) => [work, round(seconds / (nStretches * STRETCH_S))]),
      ),
      requests_a_screen: round(sum((stretch) => stretch.requests) / screens),
      share_of_thumbnails_seen: round(sum(({ seen }) => seen.shown) / sum(({ seen }) => seen.tiles)),
      complete_after_ms: {
        p50: round(median(stretches.map((stretch) => stretch.completeMs))),
        max: round(Math.max(...stretches.map((stretch) => stretch.completeMs))),
      },
      memory_at_start_half_and_end: memory,
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

function addressOf(nth: number): string {
  return `/dataset/${GENERATED_DATASET}${LISTS[nth % LISTS.length]}`;
}

/** Waits until the list of the current address is shown instead of the previous list. */
async function listed(page: BarePage): Promise<void> {
  await page.evaluate(async (limitMs) => {
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const ends = (await nextFrame()) + limitMs;
    while ((await nextFrame()) < ends) {
      const grid = document.querySelector('[data-testid="items-grid"]:not([data-dimmed="true"])');
      if (grid?.querySelector('img, [data-testid="cover"]')) return;
    }
    throw new Error('The list did not come');
  }, LIST_LIMIT_MS);
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

/** Scrolls for a while from a position in the list, 0 … 1, then waits until all tiles in view are complete. */
function scroll(page: BarePage, from: number): Promise<Stretch> {
  return page.evaluate(
    async ({ start, speed, lengthMs, settleMs }) => {
      const scroller = document.querySelector('[data-testid="items-grid"] [role="grid"]')?.parentElement;
      if (!scroller) throw new Error('nothing scrolls');
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const inView = () => {
        const view = scroller.getBoundingClientRect();
        const tiles = [...scroller.querySelectorAll('[role="gridcell"]')].filter((tile) => {
          const { top, bottom } = tile.getBoundingClientRect();
          return bottom > view.top && top < view.bottom;
        });
        const isShown = (tile: Element) => {
          const image = tile.querySelector('img');
          if (image === null) return tile.querySelector('[data-testid="cover"][data-state="shown"]') !== null;
          return image.complete && image.naturalWidth > 0;
        };
        return { tiles: tiles.length, shown: tiles.filter(isShown).length };
      };
      scroller.scrollTop = start * (scroller.scrollHeight - scroller.clientHeight);
      await nextFrame();
      // The page itself reports the times: see [Note: Measured without a listener].
      performance.setResourceTimingBufferSize(100_000);
      performance.clearResourceTimings();
      const began = await nextFrame();
      const top = scroller.scrollTop;
      const frames: number[] = [];
      const seen = { tiles: 0, shown: 0 };
      let scrolledPx = 0;
      let now = began;
      while (now - began < lengthMs) {
        const before = now;
        now = await nextFrame();
        frames.push(now - before);
        scrolledPx = ((now - began) * speed) / 1000;
        scroller.scrollTop = top + scrolledPx;
        if (frames.length % 30 > 0) continue;
        const { tiles, shown } = inView();
        seen.tiles += tiles;
        seen.shown += shown;
      }
      const ended = now;
      for (let left = inView(); now - ended < settleMs && left.shown < Math.max(1, left.tiles); left = inView()) {
        now = await nextFrame();
      }
      const requests = performance.getEntriesByType('resource').length;
      performance.clearResourceTimings();
      return { frames, scrolledPx, requests, seen, completeMs: now - ended };
    },
    { start: from * 0.9, speed: SPEED_PX_PER_S, lengthMs: STRETCH_S * 1000, settleMs: LIST_LIMIT_MS },
  );
}

async function memoryOf(page: BarePage): Promise<{ heap_mb: number; dom_nodes: number }> {
  await page.send('HeapProfiler.collectGarbage');
  const metrics = await metricsOf(page);
  return { heap_mb: round((metrics.get('JSHeapUsedSize') ?? 0) / 2 ** 20), dom_nodes: metrics.get('Nodes') ?? 0 };
}

/** Metrics of the page. Times are processor seconds of the page's thread, which other load on the machine does not change. */
async function metricsOf(page: BarePage): Promise<Map<string, number>> {
  const { metrics } = (await page.send('Performance.getMetrics')) as { metrics: { name: string; value: number }[] };
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** Difference in a metric between two moments. */
function timesOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): (name: string) => number {
  return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
}
