import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { Api, until } from '../support/api.ts';
import { browserMissing, launchBrowser } from '../support/browser.ts';
import { seeded } from '../support/images.ts';
import { type Server, startServer } from '../support/server.ts';
import { type BarePage, openBarePage } from './bare-page.ts';
import { GENERATED_DATASET, generateDataset } from './generated-dataset.ts';
import { type HttpClient, startClient } from './http-client.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { latencies, median, quantile, round } from './timing.ts';

/** Number of items; `VITRINE_BENCH_ITEMS` overrides it. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 20_000);
const VIEWPORT = { width: 1280, height: 800 };
const FIRST_SCREENS = 5;
const JUMPS = 12;
const REQUESTS = 60;
/** Time limit in milliseconds for filling a screen, even on a busy machine. */
const FILL_LIMIT_MS = 120_000;
/** Time in seconds over which the speed of the comparison is measured while nobody looks. */
const ALONE_S = 15;
const LIMIT_MS = 600_000;
const THUMBNAILS = 64;

/** Milliseconds until all tiles in view have their thumbnails. */
interface Filling {
  p50: number;
  p95: number;
}

/**
 * Measures how long screens take to fill, idle and while the items are compared for duplicates: the first screen with an empty browser cache,
 * jumps in the clusters and in the list of items, and Explore over HTTP. `cpu_ms` is the processor time of a screen; the server's includes its
 * background work. Also measures the pairs that are compared per second, alone and while somebody looks; the comparison is `RUNNING` at the
 * end, or the figures are of a part of it.
 */
export async function measureScreens(folder: string): Promise<object> {
  const missing = browserMissing();
  if (missing !== undefined) return { skipped: missing };
  const data = join(folder, 'data');
  await generateDataset(data, ITEMS, await thumbnails());
  const server = await startServer(data);
  const browser = await launchBrowser();
  const client = startClient();
  try {
    const idle = await look(server, browser, client);
    const api = new Api(server.baseUrl);
    await api.post(`/dataset/${GENERATED_DATASET}/find_duplicates`);
    await until(
      () => comparison(api),
      (task) => task?.status === 'RUNNING' && task.done > 0,
      LIMIT_MS,
    );
    const looking = await look(server, browser, client);
    await until(
      () => comparison(api),
      (task) => task?.unit === 'items' && task.done > 0,
      LIMIT_MS,
    );
    const alone = await pairsPerSecond(api, () => pause(ALONE_S * 1000));
    let comparing: object = {};
    const watched = await pairsPerSecond(api, async () => {
      comparing = await look(server, browser, client);
    });
    return {
      items: ITEMS,
      idle,
      while_looking_for_pairs: looking,
      while_comparing: comparing,
      pairs_per_s: { alone, while_somebody_looks: watched },
      comparison_at_the_end: (await comparison(api))?.status,
    };
  } finally {
    client.close();
    await browser.close();
    await server.stop();
  }
}

async function look({ baseUrl, process: server }: Server, browser: Browser, client: HttpClient): Promise<object> {
  const page = await openBarePage(browser, VIEWPORT);
  const cpu = async () => ({ all: await cpuSecondsOf(process.pid), server: await cpuSecondsOf(server.pid ?? 0) });
  const cpuSince = async (before: { all: number; server: number }, screens: number) => {
    const now = await cpu();
    const ofServer = ((now.server - before.server) * 1000) / screens;
    return { server: round(ofServer), browser: round(((now.all - before.all) * 1000) / screens - ofServer) };
  };
  const began = await cpu();
  const firstScreens: number[] = [];
  for (let nth = 0; nth < FIRST_SCREENS; nth += 1) {
    await page.send('Page.navigate', { url: 'about:blank' });
    await page.send('Network.clearBrowserCache');
    await page.send('Page.navigate', { url: `${baseUrl}/#/dataset/${GENERATED_DATASET}` });
    // Counted from the start of the navigation.
    firstScreens.push((await filled(page, 'clusters-grid')).atMs);
  }
  const cpuOfFirst = await cpuSince(began, FIRST_SCREENS);
  const beforeJumps = await cpu();
  const clusters = await jumps(page, 'clusters-grid');
  const cpuOfJump = await cpuSince(beforeJumps, JUMPS);
  await page.evaluate((address) => window.location.replace(address), `#/dataset/${GENERATED_DATASET}?flat=name`);
  await filled(page, 'items-grid');
  const items = await jumps(page, 'items-grid');
  await page.send('Page.close');
  return {
    first_screen_ms: statistics(firstScreens),
    jump_ms: { clusters: statistics(clusters), items: statistics(items) },
    cpu_ms: { first_screen: cpuOfFirst, jump: cpuOfJump },
    explore_ms: await latencies(REQUESTS, (nth) =>
      client.ask(`${baseUrl}/api/v1/explore/${GENERATED_DATASET}?threshold=2&page_number=${nth % 10}`),
    ),
  };
}

async function jumps(page: BarePage, testId: string): Promise<number[]> {
  const taken: number[] = [];
  for (let nth = 1; nth <= JUMPS; nth += 1) {
    const { startMs, atMs } = await filled(page, testId, nth / (JUMPS + 1));
    taken.push(atMs - startMs);
  }
  return taken;
}

/**
 * Waits until all tiles in view of a grid have their thumbnails. Times are milliseconds since the start of the navigation.
 * @param position The position in the list to scroll to first, 0 … 1.
 */
function filled(page: BarePage, testId: string, position?: number): Promise<{ startMs: number; atMs: number }> {
  return page.evaluate(
    async ({ testId, position, limitMs }) => {
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())));
      const scrollerOf = () =>
        document.querySelector(`[data-testid="${testId}"]:not([data-dimmed="true"]) [role="grid"]`)?.parentElement;
      const isShown = (tile: Element) => {
        const pictured = tile.querySelector('img');
        if (pictured === null) return tile.querySelector('[data-testid="cover"][data-state="shown"]') !== null;
        return pictured.complete && pictured.naturalWidth > 0;
      };
      const startMs = performance.now();
      const scroller = scrollerOf();
      if (position !== undefined && scroller) {
        scroller.scrollTop = position * (scroller.scrollHeight - scroller.clientHeight);
        await nextFrame();
        await nextFrame();
      }
      for (let atMs = startMs; atMs - startMs < limitMs; atMs = await nextFrame()) {
        const view = scrollerOf()?.getBoundingClientRect();
        if (!view) continue;
        const tiles = [...(scrollerOf()?.querySelectorAll('[role="gridcell"]') ?? [])].filter((tile) => {
          const { top, bottom } = tile.getBoundingClientRect();
          return bottom > view.top && top < view.bottom;
        });
        if (tiles.length > 0 && tiles.every(isShown)) return { startMs, atMs };
      }
      throw new Error('The screen was not filled');
    },
    { testId, position, limitMs: FILL_LIMIT_MS },
  );
}

async function pairsPerSecond(api: Api, during: () => Promise<unknown>): Promise<number> {
  const [before, startedMs] = [await comparison(api), performance.now()];
  await during();
  const after = await comparison(api);
  return round((((after?.done ?? 0) - (before?.done ?? 0)) * 1000) / (performance.now() - startedMs));
}

async function comparison(api: Api): Promise<Task | undefined> {
  const { body } = await api.get<{ tasks: Task[] }>('/tasks?task_type=DUPLICATE_DETECTION&with_service=true');
  return body.tasks[0];
}

function statistics(taken: readonly number[]): Filling {
  return { p50: round(median(taken)), p95: round(quantile(taken, 0.95)) };
}

/** Encoded thumbnails with about as much detail as those of photos. */
function thumbnails(): Promise<Uint8Array[]> {
  return Promise.all(
    Array.from({ length: THUMBNAILS }, (_, seed) => {
      const random = seeded(seed);
      const small = Buffer.from(Array.from({ length: 64 * 48 * 3 }, () => Math.floor(random() * 256)));
      return sharp(small, { raw: { width: 64, height: 48, channels: 3 } })
        .resize(320, 240, { kernel: 'cubic' })
        .webp()
        .toBuffer();
    }),
  );
}
