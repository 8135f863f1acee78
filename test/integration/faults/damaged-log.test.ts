import { cp, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';
import { tinyPng } from '../../support/tiny-png.ts';

const IMAGES = 60;

async function images(): Promise<string> {
  const folder = join(await temporaryFolder(), 'images');
  await mkdir(folder);
  for (let seed = 0; seed < IMAGES; seed += 1) await writeFile(join(folder, `${seed}.png`), tinyPng(seed));
  return folder;
}

/** Copies the data folder while the images after the first `n` are not described yet, as a power failure at that moment would leave it. */
async function leftAfter(test: TestCore, n: number): Promise<{ left: string; id: string }> {
  const folder = await images();
  let begun = 0;
  const held = new Promise<void>((resolve) => {
    test.compute.beforeImage = (_path, signal) => {
      begun += 1;
      if (begun <= n) return Promise.resolve();
      resolve();
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    };
  });
  const { dataset_id: id } = await test.call('process_path', { path: folder, name: 'd' });
  await held;
  const left = await temporaryFolder();
  await cp(test.data, left, { recursive: true, filter: (path) => !path.endsWith('lock') });
  return { left, id };
}

const overwrite = async (file: string) => {
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(7, 32, Math.min(4096, bytes.length)));
};

it.each([
  ['is lost', 0, (file: string) => truncate(file, 0)],
  ['is damaged at its start after some images were read', 40, overwrite],
  ['is lost after some images were read', 40, (file: string) => truncate(file, 0)],
])('an import loses nothing when the log of the database %s', async (_what, n, damage) => {
  const { left, id } = await leftAfter(await createTestCore(), n);
  const log = join(left, 'datasets', id, '1', 'data.db-wal');
  noteFault();
  await damage(log).catch((error: NodeJS.ErrnoException) => {
    // All of the log was in the database already.
    if (error.code !== 'ENOENT') throw error;
  });
  const { call } = await createTestCore({ data: left });
  const dataset = await until(
    () => call('get_dataset', { dataset_id: id }),
    ({ status_new }) => status_new === 'READY' || status_new === 'ERROR',
  );
  expect(dataset).toMatchObject({ status_new: 'READY', n_images: IMAGES, n_file_errors: 0 });
  expect((await call('list_items', { dataset_id: id })).total).toBe(IMAGES);
});
