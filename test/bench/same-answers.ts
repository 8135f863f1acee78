import { createHash } from 'node:crypto';
import { DUPLICATE_LEVELS, type DuplicateList } from '../../src-main/contract/schemas/duplicates.ts';
import { CLUSTERS_PER_PAGE, type ClusterPage, type ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { innerProduct } from '../../src-main/infra/vectors/rows.ts';
import { type Api, json } from '../support/api.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { startQdrant } from '../support/qdrant-server.ts';
import { followSteps } from './indexing-stages.ts';
import { type KnownVectors, type Nearest, nearestOf, recallOf, vectorOf } from './known-vectors.ts';
import { memoryOf, toMib, totalOf } from './process-memory.ts';
import { quantile, round, seconds } from './timing.ts';

const LEVELS = [0, 1, 2, 3, 4];
/** Pages of clusters and of duplicates that are read at most for each level. */
const MAX_PAGES = 20;
/** Clusters of each level whose items are read, spread over the pages. */
const READ_CLUSTERS = 40;
const SEARCHES = 12;
const ANSWERS = 100;
const RECALLS = [10, ANSWERS];
const KEY = 'bench';

/** A filter beside a search, and the items that it allows. */
export interface Filter {
  name: string;
  vql: object[];
  allows: (id: string) => boolean;
}

export interface AskedDataset {
  api: Api;
  /** Process id of the server. */
  pid: number;
  id: string;
  known: KnownVectors;
  filters: readonly Filter[];
  /** Engines that are asked besides the built-in one. */
  engines: readonly EngineName[];
}

export type EngineName = keyof typeof ENGINES;

const ENGINES = {
  pgvector: startPostgres,
  qdrant: () => startQdrant(KEY),
} as const;

interface Answer {
  ids: string[];
  /** For each of {@link RECALLS}. */
  nearest: Nearest[];
  /** Shares of the exact answer, and of the answer of the built-in engine, for each of {@link RECALLS}. */
  exact: number[];
  as_built_in: number[];
  /** Largest difference between a distance of the answer and the real one. */
  error: number;
  ms: number;
}

interface Found {
  /** Answers of the searches by name of the filter. */
  answers: Map<string, Answer[]>;
  /** Figures by name of the filter. */
  searches: Record<string, object>;
}

/**
 * Asks for clusters, duplicates and similar items with the built-in engine, then with each external engine that the vectors were placed in, and
 * compares the answers: clusters and duplicates must be equal; searches have a recall, of the exact answer and of that of the built-in engine.
 */
export async function compareEngines(asked: AskedDataset): Promise<object> {
  const { api, id, engines } = asked;
  const before = await groupsOf(api, id);
  const builtIn = await search(asked);
  const figures: Record<string, object> = { built_in: { ...before.counts, searches: builtIn.searches } };
  for (const name of engines) {
    const residentBefore = process.memoryUsage().rss;
    const engine = await ENGINES[name]();
    try {
      const set = (key: string, value: string) => api.call('POST', '/settings', json({ key, value }));
      await set('VECTOR_ENGINE_KEY', KEY);
      await set('VECTOR_ENGINE_URL', engine.url);
      let placed: Task | undefined;
      const placeS = await seconds(async () => {
        placed = await place(asked, 'external');
      });
      if (placed?.status !== 'COMPLETED') {
        figures[name] = { place_s: round(placeS), failed: placed?.error_message };
        continue;
      }
      const after = await groupsOf(api, id);
      figures[name] = {
        place_s: round(placeS),
        engine_memory_mib: toMib(process.memoryUsage().rss - residentBefore),
        server_memory_mib: toMib(totalOf(await memoryOf(asked.pid))),
        clusters_equal: after.clusters === before.clusters,
        duplicates_equal: after.duplicates === before.duplicates,
        searches: (await search(asked, builtIn)).searches,
      };
      await place(asked, 'built-in');
    } finally {
      await engine.close();
    }
  }
  return figures;
}

async function place({ api, id, pid }: AskedDataset, placement: string): Promise<Task> {
  const { status, text } = await api.call('POST', `/dataset/${id}/vector_placement`, json({ placement }));
  if (status !== 202) throw new Error(text);
  return (await followSteps(api, id, pid, 'VECTOR_PLACEMENT')).task;
}

/** Returns the clusters with their items, and the groups of duplicates, as hashes of what was read. */
async function groupsOf(api: Api, id: string) {
  const [clusters, duplicates] = [createHash('sha256'), createHash('sha256')];
  const counts = { clusters: [] as number[], clustered_items: 0, duplicate_groups: [] as number[] };
  for (const level of LEVELS) {
    const listed: { cluster_id: string; n_images: number }[] = [];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=${level}&page_number=${page}`);
      if (page === 0) counts.clusters.push(body.metadata.total_clusters);
      listed.push(...body.clusters.map(({ cluster_id, n_images }) => ({ cluster_id, n_images })));
      if (body.clusters.length < CLUSTERS_PER_PAGE) break;
    }
    clusters.update(JSON.stringify(listed));
    const step = Math.max(1, Math.floor(listed.length / READ_CLUSTERS));
    for (let at = 0; at < listed.length; at += step) {
      const path = `/explore/${id}/cluster/${listed[at]?.cluster_id}?page_size=500`;
      const ids = (await api.get<ClusterPage>(path)).body.items.map(({ media_id }) => media_id);
      counts.clustered_items += ids.length;
      clusters.update(JSON.stringify(ids));
    }
  }
  for (const level of DUPLICATE_LEVELS) {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const path = `/explore/${id}/duplicates?duplicate_threshold=${level}&page_size=100&page_number=${page}`;
      const { body } = await api.get<DuplicateList>(path);
      if (page === 0) counts.duplicate_groups.push(body.total_groups);
      const groups = body.groups.map(({ cluster_id, items, keep_media_id }) => [
        cluster_id,
        keep_media_id,
        ...items.map(({ media_id, confidence }) => [media_id, confidence]),
      ]);
      duplicates.update(JSON.stringify(groups));
      if (groups.length < 100) break;
    }
  }
  return { clusters: clusters.digest('hex'), duplicates: duplicates.digest('hex'), counts };
}

/** Searches for items similar to some items, with each filter. Each search runs twice; the second one is measured. */
async function search(asked: AskedDataset, reference?: Found): Promise<Found> {
  const { known, filters } = asked;
  const found: Found = { answers: new Map(), searches: {} };
  const anchors = Array.from(
    { length: SEARCHES },
    (_, nth) => known.ids[Math.floor((nth * known.ids.length) / SEARCHES)] ?? '',
  );
  for (const filter of filters) {
    const answers: Answer[] = [];
    for (const [nth, anchor] of anchors.entries()) {
      const { ids, error, ms } = await similar(asked, anchor, filter);
      const expected = reference?.answers.get(filter.name)?.[nth];
      const nearest = expected?.nearest ?? RECALLS.map((k) => nearestOf(known, anchor, k, filter.allows));
      const exact = nearest.map((one) => recallOf(known, anchor, ids, one));
      const asBuiltIn = nearest.map(({ n }) => shareOf(expected?.ids.slice(0, n) ?? [], ids.slice(0, n)));
      answers.push({ ids, nearest, exact, as_built_in: asBuiltIn, error, ms });
    }
    found.answers.set(filter.name, answers);
    const times = answers.map(({ ms }) => ms);
    const means = (of: 'exact' | 'as_built_in') =>
      RECALLS.map((k, at) => [`${of}_at_${k}`, round(mean(answers.map((one) => one[of][at] ?? 0)))]);
    found.searches[filter.name] = {
      p50_ms: round(quantile(times, 0.5)),
      p95_ms: round(quantile(times, 0.95)),
      ...Object.fromEntries([...means('exact'), ...(reference ? means('as_built_in') : [])]),
      largest_error_of_distance: Math.max(...answers.map(({ error }) => error)),
    };
  }
  return found;
}

/** @throws Error if an item does not match the filter. */
async function similar({ api, id, known }: AskedDataset, anchor: string, { name, vql, allows }: Filter) {
  const query = new URLSearchParams({ anchor_type: 'MEDIA', anchor_media_id: anchor, page_size: `${ANSWERS}` });
  if (vql.length > 0) query.set('vql', JSON.stringify(vql));
  const path = `/explore/${id}/items?${query}`;
  const { status, body, text } = await api.get<ItemPage>(path);
  if (status !== 200) throw new Error(`a search answered ${status}: ${text}`);
  const started = performance.now();
  await (await fetch(`${api.baseUrl}/api/v1${path}`)).arrayBuffer();
  const ms = performance.now() - started;
  const { items } = body;
  const nWrong = items.filter(({ media_id }) => !allows(media_id)).length;
  if (nWrong > 0) throw new Error(`${name}: ${nWrong} items do not match the filter`);
  const vector = vectorOf(known, anchor);
  const errors = items.map(({ media_id, relevance_score: distance }) => {
    const similarity = innerProduct(vector, 0, vectorOf(known, media_id), 0, known.dim);
    return Math.abs(1 - similarity - (distance ?? 1));
  });
  return { ids: items.map(({ media_id }) => media_id), error: Math.max(0, ...errors), ms };
}

/** Returns the share of the expected items that were found. */
function shareOf(expected: readonly string[], found: readonly string[]): number {
  const among = new Set(found);
  return expected.length === 0 ? 1 : expected.filter((one) => among.has(one)).length / expected.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
