import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Clock } from '../../../src-main/core/ports/clock.ts';
import { systemClock } from '../../../src-main/infra/clock.ts';
import { until } from '../../support/api.ts';
import { backedUpUploads } from '../../support/backed-up-uploads.ts';
import { expectSameBytes, noteFault } from '../../support/fault-count.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A data folder with a dataset of uploads, and its backup. */
let sound: string;
let backedUp: string;
let datasetId: string;

beforeAll(async () => {
  ({ data: sound, backups: backedUp, datasetId } = await backedUpUploads());
});

function clockAhead(days: number): Clock {
  const now = () => systemClock.now() + days * DAY_MS;
  return { ...systemClock, now, iso: () => new Date(now()).toISOString() };
}

/** Copies the data folder and its backup, whose folder becomes the one of the settings. */
async function copies(): Promise<{ data: string; backups: string }> {
  const [data, backups] = [await temporaryFolder(), await temporaryFolder()];
  await cp(sound, data, { recursive: true });
  await cp(backedUp, backups, { recursive: true });
  const { call, close } = await createTestCore({ data });
  await call('change_setting', { key: 'BACKUP_FOLDER', value: backups });
  await close();
  return { data, backups };
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

/** The first page of the database, which the first snapshot certainly needs; other pages may be there twice. */
const flipSnapshot = async (data: string) =>
  flip(await only(join(data, 'datasets', datasetId, 'blocks'), '.blocks'), 100);

async function checked({ call }: TestCore) {
  const { check } = await until(
    () => call('get_check', {}),
    (answer) => answer.check?.task.status === 'COMPLETED',
  );
  const { events } = await call('get_recovery', {});
  const { notifications } = await call('list_notifications', {});
  return {
    check,
    codes: (check?.damaged ?? []).flatMap(({ findings }) => findings.map(({ code }) => code)).toSorted(),
    // The inspection at the start may be faster than the check.
    events: events
      .map(({ kind, finding }) => `${kind} ${finding.code}`)
      .filter((event) => event !== 'damaged originals_missing')
      .toSorted(),
    reported: notifications.map(({ entity_type, message }) => `${entity_type}: ${message}`),
  };
}

it('runs when it is due, computes again or restores from the backup what it can, and tells about all of it', async () => {
  const { data, backups } = await copies();
  await flip(await only(join(data, 'datasets', datasetId, '1', 'index'), 'IMAGES-1.uniqueness'), 2);
  await flipSnapshot(data);
  const originals = (await readdir(join(data, 'media'), { recursive: true })).filter((name) => name.endsWith('.jpg'));
  const [damaged = '', missing = ''] = originals;
  await flip(join(data, 'media', damaged), 1000);
  noteFault();
  await rm(join(data, 'media', missing));

  const early = await createTestCore({ data, clock: clockAhead(29) });
  expect((await early.call('get_check', {})).check).toBeNull();
  await early.close();

  const due = await createTestCore({ data, clock: clockAhead(31) });
  const found = await checked(due);
  expect(found.codes).toEqual(['file_damaged', 'originals_restored', 'originals_restored', 'snapshot_blocks_restored']);
  expect(found.events).toEqual([
    'damaged damage_repaired_from_originals',
    'repaired originals_restored',
    'repaired originals_restored',
    'repaired snapshot_blocks_restored',
  ]);
  expect(found.reported).toEqual([expect.stringMatching(/^recovery: uploaded: .*uniqueness is damaged/)]);
  expect(found.check).toMatchObject({ in_background: true, n_datasets: 1, backup_id: expect.any(String) });
  expect(found.check?.read_bytes).toBeGreaterThan(100_000);
  for (const name of [damaged, missing]) {
    expectSameBytes(await readFile(join(data, 'media', name)), await readFile(join(sound, 'media', name)), name);
  }
  await until(
    () => due.call('list_tasks', { dataset_id: datasetId, task_type: 'REINDEX' }),
    ({ tasks }) => tasks[0]?.status === 'COMPLETED',
  );
  await due.call('check_data', {});
  expect((await checked(due)).check?.damaged).toEqual([]);
  await due.close();

  await flipSnapshot(data);
  noteFault();
  await rm(join(backups, 'blocks'), { recursive: true });
  const later = await createTestCore({ data, clock: clockAhead(70) });
  const lost = await checked(later);
  expect(lost.codes).toEqual(['snapshots_damaged']);
  expect(lost.events).toEqual(expect.arrayContaining(['damaged snapshots_damaged', 'damaged backup_damaged']));
  expect(lost.reported).toHaveLength(3);
  await later.close();

  // A finding is reported once.
  noteFault();
  const [manifest = ''] = await readdir(join(backups, 'backups'));
  await writeFile(join(backups, 'backups', manifest), 'no manifest');
  const last = await checked(await createTestCore({ data, clock: clockAhead(110) }));
  expect(last.events).toEqual(expect.arrayContaining(['damaged backups_unreadable']));
  expect(last.reported).toHaveLength(4);
});

it('restores the files of a snapshot from the backup: missing and cut ones, and its manifest', async () => {
  const { data } = await copies();
  const snapshots = join('datasets', datasetId, 'snapshots');
  const [snapshot = ''] = await readdir(join(data, snapshots));
  const folder = join(data, snapshots, snapshot);
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  const [missing = '', cut = ''] = names.filter(
    (name) => name !== 'manifest.json' && statSync(join(folder, name)).size > 9,
  );
  noteFault();
  await rm(join(folder, missing));
  await truncate(join(folder, cut), 5);
  const core = await createTestCore({ data });
  const check = async () => {
    await core.call('check_data', {});
    return checked(core);
  };
  expect((await check()).codes).toEqual(['snapshot_blocks_restored']);
  noteFault();
  await writeFile(join(folder, 'manifest.json'), 'no manifest');
  expect((await check()).codes).toEqual(['snapshot_blocks_restored']);
  for (const name of names)
    expectSameBytes(await readFile(join(folder, name)), await readFile(join(sound, snapshots, snapshot, name)), name);
  expect((await check()).codes).toEqual([]);
});

it('keeps its speed within a file, and gives way at once to a check that somebody asks for', async () => {
  const { data } = await copies();
  const bytes = Buffer.alloc(30 * 1024 ** 2);
  const name = createHash('sha256').update(bytes).digest('hex');
  const [batch = ''] = await readdir(join(data, 'media'));
  const folder = join(data, 'media', batch, name.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.bin`), bytes);
  const environment = { VITRINE_SCRUB_MB_PER_SECOND: '1' };
  const { call } = await createTestCore({ data, environment, clock: clockAhead(31) });
  const slow = await until(
    async () => (await call('get_check', {})).check,
    (check) => (check?.task.done ?? 0) > 60,
  );
  expect(slow).toMatchObject({ in_background: true, task: { status: 'RUNNING' } });
  const { task_id } = await call('check_data', {});
  const { check } = await until(
    () => call('get_check', {}),
    (answer) => answer.check?.task.end_time !== null,
  );
  expect(check).toMatchObject({ in_background: false, damaged: [], task: { task_id, status: 'COMPLETED' } });
  expect(check?.read_bytes).toBeGreaterThan(bytes.length);
  const [before, after] = [Date.parse(check?.task.start_time ?? ''), Date.parse(check?.task.end_time ?? '')];
  expect(after - before).toBeLessThan(25_000);
});
