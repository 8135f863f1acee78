import { join } from 'node:path';
import { Vitrine } from '../../clients/typescript/index.ts';
import { startServer } from '../support/server.ts';
import { GENERATED_DATASET, generateDataset } from './generated-dataset.ts';
import { median, round } from './timing.ts';

const ITEMS = 2000;
const WARM_UP = 100;
const CALLS = 1500;

/**
 * Compares calls through the TypeScript client with bare requests of the same addresses. `ratio` is bare time divided by the client's, from
 * medians of calls that alternate, so that both meet the same load.
 */
export async function measureClients(folder: string): Promise<object> {
  const data = join(folder, 'data');
  await generateDataset(data, ITEMS);
  const server = await startServer(data);
  const { api } = new Vitrine({ baseUrl: server.baseUrl });
  const at = (path: string) => async (): Promise<unknown> => (await fetch(`${server.baseUrl}/api/v1${path}`)).json();
  const datasetId = GENERATED_DATASET;
  try {
    return {
      healthcheck: await compare(at('/healthcheck'), () => api.healthcheck()),
      get_dataset: await compare(at(`/dataset/${datasetId}`), () => api.get_dataset({ dataset_id: datasetId })),
      list_items: await compare(at(`/explore/${datasetId}/items?page_size=100&sort_by=name`), () =>
        api.list_items({ dataset_id: datasetId, page_size: 100, sort_by: 'name' }),
      ),
    };
  } finally {
    await server.stop();
  }
}

async function compare(
  bare: () => Promise<unknown>,
  client: () => Promise<unknown>,
): Promise<{ ratio: number; bare_ms: number; client_ms: number }> {
  const taken = { bare: [] as number[], client: [] as number[] };
  for (let nth = 0; nth < WARM_UP + CALLS; nth += 1) {
    // The order alternates, because the second of two requests may meet what the first left to collect.
    const pair = [['bare', bare] as const, ['client', client] as const];
    for (const [name, call] of nth % 2 === 0 ? pair : pair.toReversed()) {
      const started = performance.now();
      await call();
      if (nth >= WARM_UP) taken[name].push(performance.now() - started);
    }
  }
  const [bareMs, clientMs] = [median(taken.bare), median(taken.client)];
  return { ratio: round(bareMs / clientMs), bare_ms: round(bareMs), client_ms: round(clientMs) };
}
