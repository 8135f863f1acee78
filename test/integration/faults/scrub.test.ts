import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src-main/core/ports/clock.ts';
import { systemClock } from '../../../src-main/infra/clock.ts';
import { until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { blockOfCatalog } from '../../support/block-of-catalog.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore } from '../../support/test-core.ts';

const DAY_MS = 24 * 3600 * 1000;

function clockAhead(days: number): Clock {
  const now = () => systemClock.now() + days * DAY_MS;
  return { ...systemClock, now, iso: () => new Date(now()).toISOString() };
}

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0x20;
  await writeFile(file, bytes);
  noteFault();
}

async function only(folder: string, extension: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const name = names.find((one) => one.endsWith(extension));
  if (name === undefined) throw new Error(`no file ${extension}`);
  return join(folder, name);
}

it('reads all data when it is due, repairs derived data, and reports other damage', async () => {
  const data = await temporaryFolder(atEnd);
  const images = await temporaryFolder(atEnd);
  const backups = await temporaryFolder(atEnd);
  await writeImages(images, [1, 2, 3, 4]);
  const first = await createTestCore({ data, finished: atEnd });
  const { dataset_id } = await first.call('create_dataset', { dataset_name: 'scrubbed', bucket_path: images });
  await until(
    () => first.call('get_dataset', { dataset_id }),
    ({ status_new }) => status_new === 'READY',
  );
  await first.call('start_backup', { folder: backups });
  await until(
    () => first.call('list_tasks', { page_size: 50, with_service: true }),
    ({ tasks }) => tasks.every(({ end_time }) => end_time !== null),
  );
  expect((await first.call('get_check', {})).check).toBeNull();
  await first.close();

  const dataset = join(data, 'datasets', dataset_id);
  await flip(await only(join(dataset, '1', 'index'), 'IMAGES-1.uniqueness'), 2);
  // The first page of the database, which the snapshot certainly needs; other pages may be there twice.
  await flip(await only(join(dataset, 'blocks'), '.blocks'), 100);
  const [manifest = ''] = await readdir(join(backups, 'backups'));
  const { pack, offset } = await blockOfCatalog(backups, manifest);
  await flip(pack, offset);

  const early = await createTestCore({ data, clock: clockAhead(29) });
  expect((await early.call('get_check', {})).check).toBeNull();
  await early.close();

  const { call } = await createTestCore({ data, clock: clockAhead(31) });
  const { check } = await until(
    () => call('get_check', {}),
    (answer) => answer.check?.task.status === 'COMPLETED',
  );
  expect(check?.damaged.map(({ findings }) => findings.map(({ code }) => code).toSorted())).toEqual([
    ['file_damaged', 'snapshots_damaged'],
  ]);
  const { events } = await call('get_recovery', {});
  expect(events.map(({ finding }) => finding.code).toSorted()).toEqual([
    'backup_damaged',
    'damage_repaired_from_originals',
    'snapshots_damaged',
  ]);
  const reindexed = await until(
    () => call('list_tasks', { dataset_id, task_type: 'REINDEX' }),
    ({ tasks }) => tasks[0]?.status === 'COMPLETED',
  );
  expect(reindexed.tasks).toHaveLength(1);
});
