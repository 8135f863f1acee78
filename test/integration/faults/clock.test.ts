import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src-main/core/ports/clock.ts';
import { systemClock } from '../../../src-main/infra/clock.ts';
import { until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';
import { tinyPng } from '../../support/tiny-png.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** The system's clock with an adjustable offset. */
function settableClock(): Clock & { set(offByMs: number): void } {
  let offMs = 0;
  const now = () => systemClock.now() + offMs;
  return {
    now,
    ticksMs: systemClock.ticksMs,
    iso: () => new Date(now()).toISOString(),
    set: (offByMs) => {
      noteFault();
      offMs = offByMs;
    },
  };
}

async function images(...seeds: number[]): Promise<string> {
  const folder = join(await temporaryFolder(), 'images');
  await mkdir(folder);
  for (const seed of seeds) await writeFile(join(folder, `${seed}.png`), tinyPng(seed));
  return folder;
}

const statusIs = (test: TestCore, id: string, wanted: string) =>
  until(
    async () => (await test.call('get_dataset', { dataset_id: id })).status_new,
    (status) => status === wanted,
  );

it('keeps the order of tasks and the latest one when the clock is changed', async () => {
  const clock = settableClock();
  let test = await createTestCore({ clock });
  const { dataset_id: id } = await test.call('process_path', { path: await images(1, 2), name: 'd' });
  await statusIs(test, id, 'READY');
  const checked = async () => {
    const { task_id } = await test.call('check_data', {});
    const found = await until(
      async () => (await test.call('get_check', {})).check,
      (check) => check?.task.task_id === task_id && check.task.end_time !== null,
    );
    expect(found?.task.status).toBe('COMPLETED');
  };
  await checked();
  const begun = async () => {
    const { tasks } = await test.call('list_tasks', { dataset_id: id });
    return tasks.map(({ task_type }) => task_type);
  };
  const latest = async () => (await begun())[0];

  clock.set(-HOUR_MS);
  await test.call('add_media', { dataset_id: id, s3_uri: await images(3, 4) });
  await statusIs(test, id, 'PARTIAL INDEX');
  expect(await latest()).toBe('MEDIA_ADDITION');
  const { batches } = await test.call('list_batches', { dataset_id: id });
  expect(batches.map(({ n_files }) => n_files)).toEqual([2, 2]);
  await checked();

  clock.set(YEAR_MS);
  await test.call('reindex', { dataset_id: id });
  await statusIs(test, id, 'READY');
  expect(await latest()).toBe('REINDEX');
  await checked();

  // The dataset's folder stores the order too, in case the catalog is lost.
  clock.set(0);
  await test.call('add_media', { dataset_id: id, s3_uri: await images(5) });
  await statusIs(test, id, 'PARTIAL INDEX');
  await test.close();
  for (const file of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'catalog-copy.db'])
    await rm(join(test.data, file), { force: true });
  test = await createTestCore({ clock, data: test.data });
  expect(await latest()).toBe('MEDIA_ADDITION');
  expect(await begun()).toEqual(['MEDIA_ADDITION', 'REINDEX', 'MEDIA_ADDITION', 'DATASET_CREATION']);
});

it('keeps signed URLs of media valid when the clock is changed', async () => {
  const clock = settableClock();
  const test = await createTestCore({ clock });
  const { dataset_id: id } = await test.call('process_path', { path: await images(1), name: 'd' });
  await statusIs(test, id, 'READY');
  const shown = async () => {
    const { clusters } = await test.call('explore', { dataset_id: id });
    return new URL(clusters[0]?.previews[0]?.media_thumb_uri ?? '');
  };
  const fetched = (address: URL) => {
    const [, , , , datasetId = '', mediaId = ''] = address.pathname.split('/');
    const { expires = '', signature = '' } = Object.fromEntries(address.searchParams);
    return test.call('get_thumbnail', { dataset_id: datasetId, media_id: mediaId, expires, signature });
  };
  const before = await shown();
  for (const offMs of [YEAR_MS, -YEAR_MS, 0]) {
    clock.set(offMs);
    await fetched(before);
    await fetched(await shown());
  }
});
