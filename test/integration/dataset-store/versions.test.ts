import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { keepBlocks } from '../../../src-main/infra/blocks/blocks.ts';
import {
  forgetVersion,
  keepVersion,
  layOutVersion,
  sweepVersions,
  upgradeVersions,
  type VersionManifest,
  versionFolder,
} from '../../../src-main/infra/dataset-store/disk/versions.ts';
import { Api } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The folder of a dataset that a server made and left. */
let dataset: string;
let generation: string;

beforeAll(async () => {
  const images = await temporaryFolder(atEnd);
  await writeImages(images, [0, 1, 2, 3, 4, 5, 6, 7]);
  const data = await temporaryFolder(atEnd);
  const server = await startServer(data);
  atEnd(() => server.process.kill('SIGKILL'));
  const api = new Api(server.baseUrl);
  const id = await api.createFromFolder('versions', images);
  await api.waitFor(id, 'READY');
  await server.stop();
  dataset = join(data, 'datasets', id);
  generation = join(dataset, '1');
  // What the server itself has kept is not looked at here.
  for (const name of ['versions', 'blocks']) await rm(join(dataset, name), { recursive: true });
});

async function keep(versionId: string) {
  const db = new Database(join(generation, 'data.db'));
  try {
    return await keepVersion({ db, folder: generation }, dataset, versionId, { name: versionId });
  } finally {
    db.close();
  }
}

async function layOut(versionId: string): Promise<string> {
  const folder = await temporaryFolder();
  await layOutVersion(dataset, versionId, folder);
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
const manifestOf = async (versionId: string) =>
  JSON.parse(await readFile(join(versionFolder(dataset, versionId), 'manifest.json'), 'utf8')) as VersionManifest;

describe('a kept version', () => {
  it('costs nothing again while nothing changes, and only what changed after that', async () => {
    const first = await keep('first');
    expect(first.n_new_blocks).toBeGreaterThan(0);
    expect(await packsOf()).toHaveLength(1);
    expect((await keep('same')).n_new_blocks).toBe(0);
    expect((await manifestOf('same')).lists).toEqual((await manifestOf('first')).lists);
    expect(await packsOf()).toHaveLength(1);
    edit(`UPDATE media SET format = 'edited' WHERE row = 3`);
    const edited = await keep('edited');
    expect(edited.n_new_blocks).toBeGreaterThan(0);
    expect(edited.n_new_blocks).toBeLessThan(edited.n_blocks);
    expect(await packsOf()).toHaveLength(2);
    edit(`UPDATE media SET format = 'jpeg' WHERE row = 3`);
  });

  it('is laid out as it was, whatever became of the generation since', async () => {
    await keep('before');
    const rows = read(generation, MEDIA);
    const files = (await manifestOf('before')).files;
    const kept = await Promise.all(files.map(({ path }) => readFile(join(generation, path))));
    edit(`UPDATE media SET format = 'changed'`);
    const index = files.find(({ path }) => path.startsWith('index/'))?.path ?? 'no index was kept';
    await rm(join(generation, index));

    const folder = await layOut('before');
    expect(read(folder, MEDIA)).toEqual(rows);
    for (const [at, { path }] of files.entries()) expect(await readFile(join(folder, path))).toEqual(kept[at]);
    expect(read<{ ok: string }>(folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await writeFile(join(generation, index), await readFile(join(folder, index)));
    edit(`UPDATE media SET format = 'jpeg'`);
  });

  it('shares what never changes and has a copy of what grows', async () => {
    await keep('shared');
    const folder = await layOut('shared');
    const inode = async (base: string, path: string) => (await stat(join(base, path))).ino;
    for (const { path, bytes, is_growing } of (await manifestOf('shared')).files) {
      const isSame = (await inode(generation, path)) === (await inode(versionFolder(dataset, 'shared'), path));
      // An index file that another test put back is another file.
      if (!path.startsWith('index/')) expect(isSame).toBe(true);
      if (!is_growing) continue;
      expect(await inode(folder, path)).not.toBe(await inode(generation, path));
      expect((await stat(join(folder, path))).size).toBe(bytes);
    }
  });

  it('is refused where a block is damaged or gone', async () => {
    await keep('damaged');
    const packs = await packsOf();
    const whole = await Promise.all(packs.map((path) => readFile(path)));
    for (const [at, path] of packs.entries()) {
      // In the middle of its first block.
      await writeFile(path, Buffer.from(whole[at] ?? []).fill(1, 100, 200));
    }
    await expect(layOut('damaged')).rejects.toMatchObject({ code: 'storage_failed' });
    for (const path of packs) await truncate(path, 100);
    await expect(layOut('damaged')).rejects.toMatchObject({ code: 'storage_failed' });
    await expect(layOut('unknown')).rejects.toMatchObject({ code: 'not_found' });
    for (const [at, path] of packs.entries()) await writeFile(path, whole[at] ?? '');
    await layOut('damaged');
  });

  it('goes with the blocks that no other needs, and so does one that a crash left half done', async () => {
    await keep('kept');
    const before = await bytesOf();
    edit('CREATE TABLE extra AS SELECT randomblob(100000) AS bytes');
    await keep('large');
    expect(await bytesOf()).toBeGreaterThan(before + 100_000);
    await forgetVersion(dataset, 'large');
    for (const other of ['first', 'same', 'edited', 'before', 'shared', 'damaged']) await forgetVersion(dataset, other);
    await sweepVersions(dataset);
    expect(await bytesOf()).toBeLessThanOrEqual(before);
    await layOut('kept');

    await mkdir(versionFolder(dataset, 'half'), { recursive: true });
    await writeFile(join(versionFolder(dataset, 'half'), 'data.db'), 'half');
    await sweepVersions(dataset);
    expect(await readdir(join(dataset, 'versions'))).toEqual(['kept']);
  });

  it('of a former version of the program, which kept each block in a file of its own, is taken over', async () => {
    await keep('former');
    const folder = await layOut('former');
    const database = await readFile(join(folder, 'data.db'));
    const { lists: _lists, ...manifest } = await manifestOf('former');
    await rm(join(dataset, 'blocks'), { recursive: true });
    const { blocks } = await keepBlocks(join(folder, 'data.db'), join(dataset, 'blocks'));
    const former = { ...manifest, format: 1, blocks };
    await writeFile(join(versionFolder(dataset, 'former'), 'manifest.json'), JSON.stringify(former));

    await upgradeVersions(dataset);
    for (const other of await readdir(join(dataset, 'versions')))
      if (other !== 'former') await forgetVersion(dataset, other);
    await sweepVersions(dataset);
    expect(await packsOf()).toEqual([expect.stringMatching(/\.pages$/)]);
    expect((await readFile(join(await layOut('former'), 'data.db'))).equals(database)).toBe(true);
    expect((await manifestOf('former')).about).toEqual({ name: 'former' });
  });
});

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
