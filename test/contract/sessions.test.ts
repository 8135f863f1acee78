import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { randomIds, systemClock } from '../../src-main/infra/clock.ts';
import {
  addAccount,
  beginSession,
  cookieOf,
  json,
  PASSWORD,
  signIn,
  signToken,
  WITH_ACCOUNTS,
} from '../support/accounts.ts';
import { Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { openEventSource } from '../support/event-source.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const WRONG = { detail: 'The username or the password is wrong', code: 'unauthenticated' };
const HOUR_MS = 3_600_000;
let test: TestApi;
let api: Api;
/** Offset of the server's clock in milliseconds. */
let aheadMs = 0;

beforeAll(async () => {
  const now = () => systemClock.now() + aheadMs;
  const clock = { ...systemClock, now, iso: () => new Date(now()).toISOString() };
  test = await startTestApi({ environment: WITH_ACCOUNTS, finished: atEnd, clock });
  ({ api } = test);
});

/** Creates a new account for a test. */
async function account(options: { enabled?: boolean } = {}): Promise<string> {
  const username = `user-${randomIds.uuid()}`;
  await addAccount(test.data, { username, role: 'editor', ...options });
  return username;
}

function login(username: string, password = PASSWORD, headers: Record<string, string> = {}) {
  const init = json({ username, password });
  return api.call('POST', '/login', { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } });
}

const statusOf = async (caller: Api) => (await caller.get('/account')).status;

describe('the first administrator', () => {
  const names = { username: 'root', first_name: 'Ada', last_name: 'Min' };
  const admin = { ...names, password: 'a long password', opened_folder: '/srv/images' };
  const make = (token: string) => api.call('POST', '/setup', json({ ...admin, token }));

  it('is created only with the token printed at start, once, and is signed in', async () => {
    expect((await api.get('/login/options')).body).toEqual({
      authentication: true,
      oidc: null,
      passkeys: false,
      setup_needed: true,
    });
    const token = test.core.setupToken() ?? '';
    expect((await make('')).status).toBe(403);
    expect((await make(`${token.slice(0, -1)}!`)).status).toBe(403);
    expect((await api.call('POST', '/setup', json({ ...admin, token, password: 'short' }))).status).toBe(422);
    const relative = await api.call('POST', '/setup', json({ ...admin, token, opened_folder: 'images' }));
    expect(relative).toMatchObject({ status: 422, body: { fields: { opened_folder: 'must be an absolute path' } } });
    const both = await Promise.all([make(token), make(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    const made = both.find(({ status }) => status === 200);
    expect(made?.body).toMatchObject({
      user: { username: 'root', role: 'admin', realm_roles: expect.arrayContaining(['manage-users']) },
    });
    expect(made?.text).not.toContain('expires_at');
    const caller = new Api(api.baseUrl, { cookie: cookieOf(made?.headers ?? new Headers()) ?? '' });
    expect(await statusOf(caller)).toBe(200);
    const { body } = await caller.get<{ settings: { name: string; value: string }[] }>('/settings');
    expect(body.settings.find(({ name }) => name === 'OPENED_FOLDERS')).toMatchObject({ value: '/srv/images' });
    expect(test.core.setupToken()).toBeUndefined();
    expect((await make(token)).status).toBe(403);
    expect((await api.get('/login/options')).body).toMatchObject({ setup_needed: false });
  });
});

describe('signing in', () => {
  it('sets a cookie that scripts cannot read and other sites cannot send', async () => {
    const { headers, body } = await login(await account());
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(/^SESSION=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(body).toMatchObject({ user: { role: 'editor', is_local_owner: false, must_change_password: false } });
    expect(JSON.stringify(body)).not.toContain(cookie.slice(8, 51));
  });

  it('fails with the same message for a wrong password, an unknown name, and a disabled account', async () => {
    const username = await account();
    const disabled = await account({ enabled: false });
    for (const answer of [
      await login(username, 'wrong password'),
      await login(username, ''),
      await login('nobody-at-all'),
      await login("' OR 1=1 --"),
      await login(disabled),
    ]) {
      expect(answer).toMatchObject({ status: 401, body: WRONG });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('ignores the case of a username', async () => {
    expect((await login((await account()).toUpperCase())).status).toBe(200);
  });

  it('refuses a very long password without hashing it, and anything but text', async () => {
    const username = await account();
    expect((await login(username, 'x'.repeat(50_000))).status).toBe(422);
    expect((await login(username, 'x'.repeat(100_000))).status).toBe(413);
    expect((await api.call('POST', '/login', json({ username, password: { $ne: '' } }))).status).toBe(422);
  });

  it('gives a new token and never accepts one that the browser brought', async () => {
    const username = await account();
    const planted = `SESSION=${'A'.repeat(43)}`;
    const answer = await login(username, PASSWORD, { cookie: planted });
    expect(cookieOf(answer.headers)).not.toBe(planted);
    expect(await statusOf(new Api(api.baseUrl, { cookie: planted }))).toBe(401);
    // A previous session of the same browser is not reused either.
    const again = await login(username, PASSWORD, { cookie: cookieOf(answer.headers) ?? '' });
    expect(cookieOf(again.headers)).not.toBe(cookieOf(answer.headers));
  });

  it('is refused after too many attempts, even with the right password, for that account only', async () => {
    const username = await account();
    const answers = await Promise.all(Array.from({ length: 25 }, () => login(username, 'wrong password')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(await login(username)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect((await login(await account())).status).toBe(200);
  });
});

describe('a session', () => {
  it('ends after a time without use', async () => {
    const caller = await signIn(api, await account());
    for (const _ of [1, 2, 3]) {
      aheadMs += 7 * HOUR_MS;
      expect(await statusOf(caller)).toBe(200);
    }
    aheadMs += 9 * HOUR_MS;
    expect(await statusOf(caller)).toBe(401);
  });

  it('ends after a week, even if it is used', async () => {
    const caller = await signIn(api, await account());
    const statuses: number[] = [];
    for (let hours = 0; hours < 7 * 24 + 6; hours += 6) {
      statuses.push(await statusOf(caller));
      aheadMs += 6 * HOUR_MS;
    }
    expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(401);
  });

  it('ends at once when the allowed time is reduced', async () => {
    const caller = await signIn(api, await account());
    aheadMs += 2 * HOUR_MS;
    expect(await statusOf(caller)).toBe(200);
    await test.call('change_setting', { key: 'SESSION_HOURS', value: 1 });
    onTestFinished(async () => void (await test.call('reset_setting', { key: 'SESSION_HOURS' })));
    expect(await statusOf(caller)).toBe(401);
    expect(await statusOf(await signIn(api, await account()))).toBe(200);
  });

  it('ends by a logout, which deletes the cookie', async () => {
    const caller = await signIn(api, await account());
    const { headers } = await caller.call('POST', '/logout');
    expect(headers.getSetCookie()[0]).toMatch(/^SESSION=; .*Expires=Thu, 01 Jan 1970/);
    expect(await statusOf(caller)).toBe(401);
    expect((await caller.call('POST', '/logout')).status).toBe(401);
  });

  it('is listed for its owner, who can end one or all', async () => {
    const username = await account();
    const [first, second, third] = [
      await signIn(api, username),
      await signIn(api, username),
      await signIn(api, username),
    ];
    const other = await signIn(api, await account());
    type Listed = { sessions: { session_id: string; is_current: boolean; ip_address: string }[] };
    const { sessions } = (await second.get<Listed>('/account/sessions')).body;
    expect(sessions).toHaveLength(3);
    expect(sessions[0]).toMatchObject({ ip_address: '127.0.0.1', client: expect.any(String) });
    const [own] = (await first.get<Listed>('/account/sessions')).body.sessions.filter(({ is_current }) => is_current);
    expect((await other.call('DELETE', `/account/sessions/${own?.session_id}`)).status).toBe(404);
    expect((await second.call('DELETE', `/account/sessions/${own?.session_id}`)).status).toBe(200);
    expect((await second.call('DELETE', `/account/sessions/${randomUUID()}`)).status).toBe(404);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    await third.call('POST', '/account/logout-everywhere');
    expect([await statusOf(second), await statusOf(third), await statusOf(other)]).toEqual([401, 401, 200]);
  });

  it('continues when its owner changes the password, while all others end', async () => {
    const username = await account();
    const [first, second] = [await signIn(api, username), await signIn(api, username)];
    const change = (currentPassword: string, password: string) =>
      first.call('PUT', '/account/password', json({ current_password: currentPassword, password }));
    expect(await change('wrong', 'another password')).toMatchObject({
      status: 422,
      body: { fields: { current_password: expect.any(String) } },
    });
    expect((await change(PASSWORD, PASSWORD)).status).toBe(422);
    expect((await change(PASSWORD, 'short')).status).toBe(422);
    expect((await change(PASSWORD, 'another password')).status).toBe(200);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401]);
    expect((await login(username)).status).toBe(401);
    expect((await login(username, 'another password')).status).toBe(200);
  });
});

describe('a stream', () => {
  /** Returns a signed-in user with both streams open. `closed` resolves when both have ended. */
  async function listener(username: string) {
    const cookie = await beginSession(api, username);
    const open = (path: string) => openEventSource(`${api.baseUrl}/api/v1${path}`, { cookie });
    const both = await Promise.all([open('/events'), open('/notifications/stream')]);
    return {
      caller: new Api(api.baseUrl, { cookie }),
      events: both[0],
      closed: Promise.all(both.map(({ closed }) => closed)),
    };
  }

  type Listed = { sessions: { session_id: string; is_current: boolean }[] };
  const ways: [string, (other: Api, own: Api) => Promise<unknown>][] = [
    ['by a logout', (_other, own) => own.call('POST', '/logout')],
    ['by a logout everywhere', (other) => other.call('POST', '/account/logout-everywhere')],
    [
      'by another session of the account',
      async (other) => {
        const { sessions } = (await other.get<Listed>('/account/sessions')).body;
        const own = sessions.find(({ is_current }) => !is_current);
        await other.call('DELETE', `/account/sessions/${own?.session_id}`);
      },
    ],
    [
      'by a change of the password',
      (other) =>
        other.call('PUT', '/account/password', json({ current_password: PASSWORD, password: 'another password' })),
    ],
  ];

  it.each(ways)('ends with its session: %s', async (_, end) => {
    const username = await account();
    const other = await signIn(api, username);
    const { caller, closed } = await listener(username);
    await end(other, caller);
    await closed;
    expect(await statusOf(caller)).toBe(401);
  });

  it('continues when another session of its account ends, and receives the event', async () => {
    const username = await account();
    const [{ events }, other] = [await listener(username), await listener(username)];
    await other.caller.call('POST', '/logout');
    await other.closed;
    await until(() => events.named('sessions_ended').length === 1);
    await test.call('new_dataset', { dataset_name: 'told of' });
    await until(() => events.named('dataset_changed').length > 0);
  });

  it('does not count as use of its session, and ends with it', async () => {
    const { caller, events, closed } = await listener(await account());
    aheadMs += 6 * HOUR_MS;
    await until(() => events.named('ping').length > 1);
    aheadMs += 3 * HOUR_MS;
    await closed;
    expect(await statusOf(caller)).toBe(401);
  });

  it('ends when its token expires', async () => {
    const owner = await signIn(api, await account());
    const { body } = await owner.get<{ api_key: string; api_secret: string }>('/api_credentials');
    const headers = { authorization: `Bearer ${await signToken(body, aheadMs / 1000 + 600)}` };
    const { closed } = await openEventSource(`${api.baseUrl}/api/v1/notifications/stream`, headers);
    aheadMs += HOUR_MS;
    await closed;
    expect(await statusOf(new Api(api.baseUrl, headers))).toBe(401);
  });
});

it('notes logins, failed ones, keys and passwords, and no secrets', async () => {
  const username = await account();
  await login(username, 'a wrong password');
  const caller = await signIn(api, username);
  const { body } = await caller.get<{ api_key: string; api_secret: string }>('/api_credentials?name=scripts');
  await caller.call('DELETE', `/account/credentials/${body.api_key}`);
  await caller.call('PUT', '/account/password', json({ current_password: PASSWORD, password: 'another password' }));
  await caller.call('POST', '/logout');
  const { entries } = await test.call('list_audit_entries', { limit: 6 });
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    [`${username}@localhost`, 'logout'],
    [`${username}@localhost`, 'password_changed'],
    [`${username}@localhost`, 'credential_revoked'],
    [`${username}@localhost`, 'credential_created'],
    [`${username}@localhost`, 'login'],
    [username, 'login_failed'],
  ]);
  expect(entries.every(({ ip_address }) => ip_address === '127.0.0.1')).toBe(true);
  for (const secret of [PASSWORD, 'a wrong password', 'another password', body.api_secret]) {
    expect(JSON.stringify(entries)).not.toContain(secret);
  }
});

describe('pages of other sites', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://example.org' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'user-agent': 'Mozilla/5.0' },
    { host: 'example.org' },
  ];

  it.each(foreign)('cannot create an API key for the signed-in user: %j', async (headers) => {
    const { cookie } = { cookie: cookieOf((await login(await account())).headers) ?? '' };
    const status = await requestStatus('/api/v1/api_credentials', { cookie, ...headers });
    expect(status).toBe(403);
    // Vitrine's own page calls by script, which is allowed even if the browser sends no other origin information.
    const own = { cookie, 'user-agent': 'Mozilla/5.0', 'x-requested-with': 'vitrine' };
    expect(await requestStatus('/api/v1/api_credentials', own)).toBe(200);
  });
});

/** Sends a request with headers that fetch does not allow. */
async function requestStatus(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((answered, failed) => {
    const sent = request(new URL(path, api.baseUrl), { headers }, (response) => {
      response.resume();
      answered(response.statusCode);
    });
    sent.once('error', failed);
    sent.end();
  });
}
