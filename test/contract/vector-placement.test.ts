import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type QdrantServer, startQdrant } from '../support/qdrant-server.ts';
import { scene } from '../support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const KEY = 'not to be shown';
const IMAGES = 16;

interface Placement {
  placement: string;
  engine: string | null;
  spaces: { n_rows: number; n_copied: number }[];
}

let folder: string;
let qdrant: QdrantServer;
let postgres: PostgresServer;
let api: Api;
let dataset: string;

beforeAll(async () => {
  [qdrant, postgres] = await Promise.all([startQdrant(KEY), startPostgres()]);
  atEnd(() => postgres.close());
  atEnd(() => qdrant.close());
  folder = await temporaryFolder(atEnd);
  const environment = { VITRINE_VECTOR_ENGINE_URL: qdrant.url, VITRINE_VECTOR_ENGINE_KEY: KEY };
  ({ api } = await openData(folder, { finished: atEnd, environment }));
  const photos = join(await temporaryFolder(atEnd), 'photos');
  await mkdir(photos);
  for (let seed = 1; seed <= IMAGES; seed += 1) await writeFile(join(photos, `${seed}.png`), await scene(seed));
  dataset = await api.createFromFolder('placed', photos);
  await api.waitFor(dataset, 'READY');
  await api.atRest();
}, 120_000);

const placement = async (of = dataset) => (await api.get<Placement>(`/dataset/${of}/vector_placement`)).body;

async function place(to: string, of = dataset): Promise<void> {
  const { status, body } = await api.call<{ task_id: string }>(
    'POST',
    `/dataset/${of}/vector_placement`,
    json({ placement: to }),
  );
  expect(status).toBe(202);
  const { task_id } = body;
  const ended = await until(
    async () =>
      (await api.get<{ tasks: Task[] }>('/tasks?with_service=true')).body.tasks.find((one) => one.task_id === task_id),
    (task) => task?.end_time !== null && task !== undefined,
  );
  expect(ended).toMatchObject({ task_type: 'VECTOR_PLACEMENT', status: 'COMPLETED' });
}

/** Items most similar to one of the dataset's images, the most similar first. */
async function similar(): Promise<{ status: number; ids: string[]; detail?: unknown }> {
  const anchor = await firstItem();
  const { status, body } = await api.get<{ items?: { media_id: string }[]; detail?: string }>(
    `/explore/${dataset}/items?anchor_type=MEDIA&anchor_media_id=${anchor}`,
  );
  return { status, ids: body.items?.map(({ media_id }) => media_id) ?? [], detail: body.detail };
}

async function firstItem(): Promise<string> {
  const { body } = await api.get<{ items: { media_id: string }[] }>(`/explore/${dataset}/items`);
  return body.items[0]?.media_id ?? '';
}

describe('placement of vectors', () => {
  it('copies them to Qdrant, which then answers searches with the same items', async () => {
    expect(await placement()).toMatchObject({ placement: 'built-in', engine: null });
    const before = await similar();
    expect(before.ids).toHaveLength(IMAGES);
    await place('external');
    const placed = await placement();
    expect(placed).toMatchObject({ placement: 'external', engine: 'qdrant' });
    expect(placed.spaces.every(({ n_rows, n_copied }) => n_copied === n_rows)).toBe(true);
    const requested = qdrant.requests.get('POST points query') ?? 0;
    expect(await similar()).toEqual(before);
    expect(qdrant.requests.get('POST points query')).toBeGreaterThan(requested);
  });

  it('answers 503 to searches while the engine is away, and everything else', async () => {
    await qdrant.close();
    const { status, detail } = await similar();
    expect(status).toBe(503);
    expect(detail).toMatch(/vector engine \(qdrant\)/);
    expect(detail).not.toMatch(/127\.0\.0\.1|not to be shown/);
    for (const path of [`/explore/${dataset}`, `/explore/${dataset}/items`, `/explore/${dataset}/map`]) {
      expect((await api.get(path)).status).toBe(200);
    }
    qdrant = await startQdrant(KEY, qdrant.collections, Number(new URL(qdrant.url).port));
    expect((await similar()).status).toBe(200);
  });

  it('moves to PostgreSQL as soon as the setting names it, and shows no key', async () => {
    const before = await similar();
    await place('built-in');
    expect(qdrant.collections.size).toBe(0);
    await api.call('POST', '/settings', json({ key: 'VECTOR_ENGINE_URL', value: postgres.url }));
    await place('external');
    expect(await placement()).toMatchObject({ placement: 'external', engine: 'pgvector' });
    expect((await similar()).ids).toEqual(before.ids);
    const { text } = await api.get('/settings');
    expect(text).not.toContain(KEY);
    expect(text).toContain('********');
  });

  it('refuses an unknown placement, and an external engine that is not configured', async () => {
    const ask = (to: string) => api.call('POST', `/dataset/${dataset}/vector_placement`, json({ placement: to }));
    expect((await ask('elsewhere')).status).toBe(422);
    await api.call('POST', '/settings', json({ key: 'VECTOR_ENGINE_URL', value: '' }));
    expect(await ask('external')).toMatchObject({ status: 400 });
    expect(await placement()).toMatchObject({ placement: 'built-in', engine: null });
    expect((await similar()).status).toBe(200);
    expect((await api.get('/dataset/00000000-0000-4000-8000-000000000000/vector_placement')).status).toBe(404);
  });

  it('follows the setting after indexing, and leaves no collection of a deleted dataset', async () => {
    await api.call('POST', '/settings', json({ key: 'VECTOR_ENGINE_URL', value: qdrant.url }));
    await api.call('POST', '/settings', json({ key: 'VECTOR_ENGINE', value: 'external' }));
    const photos = join(await temporaryFolder(atEnd), 'few');
    await mkdir(photos);
    for (let seed = 1; seed <= 3; seed += 1) await writeFile(join(photos, `${seed}.png`), await scene(seed));
    const other = await api.createFromFolder('other', photos);
    await api.waitFor(other, 'READY');
    await until(async () => (await placement(other)).placement === 'external');
    expect(qdrant.collections.size).toBeGreaterThan(0);
    await api.call('DELETE', `/dataset/${other}`);
    await until(() => qdrant.collections.size === 0);
  });
});
