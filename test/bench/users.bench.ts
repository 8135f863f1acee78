import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { addAccount, beginSession, json, signIn, WITH_ACCOUNTS } from '../support/accounts.ts';
import { Api, until } from '../support/api.ts';
import { writeImages } from '../support/images.ts';
import { enterDataset, GENERATED_DATASET, layOutData } from './generated-dataset.ts';
import { startMeasuredServer } from './measured-server.ts';
import { cpuSecondsByName } from './process-cpu.ts';
import { type Memory, toMib } from './process-memory.ts';
import { generateLabelled } from './queries.bench.ts';
import { simulateUsers } from './simulated-users.ts';
import { median } from './timing.ts';

const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 100_000);
const USERS = 50;
/** `VITRINE_BENCH_SECONDS` overrides it. */
const SECONDS = Number(process.env.VITRINE_BENCH_SECONDS ?? 60);
/** People look at a screen with a hundred clusters for five seconds on average. `VITRINE_BENCH_THINK_MS` overrides it. */
const THINK_MS = Number(process.env.VITRINE_BENCH_THINK_MS ?? 5000);
const LABELS = 200;
const SAMPLE_MS = 2000;
const TAGGED_FROM = 2000;
const ADDED_IMAGES = 20;

/**
 * Measures one server with accounts while 50 users explore, tag and export a dataset at the same time and one adds datasets one after the
 * other: latencies by action, statuses, event-loop delay of the core, processor time and memory by process, and acknowledged tags that are
 * missing at the end. Users make the calls that their screens make, with pauses in between, and
 * read a screen again after edits of others; they run in a process of their own, whose
 * processor time is listed apart, but on the same cores. Only latencies of a machine that does nothing else say something.
 */
export async function measureUsers(folder: string): Promise<object> {
  const data = join(folder, 'data');
  await generateLabelled(await layOutData(data), ITEMS);
  await enterDataset(data, ITEMS);
  const images = join(folder, 'images');
  await writeImages(
    images,
    Array.from({ length: ADDED_IMAGES }, (_, seed) => seed + 1),
  );
  for (let nth = 0; nth < USERS; nth += 1) await addAccount(data, { username: `user${nth}`, role: 'editor' });
  const server = await startMeasuredServer(data, { ...WITH_ACCOUNTS, VITRINE_OPENED_FOLDERS: images });
  try {
    const anonymous = new Api(server.baseUrl);
    const apis: Api[] = [];
    for (let nth = 0; nth < USERS; nth += 1) apis.push(await signIn(anonymous, `user${nth}`));
    const first = apis[0] ?? anonymous;
    const users: { cookie: string; tag_id: string }[] = [];
    for (const [nth, api] of apis.entries()) {
      const made = await api.call<{ tag_id: string }>(
        'POST',
        `/dataset/${GENERATED_DATASET}/tags`,
        json({ name: `tag ${nth}` }),
      );
      users.push({ cookie: await beginSession(anonymous, `user${nth}`), tag_id: made.body.tag_id });
    }
    const mediaIds: string[] = [];
    for (let page = 0; mediaIds.length < TAGGED_FROM; page += 1) {
      const { body } = await first.get<ItemPage>(
        `/explore/${GENERATED_DATASET}/items?page_size=500&page_number=${page}`,
      );
      mediaIds.push(...body.items.map(({ media_id }) => media_id));
    }
    await first.get(`/explore/${GENERATED_DATASET}/facets`);
    await server.loopDelay();
    const over = new AbortController();
    const memory: Memory[] = [];
    const sampling = (async () => {
      while (!over.signal.aborted) {
        memory.push(await server.memory());
        await pause(SAMPLE_MS);
      }
    })();
    const adding = addDatasets(first, images, over.signal);
    const plan = { baseUrl: server.baseUrl, dataset_id: GENERATED_DATASET, users, media_ids: mediaIds };
    const pages = Math.floor(ITEMS / 25 / 100);
    const cpuBefore = await cpuSecondsByName(server.process.pid ?? 0, 'core');
    const report = await simulateUsers({ ...plan, labels: LABELS, pages, seconds: SECONDS, think_ms: THINK_MS });
    const cpu = await cpuSecondsByName(server.process.pid ?? 0, 'core');
    const loopDelay = await server.loopDelay();
    over.abort();
    await sampling;
    const added = await adding;
    let lost = 0;
    for (const [nth, ids] of report.tagged.entries())
      lost += ids.length - (await countTagged(apis[nth] ?? first, users[nth]?.tag_id ?? '', ids));
    const quarter = Math.ceil(memory.length / 4);
    const { tagged, cpu_s: ofUsers, ...figures } = report;
    const cpuOf = (name: string) => Math.round((cpu[name] ?? 0) - (cpuBefore[name] ?? 0));
    return {
      items: ITEMS,
      users: USERS,
      seconds: SECONDS,
      calls_per_s: Math.round(report.calls / SECONDS),
      ...figures,
      server_errors: Object.entries(report.by_status).filter(([status]) => / 5\d\d$/.test(status)),
      loop_delay: loopDelay,
      cpu_s: { users: ofUsers, ...Object.fromEntries(Object.keys(cpu).map((name) => [name, cpuOf(name)])) },
      acknowledged_tags: tagged.reduce((sum, ids) => sum + ids.length, 0),
      lost_tags: lost,
      datasets_added: added,
      memory_mib: {
        first_quarter: medians(memory.slice(0, quarter)),
        last_quarter: medians(memory.slice(-quarter)),
      },
    };
  } finally {
    await server.stop();
  }
}

/** Returns the median of each kind of process. */
function medians(samples: readonly Memory[]): Memory {
  const kinds = new Set(samples.flatMap((sample) => Object.keys(sample)));
  return Object.fromEntries([...kinds].map((kind) => [kind, toMib(median(samples.map((one) => one[kind] ?? 0)))]));
}

/** Creates datasets of a few images one after the other, with pauses. @returns Their number. */
async function addDatasets(api: Api, images: string, signal: AbortSignal): Promise<number> {
  let added = 0;
  while (!signal.aborted) {
    const id = await api.createFromFolder(`added ${added}`, images);
    await until(
      () => api.get<{ status_new: string }>(`/dataset/${id}`),
      ({ body }) => body.status_new === 'READY' || signal.aborted,
    );
    added += 1;
    await pause(THINK_MS);
  }
  return added;
}

/** Counts the items that have a tag, of those that its user tagged. */
async function countTagged(api: Api, tagId: string, ids: readonly string[]): Promise<number> {
  const vql = encodeURIComponent(JSON.stringify([{ tags: { op: 'one_of', value: [tagId] } }]));
  const found = new Set<string>();
  for (let page = 0; ; page += 1) {
    const path = `/explore/${GENERATED_DATASET}/items?vql=${vql}&page_size=500&page_number=${page}`;
    const { status, body, text } = await api.get<ItemPage>(path);
    if (status !== 200) throw new Error(`tags could not be counted: ${status} ${text}`);
    for (const { media_id } of body.items) found.add(media_id);
    if (body.items.length < 500) return ids.filter((id) => found.has(id)).length;
  }
}
