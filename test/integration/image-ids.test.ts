import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import type { Snapshot } from '../../src-main/contract/schemas/snapshot.ts';
import { startHttpServer } from '../../src-main/http/server.ts';
import { Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { openFiles } from '../support/open-files.ts';
import { silentLog } from '../support/silent-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestCore } from '../support/test-core.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NAMES = ['one', 'two', 'three'];
const linux = process.platform === 'linux' ? undefined : 'open files are listed on Linux only';

let data: string;
let api: Api;
let stop: () => Promise<void>;
/** Ids of the datasets by name. */
const ids = new Map<string, string>();

beforeAll(async () => {
  data = await temporaryFolder(atEnd);
  await start();
  for (const name of NAMES) ids.set(name, await newDataset(name));
  await api.atRest();
});

async function start(): Promise<void> {
  const { core, close } = await createTestCore({ data, finished: atEnd });
  const { temporaryFolder } = core;
  const http = await startHttpServer({ core, log: silentLog, port: 0, temporaryFolder, rendererFolder: null });
  api = new Api(http.baseUrl);
  stop = async () => {
    await http.close();
    await close();
  };
  atEnd(() => http.close());
}

/** Stops the core, changes its data folder and starts it again. */
async function restart(change: () => Promise<unknown> = async () => undefined): Promise<void> {
  await api.atRest();
  await stop();
  await change();
  await start();
}

async function newDataset(name: string): Promise<string> {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2]);
  const id = await api.createFromFolder(name, folder);
  await api.waitFor(id, 'READY');
  return id;
}

async function itemsOf(id: string): Promise<string[]> {
  const { body } = await api.get<{ items: Preview[] }>(`/explore/${id}/items?page_size=500`);
  return body.items.map(({ media_id }) => media_id).toSorted();
}

async function expectFound(itemIds: readonly string[]): Promise<void> {
  expect(itemIds.length).toBeGreaterThan(0);
  for (const id of itemIds) expect(await api.get(`/image/${id}`)).toMatchObject({ status: 200 });
}

/** Adds an image to a dataset and returns the ids of all items. */
async function withOneMore(id: string, seed: number): Promise<string[]> {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [seed]);
  await api.post(`/dataset/${id}/add_media`, { s3_uri: folder, auto_reindex: 'true' });
  await api.waitFor(id, 'READY');
  return itemsOf(id);
}

async function datasetNamed(name: string): Promise<string> {
  const { body } = await api.get<Dataset[]>('/datasets');
  return body.find(({ display_name }) => display_name === name)?.id ?? '';
}

/** The inspection after a start opens each dataset for a moment; a dataset that is read stays open. */
function expectOpen(expected: readonly string[]): Promise<void> {
  const isOpen = (id: string) => openFiles().some((path) => path.startsWith(join(data, 'datasets', id)));
  return expect.poll(() => [...ids.values()].filter(isOpen)).toEqual(expected);
}

const idOf = (name: string) => ids.get(name) ?? '';

it('are searched only in the datasets that created them', needs(linux), async () => {
  const [item = ''] = await itemsOf(idOf('two'));
  await restart();
  expect(await api.get(`/image/${UNKNOWN}`)).toMatchObject({ status: 404, body: { detail: 'Image not found' } });
  await expectOpen([]);
  const ofTwo = `${item.slice(0, -12)}000000000000`;
  expect(await api.get(`/image/${ofTwo}`)).toMatchObject({ status: 404, body: { detail: 'Image not found' } });
  await expectOpen([idOf('two')]);
  await expectFound([item]);
  await expectOpen([idOf('two')]);
});

it('are UUIDs of version 4', async () => {
  for (const id of await itemsOf(idOf('one'))) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
});

it('are found in a restored state, and in copies of it after its deletion', async () => {
  const id = await newDataset('copied');
  const before = await itemsOf(id);
  await withOneMore(id, 3);
  const [current] = (await api.get<Snapshot[]>(`/dataset/${id}/snapshot`)).body;
  const of = `/dataset/${id}/snapshot/${current?.snapshot_id}`;
  await api.post(`${of}/restore`);
  await api.waitFor(id, 'READY');
  await expectFound(await itemsOf(id));

  await api.post(`${of}/clone`);
  const cloneId = await datasetNamed('copied (cloned)');
  await api.waitFor(cloneId, 'READY');
  await api.atRest();
  const [first] = (await api.get<Snapshot[]>(`/dataset/${cloneId}/snapshot`)).body;
  await api.post(`/dataset/${cloneId}/snapshot/${first?.snapshot_id}/clone`);
  const secondId = await datasetNamed('copied (cloned) (cloned)');
  await api.waitFor(secondId, 'READY');
  await api.atRest();
  for (const gone of [id, cloneId]) expect((await api.call('DELETE', `/dataset/${gone}`)).status).toBe(200);
  await expectFound(before);
  await expectFound(await withOneMore(secondId, 4));
});

it('are found in a dataset that was restored from a backup', async () => {
  const id = await newDataset('backed up');
  const before = await itemsOf(id);
  await api.atRest();
  const folder = await temporaryFolder(atEnd);
  expect((await api.call('POST', '/backup', json({ folder }))).status).toBe(202);
  await api.atRest();
  expect((await api.call('DELETE', `/dataset/${id}`)).status).toBe(200);
  expect(await api.get(`/image/${before[0]}`)).toMatchObject({ status: 404 });
  const { body } = await api.get<{ backups: { backup_id: string }[] }>(`/backups?folder=${encodeURIComponent(folder)}`);
  const from = { folder, backup_id: body.backups[0]?.backup_id, dataset_id: id };
  const restored = await api.call<{ dataset_id: string }>('POST', '/backups/restore', json(from));
  await until(
    async () => (await api.get<Dataset>(`/dataset/${restored.body.dataset_id}`)).body,
    ({ status_new }) => status_new === 'READY',
  );
  await expectFound(before);
});

it('are found when the catalog was lost, with and without the records of the datasets', async () => {
  const { body: datasets } = await api.get<Dataset[]>('/datasets');
  const items = await Promise.all(datasets.map(({ id }) => itemsOf(id)));
  const catalogs = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'catalog-copy.db'];
  const lose = async (files: readonly string[]) => {
    for (const name of files) await rm(join(data, name), { force: true });
  };
  await restart(() => lose(catalogs));
  await expectFound(items.flat());
  await restart(() => lose([...catalogs, ...datasets.map(({ id }) => join('datasets', id, 'dataset.json'))]));
  for (const { id } of datasets) {
    await api.post(`/dataset/${id}/reindex`);
    await api.waitFor(id, 'READY');
  }
  await expectFound(items.flat());
});
