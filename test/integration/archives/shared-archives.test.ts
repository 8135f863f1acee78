import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../../src-main/infra/archives/archive-limits.ts';
import { readArchive } from '../../../src-main/infra/archives/read-archive.ts';
import { findMedia } from '../../support/media.ts';
import { needs } from '../../support/needs.ts';

const media = findMedia();
const root = 'root' in media ? join(media.root, 'archives') : '';
const signal = new AbortController().signal;

interface Read {
  path: string;
  size: number;
}

async function readAll(path: string): Promise<Read[]> {
  const files: Read[] = [];
  for await (const entry of readArchive(path, basename(path), DEFAULT_ARCHIVE_LIMITS, signal)) {
    let size = 0;
    for await (const chunk of entry.open()) size += (chunk as Buffer).length;
    expect(size).toBe(entry.size_bytes);
    files.push({ path: entry.path, size });
  }
  return files;
}

async function refusal(path: string): Promise<string> {
  try {
    await readAll(path);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid_request');
    expect(error.message).not.toContain(root);
    return error.message;
  }
  throw new Error(`${basename(path)} was not refused`);
}

const inFolder = (folder: string, end: RegExp) =>
  root === '' ? [] : readdirSync(join(root, folder)).filter((name) => end.test(name));

describe('shared archives', needs(media), () => {
  /**
   * This archive opens: the Windows programs that write it use a backslash as folder separator. Byte for byte the same as
   * `sloppy-filenames.zip`.
   */
  const opens = new Set(['invalid characters in fileName a txt.zip']);

  test.each(inFolder('yauzl/failure', /\.zip$/).filter((name) => !opens.has(name)))('refuses %s', async (name) => {
    expect((await refusal(join(root, 'yauzl/failure', name))).length).toBeGreaterThan(20);
  });

  test('refuses a folder with a stated size', async () => {
    expect(await refusal(join(root, 'yauzl/wrong-entry-sizes/wrong-entry-sizes.zip'))).toContain(
      'differs from its header',
    );
  });

  /** Well-formed archives that are not supported. */
  const refused: [RegExp, string][] = [
    [/encryption/, 'The archive is encrypted'],
    [/^empty\.zip$/, 'The archive is empty'],
    [/bogus-compression/, 'compression method that is not supported (method 7)'],
  ];

  test.each(inFolder('yauzl/success', /\.zip$/))('zip %s', async (name) => {
    const path = join(root, 'yauzl/success', name);
    const reason = refused.find(([pattern]) => pattern.test(name))?.[1];
    if (reason === undefined) expect((await readAll(path)).length).toBeGreaterThan(0);
    else expect(await refusal(path)).toContain(reason);
  });

  test('decodes names correctly', async () => {
    expect(await readAll(join(root, 'yauzl/success/sloppy-filenames.zip'))).toContainEqual({
      path: 'a/txt',
      size: 5,
    });
    expect(await readAll(join(root, 'yauzl/success/unicode-path-extra-field.zip'))).toEqual([
      { path: '七个房间.txt', size: 0 },
    ]);
    expect(await readAll(join(root, 'yauzl/success/everything.zip'))).toHaveLength(1003);
  });

  const withLinks = new Set(['links', 'links-invalid', 'links-strip', 'next-file-has-long']);
  const damaged = new Set(['bad-cksum', 'path-missing']);

  test.each(inFolder('node_tar/tars', /\.tar$/).map((name) => basename(name, '.tar')))('tar %s', async (name) => {
    const path = join(root, 'node_tar/tars', `${name}.tar`);
    if (withLinks.has(name)) expect(await refusal(path)).toContain('a link, which is not allowed');
    else if (damaged.has(name)) expect(await refusal(path)).toMatch(/header is not valid|file without a name/);
    else expect(await readAll(path)).toEqual(expectedFiles(name));
  });

  function expectedFiles(name: string): Read[] {
    const events: unknown = JSON.parse(readFileSync(join(root, 'node_tar/parse', `${name}.json`), 'utf8'));
    if (!Array.isArray(events)) throw new Error('not a list');
    const files: Read[] = [];
    for (const [kind, entry] of events as [string, { type: string; path: string; size: number }][]) {
      if (kind === 'entry' && entry.type === 'File') files.push({ path: entry.path, size: entry.size });
    }
    return files;
  }

  test('tar.gz, deep folders and links of node_tar', async () => {
    expect(await readAll(join(root, 'node_tar/sync-gzip-fail.tgz'))).toHaveLength(10);
    expect(await readAll(join(root, 'node_tar/parses.tar'))).toHaveLength(128);
    expect(await refusal(join(root, 'node_tar/excessively-deep.tar'))).toContain('deeper than 64 levels');
    expect(await refusal(join(root, 'node_tar/long-linkname.tar'))).toContain('link');
  });

  test.each(inFolder('tar_rs', /\.tar$/))('tar_rs %s', async (name) => {
    const path = join(root, 'tar_rs', name);
    if (name.startsWith('sparse')) expect(await refusal(path)).toContain('sparse file');
    else if (/^(link|pax2)\.tar$/.test(name)) expect(await refusal(path)).toContain('link');
    else await readAll(path);
  });

  test('old, odd and extended headers of tar_rs', async () => {
    const read = (name: string) => readAll(join(root, 'tar_rs', name));
    expect(await read('simple_missing_last_header.tar')).toHaveLength(3);
    expect(await read('spaces.tar')).toEqual([{ path: 'a', size: 2 }]);
    expect(await read('pax_size.tar')).toEqual([{ path: 'test', size: 4 }]);
    expect(await read('duplicate_dirs.tar')).toEqual([]);
    expect(await read('directory.tar')).toEqual([{ path: 'a/c', size: 2 }]);
  });
});
