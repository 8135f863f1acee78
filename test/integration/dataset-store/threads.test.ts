import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { DatasetStore, DatasetStores } from '../../../src-main/core/ports/dataset-store.ts';
import { everything, type QueryPlan } from '../../../src-main/core/ports/query.ts';
import { createDatasetFolders } from '../../../src-main/infra/dataset-store/disk/dataset-folders.ts';
import { createDatasetStores } from '../../../src-main/infra/dataset-store/thread/dataset-store.client.ts';
import { buildIndex } from '../../support/build-index.ts';
import { QUALITY } from '../../support/in-process-compute.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';
import { openFiles } from '../../support/open-files.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const source = join(import.meta.dirname, '..', '..', '..', 'src-main', 'infra');
const MEANING = { encoder_id: 'an-encoder', dim: 4 };
const LOOKS = { encoder_id: 'looks', dim: 4 };

interface Opened {
  stores: DatasetStores;
  folderOf: (datasetId: string) => string;
  create: (datasetId: string) => Promise<DatasetStore>;
}

async function openStores({ maxOpen = 8, nReaders = 1, reader = 'ending-reader.worker.ts' } = {}): Promise<Opened> {
  const dataFolder = await temporaryFolder();
  const stores = createDatasetStores({
    entries: {
      writer: join(import.meta.dirname, 'ending-writer.worker.ts'),
      reader: join(import.meta.dirname, reader),
      parquet: join(source, 'parquet', 'parquet.worker.ts'),
    },
    dataFolder,
    folders: createDatasetFolders(dataFolder, { log: silentLog }),
    listNeeded: () => [],
    onDamaged: () => undefined,
    maxOpen: () => maxOpen,
    nReaders: () => nReaders,
    log: silentLog,
  });
  onTestFinished(() => stores.close());
  return {
    stores,
    folderOf: (datasetId) => join(dataFolder, 'datasets', datasetId, '1'),
    create: async (datasetId) => {
      const store = stores.open(datasetId, await stores.create(datasetId));
      await store.vectors.openSpace('looks', LOOKS);
      await store.vectors.openSpace('meaning', MEANING);
      await store.intake.addSource({ source_id: 's', kind: 'folder', root: '/photos' });
      await store.intake.addBatch({ batch_id: 'b', source_id: 's', kind: 'folder' });
      return store;
    },
  };
}

const newFile = (name: string) => ({
  file_path: name,
  location: name,
  size_bytes: 1,
  mtime_ms: 1,
  kind: 'image' as const,
});

/** Calls that make the threads of these tests exit as in a crash: see `ending-reader.worker.ts` and `ending-writer.worker.ts`. */
const endReader = (store: DatasetStore) => store.enrichment.countFailures();
const endWriter = (store: DatasetStore) => store.repairs.countLost();

/** Starts an import that is blocked until the test releases it. */
async function stalledImport(store: DatasetStore, folder: string) {
  const pipe = join(folder, 'vectors.parquet');
  execFileSync('mkfifo', [pipe]);
  const result = store.enrichment.importVectors('an-encoder', pipe).then(
    () => 'imported',
    (error: Error) => error.message,
  );
  const letGo = async () => {
    await (await open(pipe, 'w')).close();
    return result;
  };
  return { result, letGo };
}

it('reads while a Parquet file is being imported', async () => {
  const { create, folderOf } = await openStores();
  const store = await create('a');
  await store.intake.addFiles('b', [newFile('1.jpg')]);
  const stalled = await stalledImport(store, folderOf('a'));
  const first = await Promise.race([stalled.result, store.items.counts()]);
  expect(first).toMatchObject({ n_files: 1 });
  expect(await store.explore.listClusters({ plan: everything('IMAGES'), level: 0, page_number: 0 })).toMatchObject({
    total_clusters: 0,
  });
  expect(await stalled.letGo()).toMatch('not a readable Parquet file');
});

it('reads while a write transaction is open', async () => {
  const { create, folderOf } = await openStores();
  const store = await create('a');
  const other = new Database(join(folderOf('a'), 'data.db'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const written = store.intake.addFiles('b', [newFile('1.jpg')]);
  expect(await Promise.race([written, store.items.counts()])).toMatchObject({ n_files: 0 });
  other.exec('COMMIT');
  expect(await written).toBe(1);
  expect(await store.items.counts()).toMatchObject({ n_files: 1 });
});

it('reads the generation that replaced the requested one', async () => {
  const { stores, create } = await openStores();
  const store = await create('a');
  await store.intake.addFiles('b', [newFile('1.jpg')]);
  const changes = { meaning: {}, forget_models: [], forget_caption_vectors: false };
  const first = await stores.create('copy');
  const second = await stores.copy({ dataset_id: 'a', generation: 1 }, 'copy', changes);
  // The next generation is in the making until the catalog names it.
  await stores.deleteReplaced('copy', first);
  const held = stores.open('copy', first);
  const begun = held.items.counts();
  await stores.deleteReplaced('copy', second);
  expect(await begun).toMatchObject({ n_files: 0 });
  for (const { items } of [held, stores.open('copy', first)])
    expect(await items.counts()).toMatchObject({ n_files: 1 });
});

it('does not find a dataset that was removed meanwhile', async () => {
  const { stores, create } = await openStores();
  const store = await create('a');
  await stores.remove('a');
  await expect(store.items.counts()).rejects.toMatchObject({ code: 'not_found' });
  await create('a');
  expect(await store.items.counts()).toMatchObject({ n_files: 0 });
});

/** Fills the only place for an open dataset with one whose vector engine does not answer, so that other datasets wait until the test ends the call. */
async function fillRoom({ create }: Opened): Promise<() => Promise<void>> {
  const store = await create('stalled');
  const mediaId = await addTwoImages(store);
  const engine = stalledEngine();
  const call = explored(store, { scores: [{ name: 'like', media_id: mediaId, max_distance: 0.5 }] });
  await engine.requested;
  return async () => {
    engine.go();
    await call;
  };
}

/** Controls the engine of `stalled-engine-reader.worker.ts`. */
function stalledEngine(): { requested: Promise<void>; go(): void } {
  const channel = new BroadcastChannel('stalled vector engine');
  onTestFinished(() => channel.close());
  const requested = new Promise<void>((resolve) => {
    channel.onmessage = () => resolve();
  });
  return { requested, go: () => channel.postMessage('go') };
}

it('reads the current generation after a wait, when the requested one is gone', async () => {
  const opened = await openStores({ maxOpen: 1, reader: 'stalled-engine-reader.worker.ts' });
  const { stores, create } = opened;
  const store = await create('a');
  const makeRoom = await fillRoom(opened);
  const waiting = store.items.counts();
  await store.intake.addFiles('b', [newFile('1.jpg')]);
  const changes = { meaning: {}, forget_models: [], forget_caption_vectors: false };
  await stores.deleteReplaced('a', await stores.copy({ dataset_id: 'a', generation: 1 }, 'a', changes));
  await makeRoom();
  expect(await waiting).toMatchObject({ n_files: 1 });
});

it('answers as for an unknown dataset after a wait, when it was removed', async () => {
  const opened = await openStores({ maxOpen: 1, reader: 'stalled-engine-reader.worker.ts' });
  const store = await opened.create('a');
  const makeRoom = await fillRoom(opened);
  const waiting = store.items.counts();
  waiting.catch(() => undefined);
  await opened.stores.remove('a');
  await makeRoom();
  await expect(waiting).rejects.toMatchObject({ code: 'not_found' });
});

it('sees earlier writes in every reading thread, even in cached data', async () => {
  const { create } = await openStores({ nReaders: 3 });
  const store = await create('a');
  const inAll = <Value>(read: () => Promise<Value>) => Promise.all([1, 2, 3, 4, 5, 6].map(read));
  await store.intake.addFiles('b', ['1.jpg', '2.jpg', '3.jpg'].map(newFile));
  const files = await store.intake.listPending('b', 'image', null, 10);
  await store.intake.saveResults(files.map(({ file_id, file_path }, at) => described(file_id, file_path, at)));
  expect((await inAll(() => store.items.counts())).map(({ n_images }) => n_images)).toEqual([3, 3, 3, 3, 3, 3]);
  await publish(store);
  const shown = () => inAll(() => store.explore.listClusters({ plan: everything('IMAGES'), level: 0, page_number: 0 }));
  expect((await shown()).map(({ total_items }) => total_items)).toEqual([3, 3, 3, 3, 3, 3]);
  const [anchor] = (await shown()).flatMap(({ clusters }) => clusters.flatMap(({ previews }) => previews));
  const like = { name: 'like' as const, media_id: anchor?.media_id ?? '', max_distance: null };
  const plan = { ...everything('IMAGES'), scores: [like] };
  const ranked = await inAll(() => store.explore.listClusters({ plan, level: 0, page_number: 0 }));
  expect(ranked.map(({ total_items }) => total_items)).toEqual([3, 3, 3, 3, 3, 3]);
  expect(ranked.map(({ clusters }) => clusters[0]?.distance)).toEqual([0, 0, 0, 0, 0, 0]);
  await store.intake.addBatch({ batch_id: 'w', source_id: 's', kind: 'watch' });
  await store.changes.add('w', 's', { added_or_changed: [], removed: ['1.jpg'] });
  await store.changes.finish('w');
  expect((await shown()).map(({ total_items }) => total_items)).toEqual([2, 2, 2, 2, 2, 2]);
});

/** Adds and indexes two images. @returns The id of the first one. */
async function addTwoImages(store: DatasetStore): Promise<string> {
  await store.intake.addFiles('b', ['1.jpg', '2.jpg'].map(newFile));
  const files = await store.intake.listPending('b', 'image', null, 10);
  await store.intake.saveResults(files.map(({ file_id, file_path }, at) => described(file_id, file_path, at)));
  await publish(store);
  const [anchor] = (await store.items.listArrivals({ offset: 0, limit: 1 })).items;
  return anchor?.media_id ?? '';
}

const explored = async (store: DatasetStore, plan: Partial<QueryPlan>) => {
  const query = { plan: { ...everything('IMAGES'), ...plan }, level: 0, page_number: 0 };
  return (await store.explore.listClusters(query)).total_items;
};

it.each<[string, (store: DatasetStore, mediaId: string) => Promise<unknown>, unknown]>([
  ['issues are made', (store) => store.issues.count(everything('IMAGES'), ISSUE_LIMITS), [{ name: 'blur', count: 2 }]],
  [
    'captions are read',
    (store) => explored(store, { conditions: [{ name: 'captions', op: 'contains', value: ['x'] }] }),
    0,
  ],
])('answers other calls while %s, and closes only when all are answered', async (_what, ask, expected) => {
  const { create, stores } = await openStores();
  const store = await create('a');
  const anchor = await addTwoImages(store);
  const answered: string[] = [];
  const requested = ask(store, anchor).then((found) => {
    answered.push('what takes long');
    return found;
  });
  const counts = store.items.counts().then(() => answered.push('counts'));
  const closed = counts.then(() => stores.close());
  expect(await requested).toEqual(expected);
  await closed;
  expect(answered).toEqual(['counts', 'what takes long']);
});

it('answers other datasets, and reads without vectors, while a vector engine does not answer', async () => {
  const { create } = await openStores({ reader: 'stalled-engine-reader.worker.ts' });
  const [stalled, other] = [await create('stalled'), await create('other')];
  const like = (mediaId: string) => ({ scores: [{ name: 'like' as const, media_id: mediaId, max_distance: 0.5 }] });
  const [plan, otherPlan] = [like(await addTwoImages(stalled)), like(await addTwoImages(other))];
  const engine = stalledEngine();
  const searches = Array.from({ length: 6 }, () => explored(stalled, plan));
  await engine.requested;
  expect(await stalled.items.counts()).toMatchObject({ n_images: 2 });
  expect(await explored(stalled, {})).toBe(2);
  expect(await explored(other, otherPlan)).toBe(1);
  engine.go();
  expect(await Promise.all(searches)).toEqual([1, 1, 1, 1, 1, 1]);
});

it('continues to read when the writing thread dies, and restarts it', async () => {
  const { create } = await openStores();
  const store = await create('a');
  await expect(endWriter(store)).rejects.toThrow('was closed');
  expect(await store.items.counts()).toMatchObject({ n_files: 0 });
  expect(await store.intake.addFiles('b', [newFile('1.jpg')])).toBe(1);
  expect(await store.items.counts()).toMatchObject({ n_files: 1 });
});

it('writes a dataset with the thread of one that was closed', async () => {
  const { create, stores } = await openStores();
  await create('a');
  const before = countThreads();
  await stores.remove('a');
  const store = await create('b');
  expect(countThreads()).toBe(before);
  expect(await store.intake.addFiles('b', [newFile('1.jpg')])).toEqual(1);
});

it('restarts a dead reading thread, and rejects its pending calls', async () => {
  const { create } = await openStores();
  const store = await create('a');
  const ended = endReader(store);
  const waited = store.items.counts();
  await expect(ended).rejects.toThrow('was closed');
  await expect(waited).rejects.toThrow('was closed');
  expect(await store.items.counts()).toMatchObject({ n_files: 0 });
});

it('closes the least recently used dataset when another is opened, but none in use', async () => {
  const { create, stores, folderOf } = await openStores({ maxOpen: 1 });
  for (const id of ['a', 'b', 'c']) await create(id);
  await stores.close();
  const isOpen = (datasetId: string) => isFileOpen(join(folderOf(datasetId), 'data.db'));
  await stores.open('a', 1).items.counts();
  await stores.open('b', 1).items.counts();
  await expect.poll(() => ['a', 'b', 'c'].map(isOpen)).toEqual([false, true, false]);
  const stalled = await stalledImport(stores.open('b', 1), folderOf('b'));
  await stores.open('c', 1).items.counts();
  await stores.open('a', 1).items.counts();
  await expect.poll(() => ['a', 'b', 'c'].map(isOpen)).toEqual([true, true, false]);
  expect(await stalled.letGo()).toMatch('not a readable Parquet file');
});

const countThreads = () => readdirSync('/proc/self/task').length;

const isFileOpen = (file: string) => openFiles().includes(file);

async function publish(store: DatasetStore): Promise<void> {
  const files = await store.vectors.prepareIndex('looks', 'IMAGES');
  const options = { entityType: 'IMAGES' as const, linkageThresholds: [0.95, 0.9, 0.8, 0.7, 0.6], threads: 1 };
  await store.vectors.publishIndex([await buildIndex(files, options)]);
}

function described(key: number, name: string, at: number) {
  const vector = new Float32Array(LOOKS.dim);
  vector[at % LOOKS.dim] = 1;
  return {
    key,
    ok: true as const,
    width: 1,
    height: 1,
    format: 'jpeg' as const,
    pages: 1,
    content_hash: name,
    size_bytes: 1,
    mtime_ms: 1,
    thumbnail: new Uint8Array(1),
    quality: QUALITY,
    exif: null,
    vectors: { looks: vector, meaning: vector },
  };
}
