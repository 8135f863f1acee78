import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { addAccount, json, signIn, WITH_ACCOUNTS } from '../support/accounts.ts';
import { type Api, until } from '../support/api.ts';
import { writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

it('refuses the calls of an account beyond its limit, and not those of other accounts', async () => {
  const { api, data } = await startTestApi({ environment: { ...WITH_ACCOUNTS, VITRINE_CALLS_PER_USER: '4' } });
  await addAccount(data, { username: 'eager', role: 'viewer' });
  await addAccount(data, { username: 'other', role: 'viewer' });
  const [eager, other] = [await signIn(api, 'eager'), await signIn(api, 'other')];
  // Hashing a password takes some tens of milliseconds, and only two hashes are computed at once.
  const change = () =>
    eager.call('PUT', '/account/password', json({ current_password: 'not mine', password: 'a new password' }));
  const answers = Array.from({ length: 12 }, change);
  expect((await other.get('/account')).status).toBe(200);
  const refused = (await Promise.all(answers)).filter(({ body }) => JSON.stringify(body).includes('calls running'));
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) {
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('1');
  }
  await until(
    () => eager.get('/account'),
    ({ status }) => status === 200,
  );
});

it('refuses tasks of one account beyond its limit, says when to try again, and changes nothing', async () => {
  const { api, data } = await startTestApi({ environment: { ...WITH_ACCOUNTS, VITRINE_TASKS_PER_USER: '1' } });
  await addAccount(data, { username: 'eager', role: 'editor' });
  await addAccount(data, { username: 'other', role: 'editor' });
  const [eager, other] = [await signIn(api, 'eager'), await signIn(api, 'other')];
  const files = await writeImages(await temporaryFolder(), [1]);
  const upload = async (by: Api) => {
    const { body: draft } = await by.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=one');
    const { body: opened } = await by.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
    await by.upload(draft.dataset_id, opened.trans_id, files);
    return `/ingestion/${draft.dataset_id}/process_files/${opened.trans_id}`;
  };
  const [ofEager, ofOther] = [await upload(eager), await upload(other)];
  const catalog = new Database(join(data, 'catalog.db'));
  catalog.exec(
    `INSERT INTO task (task_id, task_type, status, status_message, created_by, input, checkpoint, attempts, step, done,
       progress_percentage, start_time, place)
     VALUES ('open', 'MODEL_IMPORT', 'RUNNING', '', 'eager@localhost', '{}', '{}', 1, '', 0, 0, '2026-01-01T00:00:00.000Z', 1)`,
  );
  const refused = await eager.call('POST', ofEager);
  expect(refused.status, refused.text).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(refused.body).toMatchObject({ reason: { code: 'too_many_tasks', params: { count: 1, limit: 1 } } });
  expect((await other.call('POST', ofOther)).status).toBe(202);

  catalog.exec(`UPDATE task SET status = 'COMPLETED', end_time = start_time WHERE task_id = 'open'`);
  catalog.close();
  expect((await eager.call('POST', ofEager)).status).toBe(202);
});
