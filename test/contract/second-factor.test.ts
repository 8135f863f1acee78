import { join } from 'node:path';
import Database from 'better-sqlite3';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../src-main/contract/schemas/user.ts';
import { systemClock } from '../../src-main/infra/clock.ts';
import { addAccount, json, PASSWORD, signIn, type TestAccount, WITH_ACCOUNTS } from '../support/accounts.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const STEP_MS = 30_000;

let test: TestApi;
let api: Api;
let admin: Api;
/** Offset of the server's clocks in milliseconds. */
let aheadMs = 0;

beforeAll(async () => {
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    iso: () => new Date(systemClock.now() + aheadMs).toISOString(),
    ticksMs: () => systemClock.ticksMs() + aheadMs,
  };
  test = await startTestApi({ environment: WITH_ACCOUNTS, finished: atEnd, clock });
  ({ api } = test);
  await addAccount(test.data, { username: 'admin', role: 'admin', realm_roles: ['manage-users', 'view-users'] });
  admin = await signIn(api, 'admin');
});

const login = (username: string, code?: string, password = PASSWORD) =>
  api.call('POST', '/login', json({ username, password, ...(code !== undefined && { code }) }));
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: systemClock.now() + aheadMs });

/** An account with a second factor that was confirmed one time step ago. */
async function withFactor(
  username: string,
): Promise<{ account: TestAccount; user: Api; secret: string; codes: string[] }> {
  const account = await addAccount(test.data, { username, role: 'viewer' });
  const user = await signIn(api, username);
  const { body } = await user.call<{ secret: string; uri: string }>(
    'POST',
    '/account/second-factor',
    json({ current_password: PASSWORD }),
  );
  expect(body.uri).toContain(`secret=${body.secret}`);
  // A secret that was never confirmed asks nobody for codes.
  expect((await login(username)).status).toBe(200);
  const confirmed = await user.call<{ recovery_codes: string[] }>(
    'PUT',
    '/account/second-factor',
    json({ code: codeOf(body.secret) }),
  );
  expect(confirmed.status).toBe(200);
  aheadMs += STEP_MS;
  return { account, user, secret: body.secret, codes: confirmed.body.recovery_codes };
}

describe('a second factor', () => {
  it('is requested only after the right password, and each code works once', async () => {
    const { secret, user } = await withFactor('factored');
    expect((await user.get('/account/second-factor')).body).toEqual({ is_on: true, n_recovery_codes: 10 });
    expect(await login('factored', undefined, 'a wrong one')).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    expect(await login('factored')).toMatchObject({ status: 401, body: { code: 'second_factor_required' } });
    expect(await login('factored', '')).toMatchObject({ status: 401, body: { code: 'second_factor_required' } });
    const code = codeOf(secret);
    const wrong = code === '123456' ? '654321' : '123456';
    expect(await login('factored', wrong)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await login('factored', code)).status).toBe(200);
    expect(await login('factored', code)).toMatchObject({
      status: 401,
      body: { detail: 'The code is wrong, or was used before' },
    });
  });

  it('delays guesses of codes like guesses of passwords', async () => {
    const { secret } = await withFactor('guessed');
    for (let n = 0; n < 5; n += 1) expect((await login('guessed', '12345678')).status).toBe(401);
    expect((await login('guessed', codeOf(secret))).status).toBe(429);
    aheadMs += 5 * 60_000;
    expect((await login('guessed', codeOf(secret))).status).toBe(200);
  });

  it('lets each recovery code replace one code, and stores hashes', async () => {
    const { user, codes, account } = await withFactor('lost-phone');
    const [first = '', second = ''] = codes;
    expect(new Set(codes).size).toBe(10);
    expect((await login('lost-phone', first.toUpperCase())).status).toBe(200);
    expect((await login('lost-phone', first)).status).toBe(401);
    expect((await user.get('/account/second-factor')).body).toMatchObject({ n_recovery_codes: 9 });
    const catalog = new Database(join(test.data, 'catalog.db'), { readonly: true });
    const stored = catalog
      .prepare('SELECT code_hash FROM recovery_code WHERE idp_user_id = ?')
      .pluck()
      .all(account.idp_user_id);
    catalog.close();
    expect(stored).toHaveLength(9);
    expect(JSON.stringify(stored)).not.toContain(second.replace('-', ''));
    expect((await user.call('DELETE', `/account/second-factor?code=${second}`)).status).toBe(200);
    expect((await login('lost-phone')).status).toBe(200);
  });

  it('is set up with the password and a right code, and turned off with a code', async () => {
    await addAccount(test.data, { username: 'careful', role: 'viewer' });
    const user = await signIn(api, 'careful');
    const start = (password: string) =>
      user.call<{ secret: string }>('POST', '/account/second-factor', json({ current_password: password }));
    expect(await start('not mine')).toMatchObject({
      status: 422,
      body: { fields: { current_password: expect.any(String) } },
    });
    expect((await user.call('PUT', '/account/second-factor', json({ code: '123456' }))).status).toBe(400);
    expect((await user.call('DELETE', '/account/second-factor?code=123456')).status).toBe(404);
    const { secret } = (await start(PASSWORD)).body;
    expect(await user.call('PUT', '/account/second-factor', json({ code: 'abcdef' }))).toMatchObject({
      status: 422,
      body: { fields: { code: expect.any(String) } },
    });
    expect((await user.call('PUT', '/account/second-factor', json({ code: codeOf(secret) }))).status).toBe(200);
    expect((await start(PASSWORD)).status).toBe(409);
    expect((await user.call('DELETE', '/account/second-factor?code=000000')).status).toBe(422);
    aheadMs += STEP_MS;
    expect((await user.call('DELETE', `/account/second-factor?code=${codeOf(secret)}`)).status).toBe(200);
    expect((await login('careful')).status).toBe(200);
  });

  it('is removed by an admin for a user who lost everything', async () => {
    const { account, user } = await withFactor('helped');
    const shown = () => admin.get<User>(`/idp/admin/users/${account.user_id}`);
    expect((await shown()).body.has_second_factor).toBe(true);
    expect((await user.call('DELETE', `/idp/admin/users/${account.user_id}/second-factor`)).status).toBe(403);
    expect((await admin.call('DELETE', `/idp/admin/users/${account.user_id}/second-factor`)).status).toBe(200);
    expect((await shown()).body.has_second_factor).toBe(false);
    expect((await user.get('/account')).status).toBe(401);
    expect((await login('helped')).status).toBe(200);
    expect((await admin.call('DELETE', '/idp/admin/users/nobody/second-factor')).status).toBe(404);
  });
});

describe('passkeys', () => {
  it('refuse answers to unknown challenges, and pages without a host name', async () => {
    await addAccount(test.data, { username: 'keyed', role: 'viewer' });
    const user = await signIn(api, 'keyed');
    const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };
    expect((await user.call('POST', '/account/passkeys', json({ credential }))).status).toBe(400);
    expect(await api.call('POST', '/login/passkey', json({ credential }))).toMatchObject({ status: 400 });
    expect(await user.call('POST', '/account/passkeys/options', json({ current_password: PASSWORD }))).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('host name') },
    });
    expect((await user.get('/account/passkeys')).body).toEqual({ passkeys: [] });
    expect((await user.call('DELETE', '/account/passkeys/AAAA')).status).toBe(404);
  });
});
