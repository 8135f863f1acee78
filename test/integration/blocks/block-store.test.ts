import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BlockStore } from '../../../src-main/infra/blocks/block-store.ts';
import {
  type Cut,
  type FileContent,
  isFileStored,
  namesOf,
  storeFile,
  writeStoredFile,
} from '../../../src-main/infra/blocks/stored-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PAGE = 4096;
/** Returns pages, each filled with one number. */
const pages = (...numbers: number[]) => Buffer.concat(numbers.map((one) => Buffer.alloc(PAGE, one)));
/** Returns more pages than fit in one list. */
const manyPages = (from: number) =>
  Buffer.concat(Array.from({ length: 300 }, (_, at) => Buffer.alloc(PAGE, `page ${from + at}`)));
const packsIn = async (folder: string) => (await readdir(folder)).map((name) => join(folder, name));

async function withStore<T>(folder: string, work: (store: BlockStore) => Promise<T>): Promise<T> {
  const store = await BlockStore.open(folder);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function keep(folder: string, bytes: Buffer, cut: Cut = 'pages'): Promise<FileContent> {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, bytes);
  return withStore(folder, async (store) => {
    const { content } = await storeFile(store, file, { cut, is_temporary: true });
    await store.commit();
    expect(existsSync(file)).toBe(false);
    return content;
  });
}

async function read(folder: string, content: FileContent): Promise<Buffer> {
  const file = join(await temporaryFolder(), 'file');
  await withStore(folder, (store) => writeStoredFile(store, content, file));
  return readFile(file);
}

const sweep = (folder: string, ...kept: FileContent[]) =>
  withStore(folder, (store) => store.sweep(namesOf(store, kept)));

it('stores new blocks of a file in one pack; the first pack begins with the first file', async () => {
  const folder = await temporaryFolder();
  const first = pages(1, 2, 1, 3);
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, first);
  const { ino } = await stat(file);
  const a = await withStore(folder, async (store) => {
    const stored = await storeFile(store, file, { cut: 'pages', is_temporary: true });
    await store.commit();
    expect(stored).toMatchObject({ n_blocks: 4, n_new_blocks: 3, new_bytes: 3 * PAGE });
    return stored.content;
  });
  const [pack = ''] = await packsIn(folder);
  // The pack is not written twice.
  expect((await stat(pack)).ino).toBe(ino);
  expect((await readFile(pack)).subarray(0, first.length).equals(first)).toBe(true);
  const second = pages(1, 9, 1, 3, 4).subarray(0, -7);
  const b = await keep(folder, second);
  expect(await packsIn(folder)).toHaveLength(2);
  expect((await read(folder, a)).equals(first)).toBe(true);
  expect((await read(folder, b)).equals(second)).toBe(true);
  expect(await keep(folder, first)).toEqual(a);
  expect(await packsIn(folder)).toHaveLength(2);
});

it('stores a large file with lists of its blocks, of which only changed ones are new', async () => {
  const folder = await temporaryFolder();
  const first = manyPages(0);
  const a = await keep(folder, first);
  expect(a).toEqual({ lists: [expect.any(String), expect.any(String), expect.any(String)] });
  const changed = Buffer.from(first).fill(7, 299 * PAGE);
  const b = await keep(folder, changed);
  const [before, after] = [a, b].map((content) => ('lists' in content ? content.lists : []));
  expect(after?.slice(0, 2)).toEqual(before?.slice(0, 2));
  expect(after?.[2]).not.toBe(before?.[2]);
  expect((await read(folder, a)).equals(first)).toBe(true);
  expect((await read(folder, b)).equals(changed)).toBe(true);
});

it('reports how much of a file is written', async () => {
  const folder = await temporaryFolder();
  const content = await keep(folder, pages(1, 2, 3).subarray(0, -7));
  const reported: [number, number][] = [];
  const file = join(await temporaryFolder(), 'file');
  await withStore(folder, (store) =>
    writeStoredFile(store, content, file, (done, total) => reported.push([done, total])),
  );
  expect(reported.at(-1)).toEqual([3 * PAGE - 7, 3 * PAGE - 7]);
});

it('keeps no pack of files that were not committed', async () => {
  const folder = await temporaryFolder();
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, manyPages(0));
  await withStore(folder, (store) => storeFile(store, file, { cut: 'pages' }));
  expect(await packsIn(folder)).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

it('stores files at the same time, and equal blocks of them once', async () => {
  const folder = await temporaryFolder();
  const source = await temporaryFolder();
  const names = Array.from({ length: 8 }, (_, at) => join(source, String(at)));
  for (const [at, name] of names.entries()) await writeFile(name, Buffer.concat([manyPages(0), manyPages(300 * at)]));
  const contents = await withStore(folder, async (store) => {
    const stored = await Promise.all(names.map((name) => storeFile(store, name, { cut: 'pages' })));
    await store.commit();
    expect(stored.reduce((sum, { n_new_blocks }) => sum + n_new_blocks, 0)).toBe(8 * 300);
    return stored.map(({ content }) => content);
  });
  for (const [at, name] of names.entries()) {
    expect((await read(folder, contents[at] ?? { blocks: [] })).equals(await readFile(name))).toBe(true);
  }
});

it('stores a pack of another store by its blocks', async () => {
  const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
  // Blocks of odd lengths are stored at odd offsets.
  await keep(folder, pages(1, 2).subarray(0, -7));
  await keep(folder, Buffer.concat([manyPages(0), manyPages(600)]).subarray(0, -9));
  const content = await keep(other, manyPages(600).subarray(0, -9));
  const [, pack = ''] = (await packsIn(folder)).toSorted();
  const stored = await Promise.all(
    (await packsIn(folder)).map((path) => withStore(other, (store) => storeFile(store, path, { cut: 'pack' }))),
  );
  expect(stored.reduce((sum, { n_blocks, n_new_blocks }) => sum + n_blocks - n_new_blocks, 0)).toBeGreaterThan(299);
  expect(pack).not.toBe('');
  const packed = await keep(other, await readFile(pack), 'chunks');
  expect((await read(other, packed)).equals(await readFile(pack))).toBe(true);
  expect((await read(other, content)).equals(manyPages(600).subarray(0, -9))).toBe(true);
});

it('copies needed blocks of packs that are mostly unneeded, and deletes packs that nothing needs', async () => {
  const folder = await temporaryFolder();
  const a = await keep(folder, pages(1, 2, 3, 4, 5, 6, 7, 8));
  const b = await keep(folder, pages(1, 9));
  await writeFile(join(folder, 'half.blocks.partial'), 'what a crash left');
  const before = await packsIn(folder);
  await sweep(folder, b);
  const [left = '', ...others] = (await packsIn(folder)).filter((path) => !before.includes(path));
  expect(others).toEqual([]);
  expect((await stat(left)).size).toBeLessThan(2 * PAGE);
  expect(await packsIn(folder)).toHaveLength(2);
  expect((await read(folder, b)).equals(pages(1, 9))).toBe(true);
  await expect(read(folder, a)).rejects.toMatchObject({ code: 'storage_failed' });
  await sweep(folder);
  expect(await packsIn(folder)).toEqual([]);
});

it('merges many small packs', async () => {
  const folder = await temporaryFolder();
  const contents: FileContent[] = [];
  for (let one = 0; one < 70; one += 1) contents.push(await keep(folder, pages(one)));
  expect(await packsIn(folder)).toHaveLength(70);
  await sweep(folder, ...contents);
  expect(await packsIn(folder)).toHaveLength(1);
  for (const [one, content] of contents.entries()) expect((await read(folder, content)).equals(pages(one))).toBe(true);
});

it('deletes nothing when a list of needed blocks is damaged', async () => {
  const folder = await temporaryFolder();
  const content = await keep(folder, manyPages(0));
  await keep(folder, pages(1));
  const before = await packsIn(folder);
  const unknown = { lists: ['lists' in content ? (content.lists[0] ?? '') : '', 'ab'.repeat(32)] };
  await sweep(folder, unknown);
  expect(await packsIn(folder)).toEqual(before);
});

it('stays readable while a sweep deletes its packs', async () => {
  const folder = await temporaryFolder();
  const a = await keep(folder, pages(1, 2, 3));
  await withStore(folder, async (store) => {
    await sweep(folder);
    expect(await packsIn(folder)).toEqual([]);
    const file = join(await temporaryFolder(), 'file');
    await writeStoredFile(store, a, file);
    expect((await readFile(file)).equals(pages(1, 2, 3))).toBe(true);
  });
});

it('shares packs with another folder, which neither writes again for what the other does not need', async () => {
  const [folder, other] = [await temporaryFolder(), join(await temporaryFolder(), 'blocks')];
  const a = await keep(folder, pages(1, 2, 3, 4, 5, 6, 7, 8));
  for (let time = 0; time < 2; time += 1) await withStore(folder, (store) => store.linkTo(namesOf(store, [a]), other));
  const inodes = async (path: string) => Promise.all((await packsIn(path)).map(async (pack) => (await stat(pack)).ino));
  expect(await inodes(other)).toEqual(await inodes(folder));
  const b = await keep(other, pages(1));
  await sweep(other, b);
  expect(await inodes(other)).toEqual(expect.arrayContaining(await inodes(folder)));
  await sweep(folder);
  expect(await packsIn(folder)).toEqual([]);
  await sweep(other, b);
  const sizes = await Promise.all((await packsIn(other)).map(async (path) => (await stat(path)).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 * PAGE);
});

it('finds damaged blocks, and stores them again once they are dropped', async () => {
  const folder = await temporaryFolder();
  const a = await keep(folder, pages(1, 2, 3));
  const [pack = ''] = await packsIn(folder);
  const whole = await readFile(pack);
  await writeFile(pack, Buffer.from(whole).fill(0, PAGE + 10, PAGE + 20));
  await withStore(folder, async (store) => {
    const damaged = await store.findDamaged();
    expect(damaged.size).toBe(1);
    expect(await isFileStored(store, a)).toBe(true);
    expect(await isFileStored(store, a, damaged)).toBe(false);
    const none = await store.findDamaged({
      names: namesOf(store, [{ blocks: 'blocks' in a ? a.blocks.slice(0, 1) : [] }]),
    });
    expect(none.size).toBe(0);
    await expect(read(folder, a)).rejects.toMatchObject({ code: 'storage_failed' });
    await store.drop(damaged);
  });
  expect(await withStore(folder, (store) => isFileStored(store, a))).toBe(false);
  expect(await keep(folder, pages(1, 2, 3))).toEqual(a);
  expect((await read(folder, a)).equals(pages(1, 2, 3))).toBe(true);
});

it('treats a file as not stored when its list of blocks was lost and is stored again but not committed', async () => {
  const folder = await temporaryFolder();
  const content = await keep(folder, manyPages(0));
  for (const pack of await packsIn(folder)) await rm(pack);
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, manyPages(0));
  await withStore(folder, async (store) => {
    expect((await storeFile(store, file, { cut: 'pages' })).content).toEqual(content);
    expect(await isFileStored(store, content)).toBe(false);
    await store.commit();
  });
  expect(await withStore(folder, (store) => isFileStored(store, content))).toBe(true);
});

it('deletes no pack whose index is damaged', async () => {
  const folder = await temporaryFolder();
  await keep(folder, pages(1, 2, 3));
  const [pack = ''] = await packsIn(folder);
  const whole = await readFile(pack);
  await writeFile(pack, Buffer.from(whole).fill(0, whole.length - 30, whole.length - 20));
  await sweep(folder);
  expect(await packsIn(folder)).toEqual([pack]);
  await rename(pack, `${pack}.aside`);
});
