import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import {
  type ManifestEntry,
  type ManifestFormat,
  type ManifestSource,
  manifestFormat,
  readManifest,
} from '../../../src-main/infra/manifests/read-manifest.ts';
import { createParquetThreads } from '../../../src-main/infra/parquet/parquet-thread.ts';
import { atEnd } from '../../support/at-end.ts';
import { watchHeld } from '../../support/held-memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MILLION = 1_000_000;
const signal = new AbortController().signal;
const worker = resolve(import.meta.dirname, '../../../src-main/infra/parquet/parquet.worker.ts');
const open = createParquetThreads(worker);
let folder = '';
let number = 0;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
});

const manifest = (path: string, format: ManifestFormat): ManifestSource =>
  format === 'parquet' ? { format, content: path, open } : { format, content: path };

async function collect(batches: AsyncIterable<ManifestEntry[]>): Promise<ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for await (const batch of batches) entries.push(...batch);
  return entries;
}

async function read(content: string | Uint8Array, format: ManifestFormat): Promise<ManifestEntry[]> {
  number += 1;
  const path = join(folder, `${number}.${format}`);
  await writeFile(path, content);
  return collect(readManifest(manifest(path, format), signal));
}

const uris = (entries: ManifestEntry[]) => entries.map((entry) => entry.uri);

async function refusal(content: string | Uint8Array, format: ManifestFormat): Promise<string> {
  const error: unknown = await read(content, format).then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe('invalid_request');
  expect(error.message).not.toContain(folder);
  return error.message;
}

test('recognises the format by name', () => {
  expect(['a.CSV', 'b.txt', 's3://c/d.parquet', 'e.json', 'csv'].map(manifestFormat)).toEqual([
    'csv',
    'txt',
    'parquet',
    null,
    null,
  ]);
});

describe('txt', () => {
  test('one location per line; comments and blank lines are skipped', async () => {
    const text = '\ufeff# list\r\ns3://b/1.jpg\r\n\r\n  /data/two words.png \r\nhttps://h/3.jpg?x=1#y';
    expect(await read(text, 'txt')).toEqual([
      { uri: 's3://b/1.jpg', line: 2 },
      { uri: '/data/two words.png', line: 4 },
      { uri: 'https://h/3.jpg?x=1#y', line: 5 },
    ]);
    expect(uris(await read(Buffer.from('\ufeffs3://b/ä.jpg\n', 'utf16le'), 'txt'))).toEqual(['s3://b/ä.jpg']);
    expect(uris(await read('a', 'txt'))).toEqual(['a']);
  });

  test('characters split between chunks are decoded', async () => {
    const bytes = Buffer.from('ä/ö.jpg\n日本.png\n');
    const pieces = Readable.from(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
    expect(uris(await collect(readManifest({ format: 'txt', content: pieces }, signal)))).toEqual([
      'ä/ö.jpg',
      '日本.png',
    ]);
  });

  test('refuses empty and binary files, and endless lines', async () => {
    expect(await refusal('', 'txt')).toBe('The manifest is empty: it lists no media');
    expect(await refusal('\n# nothing\n\n', 'txt')).toContain('empty');
    expect(await refusal(gzipSync('a'.repeat(1000)), 'txt')).toContain('not a text file');
    expect(await refusal('x'.repeat(200_000), 'txt')).toContain('line 1 is too long');
  });
});

describe('csv', () => {
  test('BOM, quotes, CRLF, line breaks in values', async () => {
    const text = '\ufeff"filename","label"\r\n"a,b.jpg","two\r\nlines"\r\n"say ""hi"".png",x\r\n\r\nplain.gif,\r\n';
    expect(await read(text, 'csv')).toEqual([
      { uri: 'a,b.jpg', line: 3 },
      { uri: 'say "hi".png', line: 4 },
      { uri: 'plain.gif', line: 6 },
    ]);
  });

  test.each([
    ['label,Path\ncat,/a/1.jpg\n', '/a/1.jpg'],
    ['filename,s3_uri\n1.jpg,s3://b/1.jpg\n', 's3://b/1.jpg'],
    ['id;Image URL\n7;https://h/1.jpg\n', 'https://h/1.jpg'],
    ['id\tfile\n7\ta, b.jpg\n', 'a, b.jpg'],
    ['s3://b/no header.jpg\n', 's3://b/no header.jpg'],
    ['url\nhttps://h/1.jpg\n', 'https://h/1.jpg'],
  ])('finds the column in %j', async (text, uri) => {
    expect(uris(await read(text, 'csv'))).toEqual([uri]);
  });

  test('a missing column is reported with the found columns', async () => {
    const detail = await refusal('name,label\na.jpg,cat\n', 'csv');
    expect(detail).toContain('Accepted names: s3_uri, uri, url');
    expect(detail).toContain('filename');
    expect(detail).toMatch(/Found: name, label$/);
    expect(await refusal('label\ncat\n', 'csv')).toMatch(/Found: label$/);
  });

  test('broken rows name their line', async () => {
    expect(await refusal('filename,label\na.jpg,x\nb.jpg,x,y\n', 'csv')).toContain('broken at line 3: 3 values');
    expect(await refusal('filename,label\na.jpg,x\n"b.jpg,x\nc.jpg,x\n', 'csv')).toMatch(/broken at line \d: a quote/);
    expect(await refusal('filename\n"a"b.jpg\n', 'csv')).toContain('broken at line 2: text follows a closing quote');
    expect(await refusal('filename,label\n,x\n', 'csv')).toBe('The manifest has no location in line 2');
    expect(await refusal(`filename\n"${'x'.repeat(3_000_000)}`, 'csv')).toContain('longer than 1 MiB');
    expect(await refusal('filename\n', 'csv')).toContain('empty');
    expect(await refusal('', 'csv')).toContain('empty');
  });
});

describe('parquet', () => {
  const table = (name: string, data: unknown[], codec: 'SNAPPY' | 'UNCOMPRESSED' = 'SNAPPY') =>
    new Uint8Array(
      parquetWriteBuffer({
        codec,
        rowGroupSize: 1500,
        columnData: [
          { name: 'id', data: data.map((_, at) => at), type: 'INT32' },
          { name, data, type: 'STRING' },
        ],
      }),
    );

  test.each(['SNAPPY', 'UNCOMPRESSED'] as const)('several row groups, %s', async (codec) => {
    const data = Array.from({ length: 4000 }, (_, at) => `s3://b/ä/${at}.jpg`);
    const entries = await read(table('S3_URI', data, codec), 'parquet');
    expect(uris(entries)).toEqual(data);
    expect(entries[3999]?.line).toBe(4000);
  });

  test('refuses unreadable files', async () => {
    expect(await refusal(table('name', ['a.jpg']), 'parquet')).toMatch(/Found: id, name$/);
    expect(await refusal(table('uri', ['a.jpg', null]), 'parquet')).toBe('The manifest has no location in row 2');
    expect(await refusal('uri\na.jpg\n', 'parquet')).toContain('not a readable Parquet file');
    expect(await refusal('', 'parquet')).toContain('not a readable Parquet file');
    const whole = table(
      'uri',
      Array.from({ length: 3000 }, (_, at) => `${at}.jpg`),
    );
    expect(await refusal(whole.subarray(0, whole.length - 9), 'parquet')).toContain('not a readable Parquet file');
    const path = join(folder, 'slow.parquet');
    await writeFile(path, whole);
    await expect(createParquetThreads(worker, 0)(path)).rejects.toThrow('it takes too long');
    expect(await refusal(whole.fill(0xff, 4, whole.length / 2), 'parquet')).toContain('not a readable Parquet file');
  });
});

test.each(['csv', 'txt', 'parquet'] as const)('a million entries in %s with constant memory', async (format) => {
  const path = join(folder, `million.${format}`);
  const uri = (at: number) => `s3://bucket/some/longer/prefix/image_${at}.jpg`;
  if (format === 'parquet') {
    const data = Array.from({ length: MILLION }, (_, at) => uri(at));
    await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'uri', data, type: 'STRING' }] })));
  } else {
    const lines = function* () {
      if (format === 'csv') yield 'id,uri\n';
      for (let at = 0; at < MILLION; at += 1000) {
        const row = (_: unknown, more: number) =>
          format === 'csv' ? `${at + more},"${uri(at + more)}"\n` : `${uri(at + more)}\n`;
        yield Array.from({ length: 1000 }, row).join('');
      }
    };
    await pipeline(Readable.from(lines()), createWriteStream(path));
  }
  const held = watchHeld(100);
  let nEntries = 0;
  let last: ManifestEntry | undefined;
  for await (const batch of readManifest(manifest(path, format), signal)) {
    nEntries += batch.length;
    last = batch.at(-1);
    held.look();
  }
  expect(nEntries).toBe(MILLION);
  expect(last).toEqual({ uri: uri(MILLION - 1), line: format === 'csv' ? MILLION + 1 : MILLION });
  expect(held.highest()).toBeLessThan(20_000_000);
});

test('can be cancelled', async () => {
  const controller = new AbortController();
  const text = Readable.from([Buffer.from('a.jpg\n'.repeat(5000)), Buffer.from('b.jpg\n'.repeat(5000))]);
  const reading = async () => {
    for await (const _ of readManifest({ format: 'txt', content: text }, controller.signal)) controller.abort();
  };
  await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
});
