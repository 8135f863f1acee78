import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openParquet } from '../../../src-main/infra/parquet/read-parquet.ts';
import { atEnd } from '../../support/at-end.ts';
import { image, writeImages } from '../../support/images.ts';
import { writeResults } from '../../support/results.ts';
import { repository, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { zipEntries } from '../../support/zip-entries.ts';

interface Run {
  code: number | null;
  out: string;
  error: string;
}

let folder: string;
let data: string;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  data = join(folder, 'data');
  await writeImages(join(folder, 'photos'), [1, 2, 3]);
  await writeFile(join(folder, 'photos', 'copy.jpg'), await image(1));
  const server = await startServer(data);
  atEnd(() => server.stop());
});

function vitrine(...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [join(repository, 'out', 'main', 'vitrine.js'), ...args], { cwd: folder });
  let [out, error] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    error += text.toString();
  });
  return new Promise((done) => child.once('close', (code) => done({ code, out, error })));
}

const onServer = (...args: string[]) => vitrine(...args, '--data', data);

it('indexes a folder, searches, excludes duplicates, versions and exports it', async () => {
  const indexed = await onServer('index', 'photos', '--json');
  expect(indexed).toMatchObject({ code: 0, error: '' });
  expect(JSON.parse(indexed.out)).toMatchObject({ display_name: 'photos', status_new: 'READY', n_images: 4 });

  const found = await onServer('search', 'photos', '--limit', '2');
  expect(found.out).toMatch(/\.jpg\n.*\.jpg\n2 of 4\n$/);

  // Duplicates are compared after the dataset is ready.
  await expect
    .poll(async () => (await onServer('duplicates', 'photos')).out)
    .toMatch(/^keep .*\.jpg\n {2}1\.00 {2}.*\.jpg\n1 of 1 groups\n$/);
  expect(await onServer('duplicates', 'photos', '--exclude')).toMatchObject({
    code: 0,
    out: 'Excluded 1 copies of 1 groups\n',
  });

  expect((await onServer('snapshot', 'photos', '--name', 'clean')).out).toMatch(/^\S+ {2}clean\n$/);
  const exported = await onServer('export', 'photos', '--images', '--to', 'clean.zip');
  expect(exported.out).toBe(`Exported 3 items to ${join(folder, 'clean.zip')}\n`);
  const names = [...(await zipEntries(await readFile(join(folder, 'clean.zip')))).keys()];
  expect(names.filter((name) => name.startsWith('images/'))).toHaveLength(3);

  expect((await onServer('status')).out).toMatch(/^Vitrine \S+ at http:\/\/127\.0\.0\.1:\d+: 1 dataset\n/);
  expect(JSON.parse((await onServer('datasets', '--json')).out)).toHaveLength(1);
  expect(JSON.parse((await onServer('check', '--json')).out)).toMatchObject({ exit_code: 0, n_datasets: 1 });
});

it('writes a manifest, and imports the results of another program', async () => {
  const own = join(await temporaryFolder(), 'data');
  await vitrine('index', 'photos', '--name', 'Own', '--encoder', 'none', '--data', own);
  const listed = await vitrine('manifest', 'Own', 'exchange', '--data', own);
  const file = join(folder, 'exchange', 'manifest.parquet');
  expect(listed).toMatchObject({ code: 0, out: `Listed 4 items in ${file}\n` });
  const table = await openParquet(file);
  const labels: { media_id: unknown; label: string }[] = [];
  for await (const { rows } of table.rows(['media_id'], new AbortController().signal)) {
    labels.push(...rows.map(([mediaId]) => ({ media_id: mediaId, label: 'photo' })));
  }
  await table.close();
  await writeResults(join(folder, 'exchange'), { kind: 'labels', parts: [labels] });
  expect(await vitrine('results', 'Own', 'exchange', '--data', own)).toMatchObject({
    code: 0,
    out: 'Imported 4 labels of cluster-encoder\n',
  });
  expect((await vitrine('search', 'Own', '--label', 'photo', '--data', own)).out).toMatch(/4 of 4\n$/);
  await writeResults(join(folder, 'exchange'), { kind: 'labels', parts: [[{ media_id: 'x', label: 'photo' }]] });
  expect(await vitrine('results', 'Own', 'exchange', '--data', own)).toMatchObject({
    code: 1,
    error: expect.stringContaining('1 row names an item that this dataset does not have'),
  });
});

it('starts a server for a command where none runs, and stops it', async () => {
  const own = await temporaryFolder();
  expect((await vitrine('status', '--data', own)).out).toMatch(/^No server runs/);
  const indexed = await vitrine('index', 'photos', '--name', 'Own', '--data', own);
  expect(indexed).toMatchObject({ code: 0, error: expect.stringContaining('Started a server') });
  expect(indexed.out).toMatch(/^Own is READY: 4 images, 0 videos\n/);
  expect(JSON.parse((await vitrine('status', '--json', '--data', own)).out)).toEqual({ running: false });
});

it('explains failures in one line and mistakes with the usage', async () => {
  expect(await onServer('search', 'Nothing')).toEqual({
    code: 1,
    out: '',
    error: 'There is no dataset "Nothing"\n',
  });
  const mistaken = await onServer('serach', 'photos');
  expect(mistaken).toMatchObject({ code: 2, error: expect.stringContaining('vitrine search <dataset> [text]') });
});

it('completes commands in a shell', async () => {
  expect((await vitrine('completion')).out).toContain('vitrine');
  const { out } = await vitrine('--get-yargs-completions', 'vitrine', 'dup');
  expect(out.split('\n')).toContain('duplicates');
});
