import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { seeded } from '../support/images.ts';
import { quantile, round } from './timing.ts';

/** Work of all users against one dataset. */
export interface UserPlan {
  baseUrl: string;
  dataset_id: string;
  /** Session cookie and own tag of each user. */
  users: { cookie: string; tag_id: string }[];
  media_ids: string[];
  labels: number;
  pages: number;
  seconds: number;
  /** Mean time in milliseconds that a user looks at a screen. */
  think_ms: number;
}

export interface UsersReport {
  calls: number;
  by_action: Record<string, { calls: number; p50_ms: number; p95_ms: number }>;
  by_status: Record<string, number>;
  /** Items that each user tagged with success. */
  tagged: string[][];
  /** Processor seconds of the users' process. */
  cpu_s: number;
}

const CHILD_ARGUMENT = 'simulated-users-child';
/** Screens show the edits of others this time in milliseconds after them, or by chance up to twice as late. */
const EDITS_OF_OTHERS_MS = 5000;

/** Lets users work for the time of the plan, in a process of their own. */
export async function simulateUsers(plan: UserPlan): Promise<UsersReport> {
  const child = fork(fileURLToPath(import.meta.url), [CHILD_ARGUMENT], { execArgv: [] });
  child.send(plan);
  const [report] = (await once(child, 'message')) as [UsersReport];
  child.disconnect();
  return report;
}

type Action = 'explore' | 'explore_label' | 'facets' | 'items' | 'tag' | 'export';

/**
 * Steps of a user, each with its share of all steps and the calls that the screen makes: those of one group at the same time, the groups one
 * after the other.
 */
const STEPS: readonly (readonly [share: number, groups: readonly (readonly Action[])[]])[] = [
  // Scrolls to another page.
  [0.5, [['explore']]],
  // Chooses a label.
  [0.2, [['explore_label', 'facets']]],
  // Sorts by name.
  [0.1, [['items']]],
  // Tags an item; then the screen reads its list again.
  [0.19, [['tag'], ['explore_label', 'facets']]],
  [0.01, [['export']]],
];

async function work(plan: UserPlan): Promise<UsersReport> {
  const times = new Map<Action, number[]>();
  const statuses: Record<string, number> = {};
  const until = performance.now() + plan.seconds * 1000;
  const tagged = plan.users.map(() => new Set<string>());
  const user = async ({ cookie, tag_id }: UserPlan['users'][number], nth: number) => {
    const random = seeded(nth + 1);
    const call = async (action: Action, label: number) => {
      const mediaId = plan.media_ids[Math.floor(random() * plan.media_ids.length)] ?? '';
      const { path, body } = requestOf(plan, action, { random, mediaId, label, tag_id });
      const started = performance.now();
      const response = await fetch(`${plan.baseUrl}/api/v1${path}`, {
        headers: { cookie, 'x-requested-with': 'bench', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      const own = times.get(action) ?? [];
      own.push(performance.now() - started);
      times.set(action, own);
      const status = `${action} ${response.status}`;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (action === 'tag' && response.status === 200) tagged[nth]?.add(mediaId);
    };
    let show = (): Promise<void> => Promise.resolve();
    const over = new AbortController();
    const following = followEdits(plan, cookie, over.signal, () => show());
    await pause(random() * 2 * plan.think_ms);
    while (performance.now() < until) {
      const label = Math.floor(random() * plan.labels);
      for (const group of choose(random())) {
        const make = async () => void (await Promise.all(group.map((action) => call(action, label))));
        await make();
        if (!group.includes('tag') && !group.includes('export')) show = make;
      }
      await pause(random() * 2 * plan.think_ms);
    }
    over.abort();
    await following;
  };
  await Promise.all(plan.users.map(user));
  const { user: userMicros, system: systemMicros } = process.cpuUsage();
  const by = [...times].map(([action, ms]) => [
    action,
    { calls: ms.length, p50_ms: round(quantile(ms, 0.5)), p95_ms: round(quantile(ms, 0.95)) },
  ]);
  return {
    calls: [...times.values()].reduce((sum, { length }) => sum + length, 0),
    by_action: Object.fromEntries(by) as UsersReport['by_action'],
    by_status: statuses,
    tagged: tagged.map((ids) => [...ids]),
    cpu_s: round((userMicros + systemMicros) / 1e6),
  };
}

/** Lets a screen be read again some time after edits of others, as pages do. */
async function followEdits(plan: UserPlan, cookie: string, signal: AbortSignal, show: () => Promise<void>) {
  const headers = { cookie };
  const own = ((await (await fetch(`${plan.baseUrl}/api/v1/account`, { headers })).json()) as { user_id: string })
    .user_id;
  const { body } = await fetch(`${plan.baseUrl}/api/v1/events`, { headers, signal });
  let isDue = false;
  let text = '';
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      const isOfOthers = (event: string) =>
        event.includes('dataset_changed') &&
        event.includes(plan.dataset_id) &&
        event.includes('edited_by') &&
        !event.includes(own);
      if (isDue || !events.some(isOfOthers)) continue;
      isDue = true;
      setTimeout(
        () => {
          isDue = false;
          if (!signal.aborted) void show();
        },
        EDITS_OF_OTHERS_MS * (1 + Math.random()),
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function choose(share: number): readonly (readonly Action[])[] {
  let left = share;
  for (const [part, groups] of STEPS) {
    left -= part;
    if (left < 0) return groups;
  }
  return [];
}

function requestOf(
  { dataset_id, pages }: UserPlan,
  action: Action,
  { random, mediaId, label, tag_id }: { random: () => number; mediaId: string; label: number; tag_id: string },
): { path: string; body?: object } {
  const vql = [{ labels: { op: 'one_of', value: [`label ${label}`] } }];
  const filter = `vql=${encodeURIComponent(JSON.stringify(vql))}`;
  switch (action) {
    case 'explore':
      return { path: `/explore/${dataset_id}?threshold=2&page_number=${Math.floor(random() ** 3 * pages)}` };
    case 'explore_label':
      return { path: `/explore/${dataset_id}?threshold=2&${filter}` };
    case 'facets':
      return { path: `/explore/${dataset_id}/facets?${filter}` };
    case 'items':
      return { path: `/explore/${dataset_id}/items?sort_by=name&${filter}` };
    case 'tag':
      return {
        path: `/dataset/${dataset_id}/edit_tags`,
        body: { media_selection: [{ type: 'media', payload: { media_ids: [mediaId] } }], add: [tag_id], remove: [] },
      };
    case 'export':
      return { path: `/dataset/${dataset_id}/export_context_async?export_format=csv&${filter}` };
  }
}

if (process.argv[2] === CHILD_ARGUMENT) {
  process.once('message', async (plan: UserPlan) => {
    process.send?.(await work(plan));
  });
}
