import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src-main/core/ports/clock.ts';
import { systemClock } from '../../../src-main/infra/clock.ts';
import { addAccount, json, PASSWORD, signIn, signToken, WITH_ACCOUNTS } from '../../support/accounts.ts';
import { Api, until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTestApi } from '../../support/test-api.ts';
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

const statusIs = (test: TestCore, id: string, expected: string) =>
  until(
    async () => (await test.call('get_dataset', { dataset_id: id })).status_new,
    (status) => status === expected,
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

it('keeps exports when the clock jumps ahead, and deletes those that are old', async () => {
  const clock = settableClock();
  const environment = { VITRINE_EXPORT_DAYS: '2' };
  let test = await createTestCore({ clock, environment });
  const { data } = test;
  const { dataset_id: id } = await test.call('process_path', { path: await images(1, 2), name: 'd' });
  await statusIs(test, id, 'READY');
  const exported = async () => {
    const { exports } = await test.call('list_exports', { dataset_id: id });
    return exports.map((one) => one.id);
  };
  const restarted = async (offMs: number) => {
    await test.close();
    clock.set(offMs);
    test = await createTestCore({ clock, environment, data });
  };
  const { id: made } = await test.call('export_dataset_async', { dataset_id: id, export_format: 'json' });
  await until(
    async () => (await test.call('list_exports', { dataset_id: id })).exports[0]?.status,
    (status) => status === 'COMPLETED',
  );
  // Every start deletes what is old, and so does a new export.
  for (const offMs of [YEAR_MS, 0, 2 * YEAR_MS, 0]) {
    await restarted(offMs);
    expect(await exported(), `at ${offMs}`).toEqual([made]);
  }
  clock.set(YEAR_MS);
  const { id: later } = await test.call('export_dataset_async', { dataset_id: id, export_format: 'json' });
  expect(await exported()).toEqual([later, made]);
  clock.set(0);
  for (let day = 1; day <= 3; day += 1) await restarted(day * 24 * HOUR_MS);
  expect(await exported()).toEqual([later]);
});

it('watched folders and the check in the background go on, whatever the clock does', async () => {
  const clock = settableClock();
  const test = await createTestCore({ clock });
  const { call } = test;
  const { dataset_id: id } = await call('process_path', { path: await images(1), name: 'd' });
  await statusIs(test, id, 'READY');
  const folder = await images(2);
  const shown = async () => (await call('list_items', { dataset_id: id })).items.length;
  await call('add_watched_folder', { dataset_id: id, path: folder });
  await until(shown, (count) => count === 2);
  for (const [at, offMs] of [-HOUR_MS, YEAR_MS, 0].entries()) {
    clock.set(offMs);
    await writeFile(join(folder, `${10 + at}.png`), tinyPng(10 + at));
    await until(shown, (count) => count === 3 + at);
  }
  // A change of its setting lets the service see whether a check is due.
  const lookNow = (days: number) => call('change_setting', { key: 'SCRUB_DAYS', value: days });
  const nChecks = async () => {
    const { tasks } = await call('list_tasks', { task_type: 'DATA_CHECK' });
    return tasks.every(({ end_time }) => end_time !== null) ? tasks.length : -1;
  };
  clock.set(YEAR_MS);
  await lookNow(29);
  await until(nChecks, (count) => count === 1);
  // The time of the last check is in the future, so nothing is known about its age.
  clock.set(0);
  await lookNow(30);
  await until(nChecks, (count) => count === 2);
  clock.set(-HOUR_MS);
  await lookNow(29);
  expect(await nChecks()).toBe(2);
});

it('signing in works whatever the clock did: passwords, codes, tokens, delays; sessions of the future end', async () => {
  const clock = settableClock();
  const { api, data } = await startTestApi({ environment: WITH_ACCOUNTS, clock });
  for (const username of ['plain', 'factored']) await addAccount(data, { username, role: 'editor' });
  const first = await signIn(api, 'plain');
  const { body: credential } = await first.get<{ api_key: string; api_secret: string }>('/api_credentials');
  const factored = await signIn(api, 'factored');
  const secretPath = '/account/second-factor';
  const { body: factor } = await factored.call<{ secret: string }>(
    'POST',
    secretPath,
    json({ current_password: PASSWORD }),
  );
  const code = () => new TOTP({ secret: factor.secret }).generate({ timestamp: clock.now() });
  expect((await factored.call('PUT', secretPath, json({ code: code() }))).status).toBe(200);
  const login = (fields: object) => api.call<{ detail: string }>('POST', '/login', json(fields));
  const status = async (by: Api) => (await by.get('/account')).status;

  const sessions: Api[] = [];
  const MINUTE_MS = 60_000;
  for (const offMs of [-HOUR_MS, YEAR_MS, 2 * MINUTE_MS]) {
    clock.set(offMs);
    sessions.push(await signIn(api, 'plain'));
    const token = await signToken(credential, 600, clock.now());
    expect(await status(new Api(api.baseUrl, { authorization: `Bearer ${token}` })), `token at ${offMs}`).toBe(200);
    expect(await status(first), `session at ${offMs}`).toBe(offMs < 0 ? 200 : 401);
    // A code of an hour ago is older than the last one that was accepted.
    if (offMs > 0)
      expect((await login({ username: 'factored', password: PASSWORD, code: code() })).status, `code at ${offMs}`).toBe(
        200,
      );
  }
  // The clock was right when the first and the last session began, and an hour behind for the second.
  expect(await Promise.all(sessions.map(status))).toEqual([401, 401, 200]);

  for (let attempt = 0; attempt < 6; attempt += 1) await login({ username: 'plain', password: 'a wrong one' });
  for (const offMs of [-HOUR_MS, YEAR_MS]) {
    clock.set(offMs);
    const { status: refused, body } = await login({ username: 'plain', password: PASSWORD });
    expect(refused).toBe(429);
    expect(Number(/(\d+) seconds/.exec(body.detail)?.[1])).toBeLessThanOrEqual(10);
  }
});
