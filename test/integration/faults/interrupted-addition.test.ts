import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { until } from '../../support/api.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';
import { tinyPng } from '../../support/tiny-png.ts';

async function images(count: number, firstSeed: number): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < count; at += 1) await writeFile(join(folder, `${firstSeed + at}.png`), tinyPng(firstSeed + at));
  return folder;
}

const statusOf = async (core: TestCore, id: string) => (await core.call('get_dataset', { dataset_id: id })).status_new;
const addition = async (core: TestCore, id: string) => {
  const { tasks } = await core.call('list_tasks', { dataset_id: id, task_type: 'MEDIA_ADDITION' });
  return tasks[0];
};

async function ready(core: TestCore, folder: string): Promise<string> {
  const { dataset_id } = await core.call('process_path', { path: folder, name: 'd' });
  await until(
    () => statusOf(core, dataset_id),
    (status) => status === 'READY',
  );
  return dataset_id;
}

/** Describes no image until the run is aborted. Resolves when an image is first requested. */
function holdImages(core: TestCore): Promise<void> {
  return new Promise((begun) => {
    core.compute.beforeImage = (_path, signal) =>
      new Promise((_resolve, reject) => {
        begun();
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
  });
}

it('an addition resumes after each close of the app', async () => {
  let core = await createTestCore();
  const { data } = core;
  const id = await ready(core, await images(2, 0));
  let begun = holdImages(core);
  await core.call('add_media', { dataset_id: id, s3_uri: await images(3, 10) });
  for (let quit = 0; quit < 7; quit += 1) {
    await begun;
    await core.close();
    core = await createTestCore({ data });
    begun = holdImages(core);
  }
  await begun;
  await core.close();
  core = await createTestCore({ data });
  await until(
    () => statusOf(core, id),
    (status) => status === 'PARTIAL INDEX',
  );
  expect(await core.call('get_dataset', { dataset_id: id })).toMatchObject({ n_images: 5 });
});

it('an abandoned addition leaves nothing behind, so that its folder can be added again', async () => {
  let core = await createTestCore();
  const { data } = core;
  const id = await ready(core, await images(2, 0));
  const folder = await images(3, 10);
  const begun = holdImages(core);
  await core.call('add_media', { dataset_id: id, s3_uri: folder });
  await begun;
  await core.close();
  // Sets the task's state to that after five crashes.
  const catalog = new Database(join(data, 'catalog.db'));
  catalog.prepare(`UPDATE task SET attempts = 5 WHERE task_type = 'MEDIA_ADDITION'`).run();
  catalog.close();

  core = await createTestCore({ data });
  const failed = await until(
    () => addition(core, id),
    (task) => task?.status === 'FAILED',
  );
  expect(failed?.error_message).toBe('The task was interrupted repeatedly without making progress');
  expect(await statusOf(core, id)).toBe('READY');
  expect(await core.call('list_batches', { dataset_id: id })).toMatchObject({ batches: [{ n_files: 2 }] });

  await core.call('add_media', { dataset_id: id, s3_uri: folder });
  await until(
    () => statusOf(core, id),
    (status) => status === 'PARTIAL INDEX',
  );
  expect(await core.call('get_dataset', { dataset_id: id })).toMatchObject({ n_images: 5 });
});
