import { beforeAll, describe, expect, it } from 'vitest';
import type { Notification } from '../../src-main/contract/schemas/notification.ts';
import { systemClock } from '../../src-main/infra/clock.ts';
import { addAccount, json, PASSWORD, signIn, WITH_ACCOUNTS } from '../support/accounts.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

let test: TestApi;
let api: Api;
let admin: Api;
/** Offset of the server's monotonic clock in milliseconds. */
let aheadMs = 0;

beforeAll(async () => {
  const clock = { ...systemClock, ticksMs: () => systemClock.ticksMs() + aheadMs };
  test = await startTestApi({ environment: WITH_ACCOUNTS, finished: atEnd, clock });
  ({ api } = test);
  await addAccount(test.data, { username: 'admin', role: 'admin', realm_roles: ['manage-users', 'view-users'] });
  admin = await signIn(api, 'admin');
});

const login = (username: string, password: string) => api.call('POST', '/login', json({ username, password }));

it('delays guesses for some seconds, and then accepts the right password', async () => {
  await addAccount(test.data, { username: 'guessed', role: 'viewer' });
  for (let n = 0; n < 5; n += 1) expect((await login('guessed', 'a wrong one')).status).toBe(401);
  const delayed = await login('guessed', PASSWORD);
  expect(delayed).toMatchObject({ status: 429, body: { detail: expect.stringMatching(/[1-5] seconds/) } });
  aheadMs += 5000;
  expect((await login('guessed', PASSWORD)).status).toBe(200);
});

it('notifies the owner of an account once about a series of failures', async () => {
  await addAccount(test.data, { username: 'watchful', role: 'viewer' });
  for (let n = 0; n < 12; n += 1) {
    aheadMs += 5 * 60_000;
    expect((await login('watchful', 'a wrong one')).status).toBe(401);
  }
  aheadMs += 5 * 60_000;
  const owner = await signIn(api, 'watchful');
  const { body } = await owner.get<{ notifications: Notification[] }>('/notifications');
  expect(body.notifications).toMatchObject([
    { entity_type: 'account', title: 'Failed sign-in attempts', message: expect.stringContaining('10 attempts') },
  ]);
});

describe('a new user', () => {
  const create = (fields: { username: string; password?: string }) =>
    admin.call('POST', '/idp/admin/users', json({ password: PASSWORD, firstName: 'A', lastName: 'B', ...fields }));

  it.each(['password1', '1234567890', 'new-person', '         '])('may not have the password %j', async (password) => {
    const refused = await create({ username: 'new-person', password });
    expect(refused).toMatchObject({ status: 422, body: { fields: { password: expect.any(String) } } });
  });

  it('may not have a name that resembles another', async () => {
    expect((await create({ username: 'paypal' })).status).toBe(201);
    // Names with Cyrillic а and р.
    for (const username of ['p\u0430ypal', '\u0440aypal']) {
      expect(await create({ username }), username).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('looks like') },
      });
    }
    expect((await create({ username: 'paypal-2' })).status).toBe(201);
  });
});
