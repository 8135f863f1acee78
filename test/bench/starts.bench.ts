import { randomUUID } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatMessage } from '../../src-main/contract/messages.ts';
import { inspectFolder } from '../../src-main/infra/dataset-store/disk/inspect-generation.ts';
import { Api } from '../support/api.ts';
import { browserMissing, launchBrowser } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { type Server, startServer } from '../support/server.ts';
import { memoryOf, toMib } from './process-memory.ts';
import { median, round, seconds } from './timing.ts';

/** Numbers of datasets in the data folder; `VITRINE_BENCH_DATASETS` overrides them by one. */
const DATASETS =
  process.env.VITRINE_BENCH_DATASETS === undefined ? [1, 24, 100, 200] : [Number(process.env.VITRINE_BENCH_DATASETS)];
const STARTS = 3;
const LOOK_UPS = 20;
const GENERATION = '1';
/** Seconds in which memory must not fall before it counts as settled: V8 keeps the pages of an ended thread for 8 s. */
const SETTLED_S = 12;
const MIB = 2 ** 20;

interface Start {
  start_s: number;
  /** Time from the start of the server until a click on a dataset is possible, in a running browser that has cached nothing; 0 without a browser. */
  interactive_s: number;
  /** The same for the first page of a browser that was just launched. */
  interactive_launched_s: number;
  verification_ms: number;
  /** Time of a request for an item id that no dataset has. */
  unknown_id_ms: number;
  /** Memory of the process of the core without any request: its peak, and when it has settled after the inspection of all datasets. */
  idle_peak_mib: number;
  idle_mib: number;
  /** Memory and threads of the process of the core, after the dataset list, one unknown id and a read of every dataset. */
  memory_mib: number;
  threads: number;
}

/**
 * Measures, by the number of datasets, the time from the start of a server to its first response and to a usable inventory, the part of it
 * that verifies the dataset folders, the time in which an unknown item id is refused, the memory of a server without requests, and the memory and threads of a server
 * that has read every dataset.
 */
export async function measureStarts(folder: string): Promise<unknown> {
  const images = join(folder, 'images');
  await writeImages(images, [1, 2, 3, 4]);
  const found: unknown[] = [];
  for (const nDatasets of DATASETS) {
    const data = join(folder, `data-${nDatasets}`);
    const ids = await makeDatasets(data, images, nDatasets);
    const starts: Start[] = [];
    for (let nth = 0; nth < STARTS; nth += 1) starts.push(await measureStart(data, ids));
    const medianOf = (key: keyof Start) => median(starts.map((start) => start[key]));
    const [startS, verificationMs] = [medianOf('start_s'), medianOf('verification_ms')];
    found.push({
      datasets: nDatasets,
      start_s: round(startS),
      interactive_s: round(medianOf('interactive_s')),
      interactive_launched_s: round(medianOf('interactive_launched_s')),
      verification_ms: round(verificationMs),
      // Extra time relative to a start without verification.
      more: round(verificationMs / (startS * 1000 - verificationMs)),
      unknown_id_ms: round(medianOf('unknown_id_ms')),
      idle_peak_mib: medianOf('idle_peak_mib'),
      idle_mib: medianOf('idle_mib'),
      memory_mib: medianOf('memory_mib'),
      threads: medianOf('threads'),
    });
  }
  return found;
}

async function measureStart(data: string, ids: readonly string[]): Promise<Start> {
  const verificationS = await seconds(async () => {
    for (const id of ids) {
      const wrong = inspectFolder(join(data, 'datasets', id, GENERATION));
      if (wrong !== undefined) throw new Error(formatMessage(wrong));
    }
  });
  const interactive = await secondsUntilInteractive(data);
  let server: Server | undefined;
  const startS = await seconds(async () => {
    server = await startServer(data);
  });
  if (!server) throw new Error('the server did not start');
  try {
    const idle = await idleMemory(server.process.pid ?? 0);
    const api = new Api(server.baseUrl);
    const { body } = await api.get<{ status_new: string }[]>('/datasets');
    if (body.filter(({ status_new }) => status_new === 'READY').length !== ids.length)
      throw new Error('some are not there');
    const lookUps: number[] = [];
    for (let nth = 0; nth < LOOK_UPS; nth += 1) {
      lookUps.push(
        await seconds(async () => {
          const { status } = await api.get(`/image/${randomUUID()}`);
          if (status !== 404) throw new Error(`an unknown id answered ${status}`);
        }),
      );
    }
    for (const id of ids) await api.get(`/explore/${id}/items?page_size=1`);
    const { core = 0 } = await memoryOf(server.process.pid ?? 0);
    return {
      start_s: startS,
      interactive_s: interactive.running,
      interactive_launched_s: interactive.launched,
      verification_ms: verificationS * 1000,
      unknown_id_ms: median(lookUps) * 1000,
      ...idle,
      memory_mib: toMib(core),
      threads: (await readdir(`/proc/${server.process.pid}/task`)).length,
    };
  } finally {
    await server.stop();
  }
}

/** Measures the first start with a browser that was just launched, and a second one with the same browser and an empty cache. */
async function secondsUntilInteractive(data: string): Promise<{ launched: number; running: number }> {
  if (browserMissing() !== undefined) return { launched: 0, running: 0 };
  const browser = await launchBrowser();
  const measureOnce = async () => {
    const page = await (await browser.newContext()).newPage();
    let server: Server | undefined;
    try {
      return await seconds(async () => {
        server = await startServer(data);
        await page.goto(server.baseUrl, { waitUntil: 'commit' });
        await page.getByTestId('dataset-card').first().getByRole('link').click({ trial: true });
      });
    } finally {
      await server?.stop();
    }
  };
  try {
    return { launched: await measureOnce(), running: await measureOnce() };
  } finally {
    await browser.close();
  }
}

/** Measures until no dataset is being inspected and memory no longer falls. */
async function idleMemory(pid: number): Promise<Pick<Start, 'idle_peak_mib' | 'idle_mib'>> {
  let [peak, least] = [0, Number.POSITIVE_INFINITY];
  for (let settledS = 0; settledS < SETTLED_S; ) {
    const { core = 0 } = await memoryOf(pid);
    settledS = core < least - MIB || (await isInspecting(pid)) ? 0 : settledS + 1;
    peak = Math.max(peak, core);
    least = settledS === 0 ? core : Math.min(least, core);
    await pause(1000);
  }
  return { idle_peak_mib: toMib(peak), idle_mib: toMib(least) };
}

async function isInspecting(pid: number): Promise<boolean> {
  const tasks = `/proc/${pid}/task`;
  const names = await Promise.all(
    (await readdir(tasks)).map((id) => readFile(join(tasks, id, 'comm'), 'utf8').catch(() => '')),
  );
  return names.some((name) => name.startsWith('inspection'));
}

/** Creates one dataset and copies of its folder, which the next start imports. */
async function makeDatasets(data: string, images: string, nDatasets: number): Promise<string[]> {
  const first = await startServer(data);
  const api = new Api(first.baseUrl);
  const id = await api.createFromFolder('first', images);
  await api.waitFor(id, 'READY');
  await first.stop();
  const copies = Array.from({ length: nDatasets - 1 }, () => randomUUID());
  for (const copy of copies) {
    const target = join(data, 'datasets', copy);
    await cp(join(data, 'datasets', id), target, { recursive: true });
    const record = await readFile(join(target, 'dataset.json'), 'utf8');
    await writeFile(join(target, 'dataset.json'), record.replaceAll(id, copy));
  }
  await (await startServer(data)).stop();
  return [id, ...copies];
}
