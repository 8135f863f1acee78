import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  type SnapshotManifest,
  snapshotFolder,
  sweepSnapshots,
} from '../../../src-main/infra/dataset-store/snapshots/stored-snapshots.ts';
import { BuiltInEngine } from '../../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

/** The folder of a dataset that a stopped server created. */
let dataset: string;
let generation: string;

beforeAll(async () => {
  const images = await temporaryFolder(atEnd);
  await writeImages(images, [0, 1, 2, 3, 4, 5, 6, 7]);
  const data = await temporaryFolder(atEnd);
  const { api, close } = await openData(data, { finished: atEnd });
  const id = await api.createFromFolder('snapshots', images);
  await api.waitFor(id, 'READY');
  await close();
  dataset = join(data, 'datasets', id);
  generation = join(dataset, '1');
  // The server's own snapshots are not tested here.
  for (const name of ['snapshots', 'blocks']) await rm(join(dataset, name), { recursive: true });
});

const placeOf = (snapshotId: string) => ({ datasetFolder: dataset, snapshotId });

async function create(snapshotId: string) {
  const db = new Database(join(generation, 'data.db'));
  const vectorEngine = new BuiltInEngine({ folder: generation });
  try {
    return await createSnapshot({ db, folder: generation, vectorEngine }, placeOf(snapshotId), { name: snapshotId });
  } finally {
    await vectorEngine.close();
    db.close();
  }
}

async function restore(snapshotId: string): Promise<string> {
  const folder = await temporaryFolder();
  await restoreSnapshot(placeOf(snapshotId), folder);
  return folder;
}

function edit(sql: string): void {
  const db = new Database(join(generation, 'data.db'));
  db.exec(sql);
  db.close();
}

function read<T>(folder: string, sql: string): T[] {
  const db = new Database(join(folder, 'data.db'));
  const rows = db.prepare<[], T>(sql).all();
  db.close();
  return rows;
}

const MEDIA = 'SELECT * FROM media ORDER BY row';
const packsOf = async () => (await readdir(join(dataset, 'blocks'))).map((name) => join(dataset, 'blocks', name));
const bytesOf = async () => sumOf(await Promise.all((await packsOf()).map(async (path) => (await stat(path)).size)));
const manifestOf = async (snapshotId: string) =>
  JSON.parse(await readFile(join(snapshotFolder(placeOf(snapshotId)), 'manifest.json'), 'utf8')) as SnapshotManifest;

describe('a snapshot', () => {
  it('takes no further space while nothing changes, and afterwards only that of the changes', async () => {
    const first = await create('first');
    expect(first.n_new_blocks).toBeGreaterThan(0);
    expect(await packsOf()).toHaveLength(1);
    expect((await create('same')).n_new_blocks).toBe(0);
    expect((await manifestOf('same')).database).toEqual((await manifestOf('first')).database);
    expect(await packsOf()).toHaveLength(1);
    edit(`UPDATE media SET format = 'edited' WHERE row = 3`);
    const edited = await create('edited');
    expect(edited.n_new_blocks).toBeGreaterThan(0);
    expect(edited.n_new_blocks).toBeLessThan(edited.n_blocks);
    expect(await packsOf()).toHaveLength(2);
    edit(`UPDATE media SET format = 'jpeg' WHERE row = 3`);
  });

  it('is restored exactly, whatever has changed in the generation', async () => {
    await create('before');
    const rows = read(generation, MEDIA);
    const files = (await manifestOf('before')).files;
    const kept = await Promise.all(files.map(({ path }) => readFile(join(generation, path))));
    edit(`UPDATE media SET format = 'changed'`);
    const index = files.find(({ path }) => path.startsWith('index/'))?.path ?? 'no index was kept';
    await rm(join(generation, index));

    const folder = await restore('before');
    expect(read(folder, MEDIA)).toEqual(rows);
    for (const [at, { path }] of files.entries()) expect(await readFile(join(folder, path))).toEqual(kept[at]);
    expect(read<{ ok: string }>(folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await writeFile(join(generation, index), await readFile(join(folder, index)));
    edit(`UPDATE media SET format = 'jpeg'`);
  });

  it('shares files that never change and copies files that grow', async () => {
    await create('shared');
    const folder = await restore('shared');
    const inode = async (base: string, path: string) => (await stat(join(base, path))).ino;
    for (const { path, bytes, is_growing } of (await manifestOf('shared')).files) {
      const isSame = (await inode(generation, path)) === (await inode(snapshotFolder(placeOf('shared')), path));
      // An index file that another test restored is a different file.
      if (!path.startsWith('index/')) expect(isSame).toBe(true);
      if (!is_growing) continue;
      expect(await inode(folder, path)).not.toBe(await inode(generation, path));
      expect((await stat(join(folder, path))).size).toBe(bytes);
    }
  });

  it('is refused when a block is damaged or missing', async () => {
    await create('damaged');
    const packs = await packsOf();
    const whole = await Promise.all(packs.map((path) => readFile(path)));
    for (const [at, path] of packs.entries()) {
      // Overwrites bytes in the middle of the first block.
      await writeFile(path, Buffer.from(whole[at] ?? []).fill(1, 100, 200));
    }
    await expect(restore('damaged')).rejects.toMatchObject({ code: 'storage_failed' });
    for (const path of packs) await truncate(path, 100);
    await expect(restore('damaged')).rejects.toMatchObject({ code: 'storage_failed' });
    await expect(restore('unknown')).rejects.toMatchObject({ code: 'not_found' });
    for (const [at, path] of packs.entries()) await writeFile(path, whole[at] ?? '');
    await restore('damaged');
  });

  it('is deleted with the blocks that no other needs, even after a crash left it incomplete', async () => {
    await create('kept');
    const before = await bytesOf();
    edit('CREATE TABLE extra AS SELECT randomblob(100000) AS bytes');
    await create('large');
    expect(await bytesOf()).toBeGreaterThan(before + 100_000);
    await deleteSnapshot(placeOf('large'));
    for (const other of ['first', 'same', 'edited', 'before', 'shared', 'damaged'])
      await deleteSnapshot(placeOf(other));
    await sweepSnapshots(dataset);
    expect(await bytesOf()).toBeLessThanOrEqual(before);
    await restore('kept');

    await mkdir(snapshotFolder(placeOf('half')), { recursive: true });
    await writeFile(join(snapshotFolder(placeOf('half')), 'data.db'), 'half');
    await sweepSnapshots(dataset);
    expect(await readdir(join(dataset, 'snapshots'))).toEqual(['kept']);
  });
});

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
