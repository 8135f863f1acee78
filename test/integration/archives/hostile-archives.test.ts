import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflateRaw, createGzip, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import { EntryProblem } from '../../../src-main/infra/archives/archive-entry.ts';
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from '../../../src-main/infra/archives/archive-limits.ts';
import { inspectArchive, refuseWithoutMedia } from '../../../src-main/infra/archives/inspect-archive.ts';
import { readArchive } from '../../../src-main/infra/archives/read-archive.ts';
import { atEnd } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildTar, buildZip, paxRecords, type TarPart, tarHeader, type ZipPart } from './build-archive.ts';

const signal = new AbortController().signal;
const GIB = 1024 ** 3;
let folder = '';
let number = 0;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
});

async function keep(data: Buffer): Promise<string> {
  number += 1;
  const path = join(folder, `${number}.bin`);
  await writeFile(path, data);
  return path;
}

async function readAll(data: Buffer, limits: Partial<ArchiveLimits> = {}): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const path = await keep(data);
  for await (const entry of readArchive(path, 'given.zip', { ...DEFAULT_ARCHIVE_LIMITS, ...limits }, signal)) {
    files.set(entry.path, (await buffer(entry.open())).toString());
  }
  return files;
}

async function refusal(action: Promise<unknown>): Promise<string> {
  const error: unknown = await action.then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe('invalid_request');
  expect(error.message).not.toContain(folder);
  return error.message;
}

const text = (value: string) => Buffer.from(value);
const zip = (...parts: ZipPart[]) => readAll(buildZip(parts));
const tar = (...parts: TarPart[]) => readAll(buildTar(parts));

test.each([
  '../out.jpg',
  'a/../../out.jpg',
  '..\\out.jpg',
  '/etc/out.jpg',
  '\\out.jpg',
  'C:\\out.jpg',
  '//host/out.jpg',
])('refuses the name %s', async (name) => {
  expect(await refusal(zip({ name }))).toMatch(/absolute path|leads outside/);
  expect(await refusal(tar({ name }))).toMatch(/absolute path|leads outside/);
  expect(await refusal(readAll(gzipSync(buildTar([{ name }]))))).toMatch(/absolute path|leads outside/);
  const long = { name: 'x', type: 'x', data: paxRecords({ path: name }) };
  expect(await refusal(tar(long, { name: 'plain.jpg' }))).toMatch(/absolute path|leads outside/);
  expect(await readdir(folder)).not.toContain('out.jpg');
});

/** Returns the content of each entry, or the reason why it could not be read. */
async function readEach(data: Buffer): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  for await (const entry of readArchive(await keep(data), 'given.zip', DEFAULT_ARCHIVE_LIMITS, signal)) {
    const outcome = await buffer(entry.open()).catch((error: unknown) => {
      if (!(error instanceof EntryProblem)) throw error;
      expect(error.message).not.toContain(folder);
      return `${error.kind}: ${error.message}`;
    });
    outcomes.set(entry.path, String(outcome));
  }
  return outcomes;
}

const good = { name: 'good.jpg', data: text('good') };

test('links, devices, pipes and odd names are problems of single entries', async () => {
  for (const mode of [0o120777, 0o020644, 0o060644, 0o010644, 0o140644]) {
    const outcomes = await readEach(buildZip([{ name: 'odd.jpg', data: text('/etc/passwd'), mode }, good]));
    expect(outcomes.get('odd.jpg')).toMatch(/^unsupported: .*"odd\.jpg"/);
    expect(outcomes.get('good.jpg')).toBe('good');
  }
  for (const type of ['1', '2', '3', '4', '6', 'S', 'M', 'Q']) {
    const outcomes = await readEach(buildTar([{ name: 'odd.jpg', type }, good]));
    expect(outcomes.get('odd.jpg'), type).toMatch(/^unsupported: .*"odd\.jpg"/);
    expect(outcomes.get('good.jpg'), type).toBe('good');
  }
  for (const data of [buildZip([{ name: 'x:y.jpg' }, good]), buildTar([{ name: 'x:y.jpg' }, good])]) {
    const outcomes = await readEach(data);
    expect(outcomes.get('x:y.jpg')).toContain('absolute path of a drive');
    expect(outcomes.get('good.jpg')).toBe('good');
  }
});

test('a damaged, encrypted or unsupported entry of a zip is a problem of that entry', async () => {
  const data = text('an image, or so it says');
  const broken: ZipPart[] = [
    { name: 'odd.jpg', data, crc: 1 },
    { name: 'odd.jpg', data, stated_size: 500 },
    { name: 'odd.jpg', data, flags: 1 },
    { name: 'odd.jpg', data, method: 12 },
    { name: 'odd.jpg', packed: { data: Buffer.alloc(20, 0xff), size_bytes: 20, crc: 0 } },
  ];
  for (const part of broken) {
    const outcomes = await readEach(buildZip([part, good]));
    expect(outcomes.get('odd.jpg')).toMatch(/^un(readable|supported): The archive /);
    expect(outcomes.get('good.jpg')).toBe('good');
  }
});

test('refuses bombs by declared and by actual size', async () => {
  const bomb = await zeros(GIB);
  const honest = { name: 'bomb.png', packed: { data: bomb.deflated, size_bytes: GIB, crc: bomb.crc } };
  const path = await keep(buildZip([honest]));
  expect(await refusal(inspectArchive(path, 'a.zip', DEFAULT_ARCHIVE_LIMITS, signal))).toContain('decompression bomb');
  const before = process.memoryUsage().rss;
  expect(await refusal(zip({ ...honest, stated_size: 1_000_000 }))).toContain('differs from its header');
  expect(await refusal(readAll(bomb.tar_gz))).toContain('decompression bomb');
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
});

test('refuses entries that share packed bytes', async () => {
  const data = randomBytes(10_000);
  const shared = [1, 2, 3, 4].map((at) => ({ name: `${at}.png`, data, method: 0, offset: 0 }));
  expect(await readAll(withDirectory(shared.slice(0, 1)))).toHaveProperty('size', 1);
  expect(await refusal(readAll(withDirectory(shared)))).toContain('more data than the archive has');
});

test('refuses archives above a limit', async () => {
  const files = [1, 2, 3].map((at) => ({ name: `a/b/${at}.jpg`, data: text('12345') }));
  for (const data of [buildZip(files), buildTar(files), gzipSync(buildTar(files))]) {
    expect(await readAll(data)).toHaveProperty('size', 3);
    expect(await refusal(readAll(data, { max_entries: 2 }))).toContain('more than 2 entries');
    expect(await refusal(readAll(data, { max_total_bytes: 14 }))).toContain('more than the limit of 14 bytes');
    expect(await refusal(readAll(data, { max_entry_bytes: 4 }))).toContain('larger than the limit of 4 bytes');
    expect(await refusal(readAll(data, { max_depth: 2 }))).toContain('deeper than 2 levels');
  }
});

test('refuses wrong sizes and checksums', async () => {
  const data = text('an image, or so it says');
  expect(await refusal(zip({ name: 'a.jpg', data, stated_size: 5 }))).toContain('differs from its header');
  expect(await refusal(zip({ name: 'a.jpg', data, stated_size: 500 }))).toContain('differs from its header');
  expect(await refusal(zip({ name: 'a.jpg', data, crc: 1 }))).toContain('the checksum of "a.jpg" is wrong');
  expect(await refusal(tar({ name: 'a.jpg', data, stated_size: 100_000 }))).toContain('ends too early');
  const broken = buildTar([{ name: 'a.jpg', data }]);
  broken[3] = 0x7a;
  expect(await refusal(readAll(broken))).toContain('a header is not valid');
  const packed = gzipSync(buildTar([{ name: 'a.jpg', data }]));
  packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 0xff;
  expect(await refusal(readAll(packed))).toContain('compressed data is not valid');
});

test('refuses the archive even if the reader ignores the error of a bomb', async () => {
  const bomb = { name: 'a.jpg', data: text('more than it says'), stated_size: 5 };
  const path = await keep(buildZip([bomb, { name: 'b.jpg' }]));
  const paths: string[] = [];
  const reading = async () => {
    for await (const entry of readArchive(path, 'a.zip', DEFAULT_ARCHIVE_LIMITS, signal)) {
      paths.push(entry.path);
      await buffer(entry.open()).catch(() => undefined);
    }
  };
  expect(await refusal(reading())).toContain('differs from its header');
  expect(paths).toEqual(['a.jpg']);
});

test('refuses truncated archives wherever they are cut', async () => {
  const files = [1, 2, 3].map((at) => ({ name: `${at}.jpg`, data: Buffer.alloc(3000, at) }));
  const packed = gzipSync(buildTar(files));
  for (const share of [0.2, 0.5, 0.9]) {
    for (const whole of [buildZip(files), packed]) {
      expect(await refusal(readAll(whole.subarray(0, Math.floor(whole.length * share))))).toMatch(/truncated|damaged/);
    }
  }
  expect(await refusal(readAll(packed.subarray(0, packed.length - 4)))).toMatch(/ends too early/);
  const plain = buildTar(files);
  for (const cut of [700, 3000, 4000])
    expect(await refusal(readAll(plain.subarray(0, cut)))).toContain('ends too early');
});

test('refuses encrypted and empty archives, and other files', async () => {
  expect(await refusal(zip({ name: 'a.jpg', data: text('abc'), flags: 1 }))).toContain('encrypted');
  expect(await refusal(zip({ name: 'a.jpg', data: text('abc'), method: 12 }))).toContain('not supported (method 12)');
  for (const data of [buildZip([]), buildTar([]), gzipSync(buildTar([]))]) {
    expect(await refusal(readAll(data))).toBe('The archive is empty');
  }
  expect(await refusal(readAll(Buffer.alloc(0)))).toContain('"given.zip" is an empty file');
  expect(await refusal(readAll(text('plain words, not an archive')))).toContain('is not a zip, tar or tar.gz archive');
  expect(await refusal(readAll(gzipSync(text('plain words'))))).toContain('holds no tar archive');
  expect(await refusal(readAll(Buffer.from('377abcaf271c0004', 'hex')))).toContain('is a 7z archive');
  expect(await refusal(readAll(text('Rar!\x1a\x07\x01\0')))).toContain('is a RAR archive');
});

test('an impossible offset is an ordinary failure', async () => {
  const plain = buildZip([{ name: 'a.jpg', data: text('abc') }]);
  const locator = Buffer.alloc(20, 0xff);
  locator.writeUInt32LE(0x07064b50, 0);
  const end = plain.length - 22;
  const crafted = Buffer.concat([plain.subarray(0, end), locator, plain.subarray(end)]);
  expect(await refusal(readAll(crafted))).toContain('ends too early');
});

test('nested archives are ordinary files and are not opened', async () => {
  const inner = buildZip([{ name: 'a.jpg', data: text('abc') }]);
  const limits = DEFAULT_ARCHIVE_LIMITS;
  const path = await keep(buildZip([{ name: 'inner.zip', data: inner, method: 0 }]));
  const summary = await inspectArchive(path, 'a.zip', limits, signal);
  expect(summary).toEqual({ n_entries: 1, n_media: 0, n_archives: 1, total_bytes: inner.length, problem: null });
  expect(() => refuseWithoutMedia(summary)).toThrow('archives inside archives are not opened');
  const mixed = await keep(
    buildTar([
      { name: 'inner.zip', data: inner },
      { name: 'b/c.PNG', data: text('x') },
    ]),
  );
  const both = await inspectArchive(mixed, 'a.tar', limits, signal);
  expect(both).toMatchObject({ n_entries: 2, n_media: 1, n_archives: 1 });
  expect(() => refuseWithoutMedia(both)).not.toThrow();
});

test('names: hidden, repeated, long, with control characters', async () => {
  const parts = [
    { name: './a/b/1.jpg', data: text('first') },
    { name: 'a//b/1.jpg', data: text('second') },
    { name: 'a/b/1.jpg', data: text('third') },
    { name: 'a/b/1 (2).jpg', data: text('fourth') },
    { name: '.hidden/2.jpg', data: text('no') },
    { name: '__MACOSX/a/._1.jpg', data: text('no') },
    { name: 'a/Thumbs.db', data: text('no') },
    { name: 'a\u0007\nb.jpg', data: text('bell') },
  ];
  const expected = new Map([
    ['a/b/1.jpg', 'first'],
    ['a/b/1 (2).jpg', 'second'],
    ['a/b/1 (3).jpg', 'third'],
    ['a/b/1 (2) (2).jpg', 'fourth'],
    ['a__b.jpg', 'bell'],
  ]);
  expect(await zip(...parts)).toEqual(expected);
  expect(await tar(...parts)).toEqual(expected);

  const long = `${'ä'.repeat(90)}/${'b'.repeat(200)}.jpg`;
  const gnu = { name: '././@LongLink', type: 'L', data: text(`${long}\0`) };
  const pax = { name: 'x', type: 'x', data: paxRecords({ path: `pax/${long}`, mtime: '1' }) };
  const global = { name: 'g', type: 'g', data: paxRecords({ path: 'everything' }) };
  const files = await tar(global, gnu, { name: 'short', data: text('1') }, pax, { name: 'short', data: text('2') });
  expect(files).toEqual(
    new Map([
      [long, '1'],
      [`pax/${long}`, '2'],
    ]),
  );
});

test('entries can be opened, skipped and partly read in any mixture', async () => {
  const files = Array.from({ length: 30 }, (_, at) => ({ name: `${at}.jpg`, data: Buffer.alloc(200_000, at + 1) }));
  for (const data of [buildZip(files), buildTar(files), gzipSync(buildTar(files))]) {
    const path = await keep(data);
    let at = 0;
    for await (const entry of readArchive(path, 'a', DEFAULT_ARCHIVE_LIMITS, signal)) {
      if (at % 3 === 0) {
        const content = await buffer(entry.open());
        expect(content.equals(Buffer.alloc(200_000, at + 1))).toBe(true);
      } else if (at % 3 === 1) {
        const stream = entry.open();
        for await (const chunk of stream) {
          expect((chunk as Buffer)[0]).toBe(at + 1);
          break;
        }
      }
      at += 1;
    }
    expect(at).toBe(30);
  }
});

test('can be cancelled', async () => {
  const path = await keep(buildTar([{ name: '1.jpg' }, { name: '2.jpg' }]));
  const controller = new AbortController();
  const reading = async () => {
    for await (const _ of readArchive(path, 'a', DEFAULT_ARCHIVE_LIMITS, controller.signal)) controller.abort();
  };
  await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
});

/** Returns this many zero bytes as a deflated stream and as the only file of a tar.gz. */
async function zeros(nBytes: number): Promise<{ deflated: Buffer; tar_gz: Buffer; crc: number }> {
  const piece = Buffer.alloc(4 * 1024 * 1024);
  const deflate = createDeflateRaw();
  const gzip = createGzip();
  const results = Promise.all([buffer(deflate), buffer(gzip)]);
  gzip.write(tarHeader('bomb.png', nBytes, '0'));
  let crc = 0;
  for (let done = 0; done < nBytes; done += piece.length) {
    crc = crc32(piece, crc);
    await Promise.all([deflate, gzip].map((stream) => new Promise((resolve) => stream.write(piece, resolve))));
  }
  gzip.write(Buffer.alloc(1024));
  deflate.end();
  gzip.end();
  const [deflated, tarGz] = await results;
  return { deflated, tar_gz: tarGz, crc };
}

/** Builds a zip whose directory lists all parts but which contains the bytes of the first part only. */
function withDirectory(parts: ZipPart[]): Buffer {
  const [first] = parts;
  if (!first) throw new Error('no parts');
  const one = buildZip([first]);
  const bytes = one.subarray(0, one.readUInt32LE(one.length - 6));
  const whole = buildZip(parts);
  const end = Buffer.from(whole.subarray(whole.length - 22));
  const listing = whole.subarray(end.readUInt32LE(16), whole.length - 22);
  end.writeUInt32LE(bytes.length, 16);
  return Buffer.concat([bytes, listing, end]);
}
