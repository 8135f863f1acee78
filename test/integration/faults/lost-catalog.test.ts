import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { RecoveryEvent } from '../../../src-main/contract/schemas/recovery.ts';
import { openCatalog } from '../../../src-main/infra/catalog/catalog.ts';
import { keepCatalogCopy } from '../../../src-main/infra/catalog/catalog-copy.ts';
import { type Api, json, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { check } from '../../support/check-data.ts';
import { expectSameBytes, expectSameFiles, noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

type Recovery = { events: RecoveryEvent[]; n_new: number };

const NAMES = ['one', 'two', 'uploaded'];
const CATALOG = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm'];
const WITH_COPY = [...CATALOG, 'catalog-copy.db'];
let files: string[];
/** Data folders with some datasets, one of a stopped and one of a running server. */
let stopped: string;
let running: string;
let listed: Dataset[];

beforeAll(async () => {
  const images = await temporaryFolder(atEnd);
  files = await writeImages(images, [0, 1, 2, 3, 4, 5]);
  stopped = await temporaryFolder(atEnd);
  running = await temporaryFolder(atEnd);
  const { api, close } = await openData(stopped, { finished: atEnd });
  const ids: string[] = [];
  for (const name of NAMES.slice(0, 2)) ids.push(await api.createFromFolder(name, images));
  ids.push(await upload(api, 'uploaded'));
  for (const id of ids) await api.waitFor(id, 'READY');
  await api.atRest();
  listed = (await api.get<Dataset[]>('/datasets')).body;
  // Files that are being written at this moment may disappear before they are copied.
  await cp(stopped, running, { recursive: true, filter: (path) => !path.includes('.partial') });
  await close();
});

async function upload(api: Api, name: string): Promise<string> {
  const { body: draft } = await api.get<{ dataset_id: string }>(`/ingestion/new_dataset?dataset_name=${name}`);
  const id = draft.dataset_id;
  const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
  await api.upload(id, transaction.trans_id, files);
  await api.post(`/ingestion/${id}/process_files/${transaction.trans_id}`);
  return id;
}

/** Returns a copy of a data folder after damaging it. */
async function damaged(from: string, damage: (data: string) => Promise<unknown>): Promise<string> {
  const data = await temporaryFolder();
  await cp(from, data, { recursive: true });
  noteFault();
  await damage(data);
  return data;
}

const essence = (datasets: readonly Dataset[]) =>
  datasets
    .map(({ id, display_name, status_new, n_images, source_uri, source_type, created_at }) => ({
      id,
      display_name,
      status_new,
      n_images,
      source_uri,
      source_type,
      created_at,
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

async function expectAll(api: Api): Promise<void> {
  const { body } = await api.get<Dataset[]>('/datasets');
  expect(essence(body)).toEqual(essence(listed));
  for (const { id } of body) {
    const { body: explored } = await api.get<{ clusters: unknown[] }>(`/explore/${id}?threshold=0`);
    expect(explored.clusters.length).toBeGreaterThan(0);
  }
}

/** Returns all files below a folder, by path. */
async function contents(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(paths.map(async (path) => [path.slice(folder.length), await readFile(path)] as const)),
  );
}

function settingsIn(catalog: string): string[] {
  const db = new Database(catalog, { readonly: true });
  try {
    return db.prepare<[], string>('SELECT value FROM setting').pluck().all();
  } finally {
    db.close();
  }
}

/** Overwrites the second half of a write-ahead log. Its first frames stay valid. */
async function scramble(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(0x5a, bytes.length / 2));
}

async function otherLog(file: string): Promise<void> {
  const { length } = await readFile(file);
  await writeFile(file, randomBytes(length));
}

const removeAll = (data: string, names: readonly string[]) =>
  Promise.all(names.map((name) => rm(join(data, name), { force: true })));

describe('a lost catalog', () => {
  it.each([
    ['deleted after a stop', () => damaged(stopped, (data) => removeAll(data, CATALOG))],
    ['deleted under a running server', () => damaged(running, (data) => removeAll(data, CATALOG))],
    ['copied without its write-ahead log', () => damaged(running, (data) => removeAll(data, CATALOG.slice(1)))],
    ['emptied', () => damaged(stopped, (data) => truncate(join(data, 'catalog.db'), 0))],
    ['cut in the middle', () => damaged(stopped, (data) => truncate(join(data, 'catalog.db'), 20_000))],
    ['overwritten', () => damaged(stopped, (data) => writeFile(join(data, 'catalog.db'), Buffer.alloc(50_000, 7)))],
    ['deleted with its copy', () => damaged(stopped, (data) => removeAll(data, WITH_COPY))],
    [
      'damaged with its copy',
      () =>
        damaged(stopped, async (data) => {
          for (const name of ['catalog.db', 'catalog-copy.db']) await truncate(join(data, name), 20_000);
        }),
    ],
  ])('%s: all datasets are restored, byte for byte', async (_how, prepare) => {
    const data = await prepare();
    const originals = await contents(join(data, 'media'));
    const { api } = await openData(data);
    await expectAll(api);
    expectSameFiles(await contents(join(data, 'media')), originals);
  });

  it('reports restored and lost data until a user has read it', async () => {
    const data = await damaged(stopped, async (folder) => {
      await removeAll(folder, WITH_COPY);
      await writeFile(join(folder, 'catalog.db'), 'no database');
    });
    const { api } = await openData(data);
    const { body } = await api.get<Recovery>('/recovery');
    expect(body.events.filter(({ kind }) => kind === 'adopted').map(({ name }) => name)).toEqual(
      expect.arrayContaining(NAMES),
    );
    const replaced = body.events.find(({ kind }) => kind === 'catalog_replaced');
    expect(replaced?.detail).toContain('recovered/catalog/');
    expect(replaced?.detail).toContain('Settings');
    expect(body.n_new).toBe(body.events.length);
    const place = /recovered\/\S+db/.exec(replaced?.detail ?? '')?.[0] ?? '';
    expect(await readFile(join(data, place), 'utf8')).toBe('no database');
    await api.post('/recovery/acknowledge');
    expect((await api.get<Recovery>('/recovery')).body.n_new).toBe(0);
  });

  it('after a kill: settings and all tasks are restored', async () => {
    const left = await temporaryFolder();
    await cp(stopped, left, { recursive: true });
    const first = await serve(left);
    const expected = {
      ...{ hub_url: 'https://models.example', mirror_url: 'https://own.example' },
      ...{ mirrors: ['https://mirror.example'], never_download: true },
    };
    await first.api.call('PATCH', '/models/settings', json(expected));
    await until(
      () => settingsIn(join(left, 'catalog-copy.db')),
      (values) => values.includes(expected.hub_url),
    );
    const { body: tasks } = await first.api.get('/tasks');
    await first.server.stop('SIGKILL');

    const lost = (data: string) => removeAll(data, CATALOG);
    const overwritten = (data: string) => writeFile(join(data, 'catalog.db'), Buffer.alloc(50_000, 7));
    for (const damage of [lost, overwritten]) {
      const { api, close } = await openData(await damaged(left, damage));
      await expectAll(api);
      expect((await api.get('/models/settings')).body).toEqual(expected);
      expect((await api.get('/tasks')).body).toEqual(tasks);
      const { body } = await api.get<Recovery>('/recovery');
      expect(body.events.map(({ kind }) => kind)).toEqual(['catalog_replaced']);
      expect(body.events[0]?.detail).toContain('restored from its copy of');
      await close();
    }
  });

  it('leaves its copy unchanged when it is damaged while it is used', async () => {
    const data = await temporaryFolder();
    await cp(stopped, data, { recursive: true });
    const kept = await readFile(join(data, 'catalog-copy.db'));
    const catalog = await openCatalog(data);
    onTestFinished(() => catalog.catalog.close());
    const bytes = await readFile(join(data, 'catalog.db'));
    noteFault();
    await writeFile(join(data, 'catalog.db'), bytes.fill(7, 8192));
    // Discards cached pages, because SQLite would not read them again from the damaged file.
    catalog.catalog.run('PRAGMA shrink_memory');
    await expect(keepCatalogCopy(catalog.catalog.copyTo, data)).rejects.toThrow();
    expectSameBytes(await readFile(join(data, 'catalog-copy.db')), kept);
  });

  it('restores no deleted dataset from a copy older than the deletion', async () => {
    const [half, gone] = listed.filter(({ source_type }) => source_type === 'FOLDER');
    if (!gone || !half) throw new Error('there are no datasets');
    const data = await damaged(stopped, async (folder) => {
      await removeAll(folder, CATALOG);
      await rm(join(folder, 'datasets', gone.id), { recursive: true });
      const inFolder = (name: string) => join(folder, 'datasets', half.id, name);
      await rename(inFolder('dataset.json'), inFolder('deleted.json'));
    });
    const { api } = await openData(data);
    const { body } = await api.get<Dataset[]>('/datasets');
    expect(essence(body)).toEqual(essence(listed.filter((dataset) => dataset !== gone && dataset !== half)));
    expect((await api.get<Recovery>('/recovery')).body.events).toMatchObject([
      { kind: 'not_restored', dataset_id: gone.id, name: gone.display_name },
      { kind: 'catalog_replaced' },
    ]);
    expect(await readdir(join(data, 'datasets'))).toHaveLength(NAMES.length - 2);
  });

  it('is not reported if nothing was lost', async () => {
    const { api } = await openData(await damaged(running, async () => undefined));
    await expectAll(api);
    expect((await api.get<Recovery>('/recovery')).body).toEqual({ events: [], n_new: 0 });
  });

  it('that is restored to an older state imports later additions and changes', async () => {
    const images = await temporaryFolder();
    await writeImages(images, [7, 8, 9]);
    const data = await damaged(stopped, async () => undefined);
    const first = await openData(data);
    const id = await first.api.createFromFolder('later', images);
    await first.api.waitFor(id, 'READY');
    const [grown] = listed;
    if (!grown) throw new Error('there is no dataset');
    await first.api.get(`/process/add_media?dataset_id=${grown.id}&path=${encodeURIComponent(images)}`);
    const after = await first.api.waitFor(grown.id, 'PARTIAL INDEX');
    await first.close();
    await cp(join(stopped, 'catalog.db'), join(data, 'catalog.db'));

    const second = await openData(data);
    expect((await second.api.get<Dataset>(`/dataset/${id}`)).body).toMatchObject({ status_new: 'READY', n_images: 3 });
    expect((await second.api.get<Dataset>(`/dataset/${grown.id}`)).body).toMatchObject({
      status_new: 'PARTIAL INDEX',
      n_images: after.n_images,
    });
  });

  it('resumes a creation that was running', async () => {
    const images = await temporaryFolder();
    await writeImages(
      images,
      Array.from({ length: 80 }, (_, seed) => seed),
    );
    const data = await temporaryFolder();
    const first = await serve(data);
    const id = await first.api.createFromFolder('cut off', images);
    await until(
      () => first.api.get<Dataset>(`/dataset/${id}`),
      ({ body }) => body.progress > 20,
    );
    await first.server.stop('SIGKILL');
    await removeAll(data, WITH_COPY);
    const second = await openData(data);
    expect(await second.api.waitFor(id, 'READY')).toMatchObject({ n_images: 80, display_name: 'cut off' });
  });
});

it.each([
  ['damaged', scramble],
  ['of other files', otherLog],
])('write-ahead logs that are %s after a kill lose no dataset and no item', async (_how, damage) => {
  const data = await damaged(stopped, async () => undefined);
  const first = await serve(data);
  for (const { id } of listed) {
    const made = await first.api.call('POST', `/dataset/${id}/tags`, json({ name: 'the last change' }));
    expect(made.status, made.text).toBe(200);
  }
  // The first change after a pause leaves the log at once, the next one stays in it for a while.
  for (const value of [300, 301]) await first.api.call('POST', '/settings', json({ key: 'AUDIT_DAYS', value }));
  await first.server.stop('SIGKILL');
  const files = (await readdir(data, { recursive: true })).map((name) => join(data, name));
  const logs = files.filter((file) => file.endsWith('.db-wal') && statSync(file).size > 0);
  expect(logs.map((log) => basename(log))).toEqual(expect.arrayContaining(['catalog.db-wal', 'data.db-wal']));
  for (const log of logs) await damage(log);
  const { api } = await openData(data);
  await expectAll(api);
  expect((await check(api)).damaged).toEqual([]);
});

describe('folders that the catalog does not know', () => {
  it('are adopted without their record, under a name of their own', async () => {
    const data = await damaged(stopped, async (folder) => {
      await removeAll(folder, WITH_COPY);
      for (const { id } of listed) await rm(join(folder, 'datasets', id, 'dataset.json'));
    });
    const { api } = await openData(data);
    const { body } = await api.get<Dataset[]>('/datasets');
    expect(body.map(({ id }) => id).toSorted()).toEqual(listed.map(({ id }) => id).toSorted());
    for (const dataset of body) {
      expect(dataset).toMatchObject({ n_images: 6, status_new: 'PARTIAL INDEX' });
      expect(dataset.display_name).toContain('Recovered');
    }
    expect(await readdir(join(data, 'media'))).toEqual(await readdir(join(stopped, 'media')));
  });

  it('are set aside when nothing can be read, with uploads of no dataset', async () => {
    const data = await damaged(stopped, async (folder) => {
      await mkdir(join(folder, 'datasets', 'unknown', '1'), { recursive: true });
      await writeFile(join(folder, 'datasets', 'unknown', '1', 'data.db'), 'no database');
      await mkdir(join(folder, 'media', 'unheld', 'ab'), { recursive: true });
      await writeFile(join(folder, 'media', 'unheld', 'ab', 'abc.jpg'), 'an image');
    });
    const { api } = await openData(data);
    await expectAll(api);
    const { body } = await api.get<Recovery>('/recovery');
    expect(body.events.map(({ kind }) => kind)).toEqual(['set_aside', 'set_aside']);
    const kept = [...(await contents(join(data, 'recovered'))).values()].map(String);
    expect(kept.toSorted()).toEqual(['an image', 'no database']);
  });

  it('are deleted when a deletion was started, and restored when it was only marked', async () => {
    const [gone, back] = listed;
    if (!gone || !back) throw new Error('there are no datasets');
    const data = await damaged(stopped, async (folder) => {
      for (const { id } of [gone, back]) {
        const inFolder = (name: string) => join(folder, 'datasets', id, name);
        await cp(inFolder('dataset.json'), inFolder('deleted.json'));
        await rm(inFolder('dataset.json'));
      }
    });
    const first = await openData(data);
    await expectAll(first.api);
    await first.close();

    await cp(join(data, 'datasets', gone.id, 'dataset.json'), join(data, 'datasets', gone.id, 'deleted.json'));
    await removeAll(data, WITH_COPY);
    const second = await openData(data);
    const { body } = await second.api.get<Dataset[]>('/datasets');
    expect(body.map(({ id }) => id)).not.toContain(gone.id);
    expect(body).toHaveLength(NAMES.length - 1);
    expect(await readdir(join(data, 'datasets'))).not.toContain(gone.id);
  });
});
