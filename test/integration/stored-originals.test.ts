import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createStoredOriginals } from '../../src-main/infra/files/stored-originals.ts';
import { until } from '../support/api.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('receives a file in a folder that a start sweeps, so that a kill leaves nothing of it', async () => {
  const data = await temporaryFolder();
  const originals = createStoredOriginals(data);
  const content = new PassThrough();
  const keeping = originals.keepStream('batch', content, 'a.jpg');
  content.write('the beginning');
  const partial = await until(async () => (await readdir(join(data, 'temporary')).catch(() => []))[0] ?? '');
  await until(async () => (await readFile(join(data, 'temporary', partial), 'utf8')) === 'the beginning');
  await expect(stat(join(data, 'media'))).rejects.toThrow('ENOENT');
  content.end(' and the end');
  const { location } = await keeping;
  expect(await readFile(join(data, originals.root('batch'), location), 'utf8')).toBe('the beginning and the end');
  expect(await readdir(join(data, 'temporary'))).toEqual([]);
});
