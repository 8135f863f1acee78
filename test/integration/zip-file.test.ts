import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import yauzl from 'yauzl';
import { ZipFile } from '../../src-main/infra/exports/zip-file.ts';
import { centralRecord, endRecords } from '../../src-main/infra/exports/zip-records.ts';
import { expectSameFiles } from '../support/fault-count.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { zipEntries } from '../support/zip-entries.ts';

const AT = new Date('2026-01-01T10:20:30');

/** Paths and sizes that the list at the end of a ZIP has. */
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

it('holds texts, files of any size and what is generated, as they were', async () => {
  const folder = await temporaryFolder();
  const files = new Map([
    ['empty', Buffer.alloc(0)],
    ['small', randomBytes(1000)],
    ['a chunk', randomBytes(2 ** 20)],
    ['chunks and some', randomBytes(3 * 2 ** 20 + 7)],
  ]);
  const path = join(folder, 'a.zip');
  const zip = new ZipFile(path, AT);
  for (const [name, bytes] of files) {
    await writeFile(join(folder, name), bytes);
    expect(zip.addFile(`images/${name}`, join(folder, name))).toBe(true);
  }
  expect(zip.addFile('images/none', join(folder, 'none'))).toBe(false);
  zip.addText('läbel.txt', 'again and again and again and again');
  const large = randomBytes(2 ** 21);
  await zip.add('metadata.json', ['{"a":', large.toString('hex'), '}']);
  await zip.add('stored', [large, new Uint8Array([1])], 'stored');
  zip.addText('last', '');
  zip.end();
  zip.close();

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
  const folder = await temporaryFolder();
  const [file, path] = [join(folder, 'file'), join(folder, 'a.zip')];
  await writeFile(file, 'abc');
  const zip = new ZipFile(path, AT);
  const names = Array.from({ length: 65_600 }, (_, at) => String(at));
  for (const name of names) zip.addFile(name, file);
  zip.end();
  zip.close();
  expect([...(await listed(path)).keys()].join()).toBe(names.join());
});

it('says sizes and places beyond 4 GiB', async () => {
  const entry = {
    path: Buffer.from('large'),
    crc32: 7,
    size_bytes: 2 ** 32,
    stored_bytes: 2 ** 32 - 2,
    is_deflated: true,
    offset: 2 ** 33 + 5,
  };
  const record = centralRecord(entry, 0);
  // As if so many bytes were ahead of the list: readers look for it from the end.
  const path = join(await temporaryFolder(), 'a.zip');
  await writeFile(path, record);
  await writeFile(path, endRecords({ count: 1, bytes: record.length, offset: 0 }), { flag: 'a' });
  expect(await listed(path)).toEqual(new Map([['large', 2 ** 32]]));
  const extra = record.subarray(46 + entry.path.length);
  expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, 16]);
  expect([extra.readBigUInt64LE(4), extra.readBigUInt64LE(12)]).toEqual([BigInt(2 ** 32), BigInt(2 ** 33 + 5)]);
  expect(record.readUInt32LE(20)).toBe(2 ** 32 - 2);
  const end = endRecords({ count: 1, bytes: record.length, offset: 2 ** 33 });
  expect([end.length, end.readBigUInt64LE(48)]).toEqual([98, BigInt(2 ** 33)]);
});
