import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import { Api, until } from '../support/api.ts';
import { image, writeImages } from '../support/images.ts';
import { startMeasuredServer } from './measured-server.ts';
import { startWatching } from './start-watching.ts';
import { median, quantile, round, seconds } from './timing.ts';

/** Number of images in the dataset before the addition; `VITRINE_BENCH_ITEMS` overrides it. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 20_000);
const WATCHED_FILES = 20;

/** Measures adding 1 % and the reindex afterwards against a full index, and the time until a new file in a watched folder is found. */
export async function measureAdding(folder: string): Promise<unknown> {
  const added = Math.round(ITEMS / 100);
  await writeImages(join(folder, 'base'), sequence(0, ITEMS));
  await writeImages(join(folder, 'more'), sequence(ITEMS, ITEMS + added));
  const server = await startMeasuredServer(join(folder, 'data'));
  try {
    const api = new Api(server.baseUrl);
    const id = await api.createFromFolder('base', join(folder, 'base'));
    const fullS = await seconds(() => api.waitFor(id, 'READY', 3_600_000));
    const additionS = await seconds(async () => {
      await api.post(`/dataset/${id}/add_media`, { s3_uri: join(folder, 'more') });
      await api.waitFor(id, 'PARTIAL INDEX', 600_000);
    });
    const reindexS = await seconds(async () => {
      await api.post(`/dataset/${id}/reindex`);
      await api.waitFor(id, 'READY', 600_000);
    });
    return {
      items: ITEMS,
      full_index_s: round(fullS),
      add_one_percent: { seconds: round(additionS), of_full: round(additionS / fullS) },
      reindex: { seconds: round(reindexS), of_full: round(reindexS / fullS) },
      watch: await measureWatch(api, id, join(folder, 'base')),
    };
  } finally {
    await server.stop();
  }
}

/** Measures the time from closing a file until Explore finds it by a similar image, for one file after the other. */
async function measureWatch(api: Api, id: string, root: string): Promise<unknown> {
  await startWatching(api, id, root);
  const known = new Map<string, string>();
  for (let page = 0; known.size < WATCHED_FILES; page += 1) {
    const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=0&page_number=${page}`);
    for (const item of body.clusters.flatMap((cluster) => cluster.previews)) known.set(item.file_name, item.media_id);
  }
  const latenciesS: number[] = [];
  for (const [fileName, mediaId] of [...known].slice(0, WATCHED_FILES)) {
    const seed = Number(/(\d+)\.jpg$/.exec(fileName)?.[1]);
    const bytes = await image(seed, 300, 225);
    const arrival = `like-${seed}.jpg`;
    await writeFile(join(root, arrival), bytes);
    latenciesS.push(
      await seconds(() =>
        until(
          () => api.get<ExploreResult>(`/explore/${id}/similar/${mediaId}?threshold=0`),
          ({ body }) => body.clusters.some((found) => found.previews.some((item) => item.file_name === arrival)),
        ),
      ),
    );
  }
  return {
    files: latenciesS.length,
    median_s: round(median(latenciesS)),
    p95_s: round(quantile(latenciesS, 0.95)),
  };
}

function sequence(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
