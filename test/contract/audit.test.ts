import { beforeAll, expect, it } from 'vitest';
import type { AuditEntry } from '../../src-main/contract/schemas/audit.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { callBy, principal } from '../support/principals.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const DAY_MS = 24 * 3600 * 1000;
let nowMs = Date.now();
let test: TestApi;
let api: Api;

const entries = async (query = '') => (await api.get<{ entries: AuditEntry[]; total: number }>(`/audit${query}`)).body;

beforeAll(async () => {
  const clock = { now: () => nowMs, ticksMs: () => performance.now(), iso: () => new Date(nowMs).toISOString() };
  test = await startTestApi({ finished: atEnd, clock });
  ({ api } = test);
});

it('lists actions on datasets and settings with their user and address, newest first', async () => {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1]);
  const dataset = await api.createFromFolder('Holidays', folder);
  await api.waitFor(dataset, 'READY');
  await test.call('export_dataset_async', { dataset_id: dataset, export_format: 'json' });
  await api.get(`/dataset/${dataset}/export?export_format=json`);
  await test.call('change_setting', { key: 'EXPORT_MOST', value: 5 });
  await api.call('DELETE', '/settings/EXPORT_MOST');
  await test.call('start_backup', { folder: await temporaryFolder(atEnd) });
  await api.atRest();
  await api.call('DELETE', `/dataset/${dataset}`);
  const { entries: listed, total } = await entries();
  expect(listed.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    'dataset_deleted Holidays',
    expect.stringMatching(/^backup_begun /),
    'setting_changed EXPORT_MOST',
    'setting_changed EXPORT_MOST',
    'export_begun Holidays',
    'export_begun Holidays',
  ]);
  expect(total).toBe(6);
  expect(listed[0]).toMatchObject({
    actor: 'owner@localhost',
    ip_address: '127.0.0.1',
    details: { dataset_id: dataset },
  });
  expect(listed[3]?.details).toEqual({ value: '5' });
});

it('is filtered by action and paged', async () => {
  const { entries: first } = await entries('?limit=2');
  const { entries: next, total } = await entries(`?limit=2&before=${first[1]?.place}`);
  expect([...first, ...next].map(({ place }) => place)).toEqual(
    (await entries('?limit=4')).entries.map(({ place }) => place),
  );
  expect(total).toBe(6);
  expect(await entries('?action=setting_changed')).toMatchObject({ total: 2, entries: [{}, {}] });
  expect((await api.get('/audit?action=nothing')).status).toBe(422);
  expect((await api.get('/audit?limit=501')).status).toBe(422);
});

it('is visible only to admins', async () => {
  for (const role of ['editor', 'viewer'] as const) {
    const requested = test.core.invoke('list_audit_entries', {}, callBy(principal({ role })));
    await expect(requested).rejects.toMatchObject({ code: 'forbidden' });
  }
});

it('deletes entries older than the limit of the setting', async () => {
  nowMs += 399 * DAY_MS;
  await test.call('change_setting', { key: 'EXPORT_MOST', value: 6 });
  expect((await entries()).total).toBe(7);
  nowMs += 2 * DAY_MS;
  await test.call('change_setting', { key: 'EXPORT_MOST', value: 7 });
  expect((await entries()).total).toBe(2);
});
