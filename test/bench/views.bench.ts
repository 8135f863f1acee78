import { join } from 'node:path';
import type { Notification } from '../../src-main/contract/schemas/notification.ts';
import { Api, until } from '../support/api.ts';
import { openEventSource } from '../support/event-source.ts';
import { writeImages } from '../support/images.ts';
import { GENERATED_DATASET, generateDataset } from './generated-dataset.ts';
import { startMeasuredServer } from './measured-server.ts';
import { quantile, round, seconds } from './timing.ts';

/** Number of images in the dataset; `VITRINE_BENCH_ITEMS` overrides it. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 100_000);
const BATCH = 1000;
const VIEWS = 100;
const LISTENERS = 500;
/** Time limit in milliseconds for the background work after a batch. */
const REST_MS = 600_000;

/** Measures the time that 100 views add to a batch, and the delay until 500 listeners are notified of its new items. */
export async function measureViews(folder: string): Promise<unknown> {
  const data = join(folder, 'data');
  await generateDataset(data, ITEMS);
  const batches = [0, 1].map((nth) => join(folder, `batch-${nth}`));
  for (const [nth, batch] of batches.entries()) {
    await writeImages(batch, sequence(ITEMS + nth * BATCH, ITEMS + (nth + 1) * BATCH));
  }
  const server = await startMeasuredServer(data);
  try {
    const api = new Api(server.baseUrl);
    const id = GENERATED_DATASET;
    const add = (batch = '') =>
      seconds(async () => {
        await api.post(`/dataset/${id}/add_media`, { s3_uri: batch });
        await api.waitFor(id, 'PARTIAL INDEX', 600_000);
      });
    await api.atRest(REST_MS);
    const withoutS = await add(batches[0]);
    for (let nth = 0; nth < VIEWS; nth += 1) {
      const { status } = await api.post(`/dataset/${id}/views?${queryOf(nth)}`, { name: `view ${nth}` });
      if (status !== 200) throw new Error(`a view answered ${status}`);
    }
    const sources = await Promise.all(
      Array.from({ length: LISTENERS }, () => openEventSource(`${server.baseUrl}/api/v1/notifications/stream`)),
    );
    const origin = Date.now() - performance.now();
    await api.atRest(REST_MS);
    await server.loopDelay();
    const withS = await add(batches[1]);
    const { body } = await api.get<{ count: number }>('/notifications/unread-count');
    await until(() => sources.every((source) => source.named('notification').length === body.count));
    const delays = sources.flatMap((source) =>
      source.named('notification').map(({ data, at }) => origin + at - Date.parse((data as Notification).created_at)),
    );
    for (const source of sources) source.close();
    return {
      items: ITEMS,
      batch: { items: BATCH, without_views_s: round(withoutS), with_100_views_s: round(withS) },
      views_of_batch: round((withS - withoutS) / withoutS),
      alerts: body.count,
      delivery: { listeners: LISTENERS, p50_ms: round(quantile(delays, 0.5)), p99_ms: round(quantile(delays, 0.99)) },
      loop: await server.loopDelay(),
    };
  } finally {
    await server.stop();
  }
}

/** Returns queries of many kinds, about half of which have results. */
function queryOf(nth: number): URLSearchParams {
  const kinds = [
    { files: { op: 'contains', value: String(nth) } },
    { text: { op: 'fts', value: `image ${nth}` } },
    { issues: { op: 'issue', value: 'blur', mode: nth % 2 === 0 ? 'in' : 'out' } },
    { width: { op: 'range', from: nth } },
    { uniqueness: { op: 'uniqueness', value: nth / VIEWS } },
  ];
  return new URLSearchParams({ vql: JSON.stringify([kinds[nth % kinds.length]]) });
}

function sequence(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
