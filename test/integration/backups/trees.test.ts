import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BackupFolder } from '../../../src-main/infra/backups/backup-folder.ts';
import { restoreDataFolder } from '../../../src-main/infra/backups/restore-data-folder.ts';
import { storeListing } from '../../../src-main/infra/backups/stored-tree.ts';
import { TreeRestorer } from '../../../src-main/infra/backups/tree-restorer.ts';
import { type StoreOptions, TreeWriter } from '../../../src-main/infra/backups/tree-writer.ts';
import { verifyBackups } from '../../../src-main/infra/backups/verify-backups.ts';
import { BlockStore } from '../../../src-main/infra/blocks/block-store.ts';
import { checksumsBelow } from '../../support/folder-contents.ts';
import { needs, posix } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let blocks: string;
let restored: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  blocks = await temporaryFolder();
});

async function withStore<T>(work: (store: BlockStore) => Promise<T>, at = blocks): Promise<T> {
  const store = await BlockStore.open(at);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Stores the folder as `folder` in a tree. */
const keep = ({ previous, ...options }: StoreOptions & { previous?: string } = {}) =>
  withStore(async (store) => {
    const writer = new TreeWriter(store, previous, () => undefined);
    await writer.store('folder', folder, options);
    const tree = await writer.finish();
    await store.commit();
    return { tree, ...writer.total };
  });

async function restore(tree: string): Promise<void> {
  const to = await temporaryFolder();
  restored = join(to, 'folder');
  await withStore((store) => new TreeRestorer(store, () => undefined).restore(tree, to));
}

describe('a folder in a backup', () => {
  it('is read in slices, between which background work may rest', async () => {
    await writeFile(join(folder, 'large.pack'), Buffer.alloc(9 * 2 ** 20, 'large'));
    await writeFile(join(folder, 'data.db'), randomBytes(3 * 2 ** 20));
    let nTurns = 0;
    const turn = async () => {
      nTurns += 1;
    };
    await withStore((store) => new TreeWriter(store, undefined, () => undefined, turn).store('folder', folder));
    // Chunks of 4 MiB, and pages of a database that are read by the MiB.
    expect(nTurns).toBe(3 + 3);
  });

  it('is restored with empty files and folders, odd names and times', async () => {
    await mkdir(join(folder, 'empty', 'emptier'), { recursive: true });
    await writeFile(join(folder, 'nothing.bin'), '');
    await writeFile(join(folder, 'ß "quoted" \n.jpg'), 'odd');
    await writeFile(join(folder, 'large.pack'), Buffer.alloc(9 * 2 ** 20, 'large'));
    await utimes(join(folder, 'nothing.bin'), 1_000_000, 1_000_000);
    await restore((await keep()).tree);
    expect(await checksumsBelow(restored)).toEqual(await checksumsBelow(folder));
    expect((await stat(join(restored, 'empty', 'emptier'))).isDirectory()).toBe(true);
    expect((await stat(join(restored, 'nothing.bin'))).mtimeMs).toBe(1_000_000_000);
  });

  it('stores a file with several names once, and restores it once', async () => {
    await writeFile(join(folder, 'a.pack'), 'shared');
    await writeFile(join(folder, 'same.pack'), 'shared');
    await link(join(folder, 'a.pack'), join(folder, 'b.pack'));
    await restore((await keep()).tree);
    const inode = async (name: string) => (await stat(join(restored, name))).ino;
    expect(await inode('b.pack')).toBe(await inode('a.pack'));
    // Equal by coincidence: each file may be changed independently.
    expect(await inode('same.pack')).not.toBe(await inode('a.pack'));
  });

  it('stores a large file that folders share once, even in the first backup', async () => {
    for (const name of ['dataset', 'clone']) await mkdir(join(folder, name));
    await writeFile(join(folder, 'dataset', 'shared.db'), randomBytes(40 * 4096));
    await link(join(folder, 'dataset', 'shared.db'), join(folder, 'clone', 'shared.db'));
    const { tree, new_bytes } = await keep();
    expect(new_bytes).toBeLessThan(41 * 4096);
    await restore(tree);
    expect(await checksumsBelow(restored)).toEqual(await checksumsBelow(folder));
  });

  it('stores a growing file up to the given length', async () => {
    await mkdir(join(folder, 'vectors'));
    await writeFile(join(folder, 'vectors', '0.f32'), 'counted, and what came after');
    await restore((await keep({ lengths: new Map([[join(folder, 'vectors', '0.f32'), 7]]) })).tree);
    expect(await readFile(join(restored, 'vectors', '0.f32'), 'utf8')).toBe('counted');
  });

  it('is not read again when unchanged, and completely when its blocks are missing', async () => {
    await writeFile(join(folder, 'a.bin'), 'one');
    await writeFile(join(folder, 'b.bin'), 'two');
    await utimes(join(folder, 'a.bin'), 1_000_000, 1_000_000);
    const first = await keep();
    expect(first).toMatchObject({ n_files: 2, bytes: 6, new_bytes: 6 });
    // Changes that preserve length and modification time are not detected.
    await writeFile(join(folder, 'a.bin'), 'ONE');
    await utimes(join(folder, 'a.bin'), 1_000_000, 1_000_000);
    expect(await keep({ previous: first.tree })).toMatchObject({ tree: first.tree, new_bytes: 0 });
    await rm(blocks, { recursive: true });
    expect(await keep({ previous: first.tree })).toMatchObject({ n_files: 2, new_bytes: 6 });
  });

  it.each(['..', '.', '', 'a/b', 'a\\b', 'a\0b'])('cannot lead out of the folder by the name %j', async (name) => {
    const tree = await withStore(async (store) => {
      const listing = await storeListing(store, [{ name, bytes: 0, mtime_ms: 0, content: { blocks: [] } }]);
      await store.commit();
      return listing;
    });
    await expect(restore(tree)).rejects.toThrow('not valid');
  });
});

it('a folder with a damaged manifest is not swept', async () => {
  const at = join(folder, 'backups');
  await mkdir(at);
  const backups = new BackupFolder(at);
  await backups.prepare();
  await writeFile(join(folder, 'a.bin'), 'of the damaged one');
  await withStore(async (store) => {
    await new TreeWriter(store, undefined, () => undefined).store('a.bin', join(folder, 'a.bin'));
    await store.commit();
  }, backups.blocks);
  await writeFile(join(at, 'backups', '000001-x.json'), '{"format":1,');
  await backups.sweep();
  expect(Object.keys(await checksumsBelow(backups.blocks))).toHaveLength(1);
  await rm(join(at, 'backups', '000001-x.json'));
  await backups.sweep();
  expect(Object.keys(await checksumsBelow(backups.blocks))).toHaveLength(0);
});

describe('while another process replaces the only backup', () => {
  const at = () => join(folder, 'backups');
  const pipe = () => join(at(), 'backups', '000000-x.json');

  /** Makes a backup of one file and deletes the backups before it. */
  async function backUp(serial: number, content: string): Promise<void> {
    const backups = new BackupFolder(at());
    const tree = await withStore(async (store) => {
      await writeFile(join(folder, 'a.bin'), content);
      const writer = new TreeWriter(store, undefined, () => undefined);
      await writer.store('a.bin', join(folder, 'a.bin'));
      const root = await writer.finish();
      await store.commit();
      return root;
    }, backups.blocks);
    const facts = { n_files: 1, bytes: content.length, new_bytes: content.length, datasets: [], version: 'test' };
    await backups.write({ backup_id: `00000${serial}-x`, created_at: 'now', serial, tree, ...facts });
    await backups.prune(1);
    await backups.sweep();
  }

  /** Runs a reading of the backups that is stopped where it reads the manifests, and replaces the backup meanwhile. */
  async function besideNext<T>(read: () => Promise<T>): Promise<T> {
    await mkdir(at());
    await new BackupFolder(at()).prepare();
    await backUp(1, 'first');
    execFileSync('mkfifo', [pipe()]);
    const result = read();
    result.catch(() => undefined);
    // Opens when the reading opens the pipe.
    const writer = await open(pipe(), 'w');
    await rm(pipe());
    await backUp(2, 'second');
    await writer.close();
    return result;
  }

  it('a verification reports no damage', needs(posix), async () => {
    const found = await besideNext(() => verifyBackups({ from: at(), backup_id: undefined }, () => undefined));
    expect(found).toMatchObject({ backups: [{ backup_id: '000002-x', damaged: [] }], n_unreadable: 0 });
  });

  it('a restore of the latest backup restores the new one', needs(posix), async () => {
    const to = join(folder, 'restored');
    await besideNext(() => restoreDataFolder({ from: at(), backup_id: undefined, to }, () => undefined));
    expect(await readFile(join(to, 'a.bin'), 'utf8')).toBe('second');
  });

  it('a restore of the old backup reports that it no longer exists', needs(posix), async () => {
    const to = join(folder, 'restored');
    const restored = besideNext(() => restoreDataFolder({ from: at(), backup_id: '000001-x', to }, () => undefined));
    await expect(restored).rejects.toMatchObject({ code: 'not_found' });
  });
});
