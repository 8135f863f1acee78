import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ItemPage } from '../../../src-main/contract/schemas/facets.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import { type Api, json, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { noteFault } from '../../support/fault-count.ts';
import { image, writeImages } from '../../support/images.ts';
import { checkFolder } from '../../support/kills/check-folder.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

/** A data folder of a stopped server: a dataset of a folder, to which an upload was added, with a snapshot of each state. */
let sound: string;
let id: string;
let first: string;
let second: string;
let items: Record<'first' | 'second', string[]>;

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3, 4, 5, 6]);
  sound = await temporaryFolder(atEnd);
  const { api, close } = await openData(sound, { finished: atEnd });
  id = await api.createFromFolder('kept', folder, { encoder: 'none' });
  await api.waitFor(id, 'READY');
  await api.atRest();
  first = (await api.get<Snapshot[]>(`/dataset/${id}/snapshot`)).body[0]?.snapshot_id ?? '';
  const before = await itemsOf(api);
  const body = new FormData();
  body.append('files', new Blob([new Uint8Array(await image(7, 64, 64))]), 'uploaded.jpg');
  body.append('auto_reindex', 'true');
  expect((await api.call('POST', `/dataset/${id}/add_media`, { body })).status).toBe(202);
  await api.waitFor(id, 'READY');
  await api.atRest();
  second = (await api.call<Snapshot>('POST', `/dataset/${id}/snapshot`, json({ name: 'second' }))).body.snapshot_id;
  items = { first: before, second: await itemsOf(api) };
  expect([items.first.length, items.second.length]).toEqual([6, 7]);
  await close();
});

async function itemsOf(api: Api, of = id): Promise<string[]> {
  const { body } = await api.get<ItemPage>(`/explore/${of}/items?page_size=500`);
  return body.items.map(({ media_id }) => media_id).toSorted();
}

const snapshotsOf = async (api: Api, of = id) => (await api.get<Snapshot[]>(`/dataset/${of}/snapshot`)).body;

/** Kills a server in the middle of a task. @returns Its data folder. */
async function killed(fits: RegExp, nth: number, begin: (api: Api) => Promise<unknown>): Promise<string> {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  const doomed = await serve(data, killedBefore(fits, nth));
  noteFault();
  // The response may be lost with the server.
  await begin(doomed.api).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  expect((await doomed.server.ended).code).toBeNull();
  return data;
}

/** Asserts that no data is lost and no file is unreferenced. */
async function expectSound(api: Api, data: string): Promise<void> {
  await api.atRest();
  await checkFolder(data);
  expect((await api.get('/recovery')).body).toEqual({ events: [], n_new: 0 });
}

async function expectRestored(api: Api, data: string, snapshot: 'first' | 'second'): Promise<void> {
  await api.waitFor(id, 'READY');
  expect(await itemsOf(api)).toEqual(items[snapshot]);
  const current = (await snapshotsOf(api)).filter(({ is_current }) => is_current);
  expect(current).toMatchObject([{ snapshot_id: snapshot === 'first' ? first : second, is_restoring: false }]);
  expect((await api.get<Dataset>(`/dataset/${id}`)).body.n_images).toBe(items[snapshot].length);
  expect((await api.get(`/explore/${id}?threshold=0`)).status).toBe(200);
  await expectSound(api, data);
}

const restoreFirst = (api: Api) => api.post(`/dataset/${id}/snapshot/${first}/restore`);

describe('a kill while a snapshot is created', () => {
  it('leaves no snapshot', async () => {
    const data = await killed(/INSERT INTO snapshot /, 1, (doomed) =>
      doomed.call('POST', `/dataset/${id}/snapshot`, json({ name: 'third' })),
    );
    const { api } = await openData(data);
    expect((await snapshotsOf(api)).map(({ snapshot_id }) => snapshot_id)).toEqual([second, first]);
    await expectRestored(api, data, 'second');
  });

  it('at first indexing creates it once', async () => {
    const folder = await temporaryFolder();
    await writeImages(folder, [21, 22]);
    const data = await killed(/INSERT INTO snapshot /, 1, (doomed) =>
      doomed.createFromFolder('new', folder, { encoder: 'none' }),
    );
    const { api } = await openData(data);
    const made = (await api.get<Dataset[]>('/datasets')).body.find(({ display_name }) => display_name === 'new');
    await api.waitFor(made?.id ?? '', 'READY');
    expect(await snapshotsOf(api, made?.id)).toMatchObject([{ reason: 'creation', is_current: true, n_images: 2 }]);
    await expectSound(api, data);
  });
});

describe('a kill while a snapshot is restored', () => {
  it.each([
    ['before it begins', /SET status = 'RUNNING'/, 1],
    ['before reads are switched', /UPDATE dataset SET generation/, 1],
    ['in the middle of the switch', /UPDATE snapshot SET is_current/, 1],
    ['before the switch is committed', /UPDATE task SET status[\s\S]*"COMPLETED"/, 1],
    ['after the record of the dataset is written', /DELETE FROM dataset_unsaved/, 2],
  ])('%s', async (_when, fits, nth) => {
    const data = await killed(fits, nth, async (doomed) => {
      await restoreFirst(doomed);
      await until(
        () => doomed.get(`/dataset/${id}`),
        ({ body }) => body.status_new === 'never',
      );
    });
    const { api } = await openData(data);
    await expectRestored(api, data, 'first');
  });

  it('and a second kill when it is started again', async () => {
    const data = await killed(/UPDATE dataset SET generation/, 1, restoreFirst);
    // The server may be killed before it responds to any request.
    const doomed = await startServer(data, killedBefore(/UPDATE task SET status[\s\S]*"COMPLETED"/)).catch(
      () => undefined,
    );
    await doomed?.ended;
    await expectRestored((await openData(data)).api, data, 'first');
  });

  it('loses nothing if the catalog is lost too', async () => {
    const data = await killed(/UPDATE dataset SET generation/, 1, restoreFirst);
    for (const file of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'catalog-copy.db']) {
      await rm(join(data, file), { force: true });
    }
    noteFault();
    const { api } = await openData(data);
    await api.waitFor(id, 'READY');
    expect([items.first, items.second]).toContainEqual(await itemsOf(api));
    expect((await snapshotsOf(api)).map(({ snapshot_id }) => snapshot_id)).toEqual([second, first]);
    await api.atRest();
    await checkFolder(data);
  });
});

it('keeps the snapshots of a dataset whose catalog and record are lost', async () => {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  for (const file of [
    'catalog.db',
    'catalog.db-wal',
    'catalog.db-shm',
    'catalog-copy.db',
    `datasets/${id}/dataset.json`,
  ]) {
    await rm(join(data, file), { force: true });
  }
  const { api } = await openData(data);
  const kept = await snapshotsOf(api);
  expect(kept.map(({ snapshot_id, snapshot_name, is_current }) => [snapshot_id, snapshot_name, is_current])).toEqual([
    [second, 'second', true],
    [first, expect.stringContaining('kept_snapshot_'), false],
  ]);
  await restoreFirst(api);
  await api.waitFor(id, 'READY');
  expect(await itemsOf(api)).toEqual(items.first);
  await api.atRest();
  await checkFolder(data);
});

describe('a kill while a clone is created', () => {
  it.each([
    ['before it begins', /SET status = 'RUNNING'/, 1],
    ['before it is the dataset’s', /UPDATE dataset SET generation/, 1],
    ['before it has a snapshot', /INSERT INTO snapshot /, 1],
    ['before it is committed', /UPDATE task SET status[\s\S]*"COMPLETED"/, 1],
  ])('%s', async (_when, fits, nth) => {
    const data = await killed(fits, nth, (doomed) => doomed.post(`/dataset/${id}/snapshot/${first}/clone`));
    const { api } = await openData(data);
    const { body } = await api.get<Dataset[]>('/datasets');
    const clone = body.find(({ display_name }) => display_name === 'kept (cloned)')?.id ?? '';
    await api.waitFor(clone, 'READY');
    expect(await itemsOf(api, clone)).toEqual(items.first);
    expect(await snapshotsOf(api, clone)).toMatchObject([{ reason: 'clone', is_current: true }]);
    expect(await itemsOf(api)).toEqual(items.second);
    await expectSound(api, data);
  });
});

describe('a kill while a snapshot is deleted', () => {
  const remove = (doomed: Api) => doomed.call('DELETE', `/dataset/${id}/snapshot/${first}`);

  it('keeps it complete before the deletion is recorded', async () => {
    const data = await killed(/UPDATE snapshot SET deleted_at/, 1, remove);
    const { api } = await openData(data);
    expect((await snapshotsOf(api)).map(({ snapshot_id }) => snapshot_id)).toEqual([second, first]);
    await expectSound(api, data);
    await restoreFirst(api);
    await expectRestored(api, data, 'first');
  });

  it('while originals that only it needed are deleted leaves none of them', async () => {
    const data = await killed(/DELETE FROM media_folder/, 1, async (doomed) => {
      await restoreFirst(doomed);
      await doomed.waitFor(id, 'READY');
      await doomed.call('DELETE', `/dataset/${id}/snapshot/${second}`);
    });
    const { api } = await openData(data);
    expect((await snapshotsOf(api)).map(({ snapshot_id }) => snapshot_id)).toEqual([first]);
    await expectRestored(api, data, 'first');
  });

  it('leaves nothing of it after the deletion is recorded', async () => {
    const data = await killed(/DELETE FROM dataset_unsaved/, 1, async (doomed) => {
      await remove(doomed);
      await until(
        () => doomed.get(`/dataset/${id}`),
        ({ body }) => body.status_new === 'never',
      );
    });
    const { api } = await openData(data);
    expect((await snapshotsOf(api)).map(({ snapshot_id }) => snapshot_id)).toEqual([second]);
    await expectRestored(api, data, 'second');
  });
});
