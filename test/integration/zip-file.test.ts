import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import yauzl from 'yauzl';
import { createZip } from '../../src-main/infra/exports/zip-file.ts';
import { expectSameFiles } from '../support/fault-count.ts';
import { heldBytes } from '../support/held-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { zipEntries } from '../support/zip-entries.ts';

const AT = new Date('2026-01-01T10:20:30');

/** Returns paths and sizes in bytes from the central directory of a ZIP. */
function listed(file: string): Promise<Map<string, number>> {
  return new Promise((resolve, reject) => {
    yauzl.open(file, (failure, zip) => {
      if (failure) return reject(failure);
      const found = new Map<string, number>();
      zip.on('error', reject);
      zip.on('entry', ({ fileName, uncompressedSize }: yauzl.Entry) => found.set(fileName, uncompressedSize));
      zip.on('end', () => resolve(found));
    });
  });
}

it('contains texts, files of any size and generated content unchanged', async () => {
  const folder = await temporaryFolder();
  const files = new Map([
    ['empty', Buffer.alloc(0)],
    ['small', randomBytes(1000)],
    ['read at once', randomBytes(4 * 2 ** 20)],
    ['streamed', randomBytes(5 * 2 ** 20 + 7)],
  ]);
  const path = join(folder, 'a.zip');
  const zip = createZip(path, AT);
  for (const [name, bytes] of files) {
    await writeFile(join(folder, name), bytes);
    expect(await zip.addFile(`images/${name}`, join(folder, name))).toBe(true);
  }
  expect(await zip.addFile('images/none', join(folder, 'none'))).toBe(false);
  await zip.addText('läbel.txt', 'again and again and again and again');
  const large = randomBytes(2 ** 21);
  await zip.add('metadata.json', ['{"a":', large.toString('hex'), '}']);
  await zip.add('stored', [large, new Uint8Array([1])], 'stored');
  await zip.addText('last', '');
  await zip.end();

  const images = [...files].map(([name, bytes]) => [`images/${name}`, bytes] as const);
  expectSameFiles(
    await zipEntries(await readFile(path)),
    new Map<string, Buffer>([
      ...images,
      ['läbel.txt', Buffer.from('again and again and again and again')],
      ['metadata.json', Buffer.from(`{"a":${large.toString('hex')}}`)],
      ['stored', Buffer.concat([large, Buffer.from([1])])],
      ['last', Buffer.alloc(0)],
    ]),
  );
});

it('lists more entries than a plain ZIP can', async () => {
  const path = join(await temporaryFolder(), 'a.zip');
  const zip = createZip(path, AT);
  const names = Array.from({ length: 65_600 }, (_, at) => String(at));
  for (const name of names) await zip.addText(name, 'a');
  await zip.end();
  expect([...(await listed(path)).keys()].join()).toBe(names.join());
});

it.each([0, 1, 2, 3])('lists %d entries', async (count) => {
  const file = join(await temporaryFolder(), 'a.zip');
  const zip = createZip(file, AT);
  for (let at = 0; at < count; at += 1) await zip.addText(`${at}.txt`, 'a');
  await zip.end();
  expect((await listed(file)).size).toBe(count);
});

it('keeps little memory for written entries', async () => {
  const folder = await temporaryFolder();
  const zip = createZip(join(folder, 'a.zip'), AT);
  const fill = async (from: number, to: number) => {
    for (let at = from; at < to; at += 1) await zip.addText(`labels/train/${String(at).padStart(8, '0')}.txt`, '0 0.5');
  };
  await fill(0, 1000);
  const before = heldBytes();
  await fill(1000, 21_000);
  expect((heldBytes() - before) / 20_000).toBeLessThan(400);
  await zip.end();
  expect((await listed(join(folder, 'a.zip'))).size).toBe(21_000);
});
