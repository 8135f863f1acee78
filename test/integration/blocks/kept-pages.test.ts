import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { joinPages, keepPages, namesIn, sharePages, sweepPages } from '../../../src-main/infra/blocks/kept-pages.ts';
import { PagePacks } from '../../../src-main/infra/blocks/page-packs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PAGE = 4096;
/** Some pages, each of which is filled with a number. */
const pages = (...numbers: number[]) => Buffer.concat(numbers.map((one) => Buffer.alloc(PAGE, one)));
const packsIn = async (folder: string) => (await readdir(folder)).map((name) => join(folder, name));

async function keep(folder: string, content: Buffer): Promise<string[]> {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, content);
  const { lists } = await keepPages(file, folder);
  expect(existsSync(file)).toBe(false);
  return lists;
}

async function joined(folder: string, lists: readonly string[]): Promise<Buffer> {
  const file = join(await temporaryFolder(), 'file');
  await joinPages(lists, folder, file);
  return readFile(file);
}

/** Sweeps all that some files do not need. */
async function sweep(folder: string, ...kept: string[][]): Promise<void> {
  const packs = await PagePacks.open(folder);
  const named = new Set(kept.flat());
  for (const list of kept.flat()) for (const name of namesIn(await packs.read(list))) named.add(name);
  await sweepPages(packs, folder, named);
  await packs.close();
}

it('keeps what a file has anew in one pack, which begins as the first file does', async () => {
  const folder = await temporaryFolder();
  const first = pages(1, 2, 1, 3);
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, first);
  const { ino } = await stat(file);
  const a = (await keepPages(file, folder)).lists;
  const [pack = ''] = await packsIn(folder);
  // It is not written twice.
  expect((await stat(pack)).ino).toBe(ino);
  expect((await readFile(pack)).subarray(0, first.length).equals(first)).toBe(true);
  const b = await keep(folder, pages(1, 9, 1, 3, 4).subarray(0, -7));
  expect(await packsIn(folder)).toHaveLength(2);
  expect((await joined(folder, a)).equals(first)).toBe(true);
  expect((await joined(folder, b)).equals(pages(1, 9, 1, 3, 4).subarray(0, -7))).toBe(true);
  expect(await keep(folder, first)).toEqual(a);
  expect(await packsIn(folder)).toHaveLength(2);
});

it('says how much of a file it has written again', async () => {
  const folder = await temporaryFolder();
  const content = pages(1, 2, 3).subarray(0, -7);
  const lists = await keep(folder, content);
  const reported: [number, number][] = [];
  await joinPages(lists, folder, join(await temporaryFolder(), 'file'), (done, total) => reported.push([done, total]));
  expect(reported.at(-1)).toEqual([content.length, content.length]);
});

it('writes what is needed of packs that mostly are not to another, and deletes those that nothing needs', async () => {
  const folder = await temporaryFolder();
  const a = await keep(folder, pages(1, 2, 3, 4, 5, 6, 7, 8));
  const b = await keep(folder, pages(1, 9));
  await writeFile(join(folder, 'half.pages.partial'), 'what a crash left');
  const before = await packsIn(folder);
  await sweep(folder, b);
  const [left = '', ...others] = (await packsIn(folder)).filter((path) => !before.includes(path));
  expect(others).toEqual([]);
  expect((await stat(left)).size).toBeLessThan(2 * PAGE);
  expect(await packsIn(folder)).toHaveLength(2);
  expect((await joined(folder, b)).equals(pages(1, 9))).toBe(true);
  await expect(joined(folder, a)).rejects.toMatchObject({ code: 'storage_failed' });
  await sweep(folder);
  expect(await packsIn(folder)).toEqual([]);
});

it('shares packs with another folder, which neither writes again for what the other does not need', async () => {
  const [folder, other] = [await temporaryFolder(), join(await temporaryFolder(), 'blocks')];
  const content = pages(1, 2, 3, 4, 5, 6, 7, 8);
  const a = await keep(folder, content);
  await sharePages(a, folder, other);
  await sharePages(a, folder, other);
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

it('tells which blocks are damaged, and sweeps nothing of a pack whose index is', async () => {
  const folder = await temporaryFolder();
  const lists = await keep(folder, pages(1, 2, 3));
  const [pack = ''] = await packsIn(folder);
  const whole = await readFile(pack);
  await writeFile(pack, Buffer.from(whole).fill(0, PAGE + 10, PAGE + 20));
  const packs = await PagePacks.open(folder);
  expect((await packs.findDamaged(new AbortController().signal)).size).toBe(1);
  await packs.close();
  await expect(joined(folder, lists)).rejects.toMatchObject({ code: 'storage_failed' });
  await writeFile(pack, Buffer.from(whole).fill(0, whole.length - 30, whole.length - 20));
  await sweep(folder);
  expect(await packsIn(folder)).toEqual([pack]);
});
