import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAccount, json, signIn, signToken, WITH_ACCOUNTS } from '../support/accounts.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { openEventSource } from '../support/event-source.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

interface Credential {
  api_key: string;
  api_secret: string;
  message: string;
}

const REFUSED = { detail: 'Sign in, or send a valid token', code: 'unauthenticated' };
let test: TestApi;
let ann: Api;
let credential: Credential;

beforeAll(async () => {
  test = await startTestApi({ environment: WITH_ACCOUNTS, finished: atEnd });
  await addAccount(test.data, { username: 'ann', role: 'editor' });
  await addAccount(test.data, { username: 'bob', role: 'editor' });
  ann = await signIn(test.api, 'ann');
  credential = await create(ann, 'scripts');
});

async function create(api: Api, name = ''): Promise<Credential> {
  const { status, body } = await api.get<Credential & Record<string, unknown>>(`/api_credentials?name=${name}`);
  expect(status).toBe(200);
  return body;
}

function withToken(token: string): Promise<{ status: number; body: unknown }> {
  return new Api(test.api.baseUrl, { authorization: `Bearer ${token}` }).get('/account');
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const now = () => Math.floor(Date.now() / 1000);

/** Signs a valid token with the given changes. */
function sign(
  claims: JWTPayload,
  header: Record<string, unknown> = {},
  secret = credential.api_secret,
): Promise<string> {
  const { api_key: key } = credential;
  return new SignJWT({ sub: key, iat: now(), exp: now() + 600, iss: 'sdk', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key, ...header })
    .sign(new TextEncoder().encode(secret));
}

describe('API credentials', () => {
  it('belong to the signed-in account, and their tokens act for that account', async () => {
    expect(await withToken(await signToken(credential))).toMatchObject({ status: 200, body: { username: 'ann' } });
    // Valid tokens: another type, a longer lifetime, and a clock that is slightly ahead.
    expect(await withToken(await sign({}, { typ: 'at+jwt' }))).toMatchObject({ status: 200 });
    expect(await withToken(await sign({ exp: now() + 30 * 24 * 3600 }))).toMatchObject({ status: 200 });
    expect(await withToken(await sign({ iat: now() + 10 }))).toMatchObject({ status: 200 });
    expect(await withToken(await sign({ exp: now() - 10, iat: now() - 600 }))).toMatchObject({ status: 200 });
  });

  it('are listed without their secrets, which are stored only as hashes', async () => {
    await withToken(await signToken(credential));
    const { body, text } = await ann.get('/account/credentials');
    expect(body).toEqual({
      credentials: [
        {
          api_key: credential.api_key,
          name: 'scripts',
          created_at: expect.any(String),
          last_used_at: expect.any(String),
        },
      ],
    });
    expect(text).not.toContain(credential.api_secret);
    for (const name of await readdir(test.data)) {
      const file = join(test.data, name);
      if ((await stat(file)).isFile()) expect((await readFile(file)).includes(credential.api_secret), name).toBe(false);
    }
    expect((await stat(join(test.data, 'credentials.key'))).mode & 0o077).toBe(0);
  });

  it('of other accounts are not found', async () => {
    const bob = await signIn(test.api, 'bob');
    expect((await bob.get('/account/credentials')).body).toEqual({ credentials: [] });
    expect((await bob.call('DELETE', `/account/credentials/${credential.api_key}`)).status).toBe(404);
    expect(await withToken(await signToken(credential))).toMatchObject({ status: 200 });
  });

  it('are refused once they are revoked, also in open connections', async () => {
    const second = await create(ann);
    const token = await signToken(second);
    expect((await withToken(token)).status).toBe(200);
    const stream = await openEventSource(`${test.api.baseUrl}/api/v1/events`, { authorization: `Bearer ${token}` });
    expect((await ann.call('DELETE', `/account/credentials/${second.api_key}`)).body).toEqual({ revoked: true });
    await stream.closed;
    expect(await withToken(token)).toMatchObject({ status: 401, body: REFUSED });
    expect((await ann.call('DELETE', `/account/credentials/${second.api_key}`)).status).toBe(404);
  });

  it('are refused while their account is disabled', async () => {
    const { idp_user_id } = await addAccount(test.data, { username: 'carl', role: 'viewer' });
    const token = await signToken(await create(await signIn(test.api, 'carl')));
    await addAccount(test.data, { username: 'dora', role: 'admin', realm_roles: ['manage-users'] });
    const admin = await signIn(test.api, 'dora');
    const enable = async (enabled: boolean) => {
      const { status } = await admin.call('PATCH', `/idp/admin/users/${idp_user_id}`, json({ enabled }));
      expect(status).toBe(200);
    };
    expect((await withToken(token)).status).toBe(200);
    await enable(false);
    expect(await withToken(token)).toMatchObject({ status: 401, body: REFUSED });
    await enable(true);
    expect((await withToken(token)).status).toBe(200);
  });
});

describe('a token is refused', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const claims = () => ({ sub: credential.api_key, iat: now(), exp: now() + 600, iss: 'sdk' });
  const tampered = async (change: (parts: string[]) => string[]) => change((await sign({})).split('.')).join('.');
  const bad: [string, () => string | Promise<string>][] = [
    ['that is none', () => 'nonsense'],
    ['that is empty', () => ''],
    ['that is very long', () => 'x'.repeat(10_000)],
    ['of the algorithm none', () => `${part({ alg: 'none', kid: credential.api_key })}.${part(claims())}.`],
    [
      'of the algorithm none in other letters, with a signature',
      () => `${part({ alg: 'NoNe', kid: credential.api_key })}.${part(claims())}.c2ln`,
    ],
    [
      'that RS256 signed',
      () => new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: credential.api_key }).sign(privateKey),
    ],
    [
      'that says RS256 and was signed as HS256 is',
      () => {
        const signed = `${part({ alg: 'RS256', kid: credential.api_key })}.${part(claims())}`;
        return `${signed}.${createHmac('sha256', credential.api_secret).update(signed).digest('base64url')}`;
      },
    ],
    [
      'that a public key signed as a secret',
      () => sign({}, {}, publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    ],
    ['of HS512', () => sign({}, { alg: 'HS512' })],
    ['of another secret', () => sign({}, {}, 'x'.repeat(43))],
    ['of an unknown key', () => sign({}, { kid: 'unknown' })],
    ['without a key', () => sign({}, { kid: undefined })],
    ['whose key is a path', () => sign({}, { kid: '../../media-url.key' })],
    ['whose key is no text', () => sign({}, { kid: 7 })],
    ['whose subject is another than its key', () => sign({ sub: 'somebody' })],
    ['without a subject', async () => sign({ sub: undefined } as unknown as JWTPayload)],
    ['of another issuer', () => sign({ iss: 'elsewhere' })],
    ['that is expired', () => sign({ iat: now() - 700, exp: now() - 100 })],
    ['that never expires', () => sign({ exp: undefined } as unknown as JWTPayload)],
    ['that expires in the far future', () => sign({ exp: now() + 10 * 366 * 24 * 3600 })],
    ['whose expiry is no number', () => sign({ exp: 'never' } as unknown as JWTPayload)],
    ['that was issued in the future', () => sign({ iat: now() + 3600, exp: now() + 7200 })],
    ['without an issue time', () => sign({ iat: undefined } as unknown as JWTPayload)],
    ['that is not valid yet', () => sign({ nbf: now() + 3600 })],
    ['with a critical extension', () => sign({}, { crit: ['x'], x: 1 }).catch(() => 'cannot.even.be')],
    [
      'whose claims were changed',
      () => tampered(([head = '', , mark = '']) => [head, part({ ...claims(), exp: now() + 9e5 }), mark]),
    ],
    ['whose signature was cut', () => tampered(([head = '', body = '', mark = '']) => [head, body, mark.slice(0, -4)])],
    ['that is encrypted', () => tampered((parts) => [...parts, 'a', 'b'])],
  ];

  it.each(bad)('%s', async (_, make) => {
    expect(await withToken(await make())).toMatchObject({ status: 401, body: REFUSED });
  });

  it('even with a valid session', async () => {
    const cookie = (await signedIn()).cookie;
    const answer = await new Api(test.api.baseUrl, { cookie, authorization: 'Bearer nonsense' }).get('/account');
    expect(answer).toMatchObject({ status: 401, body: REFUSED });
  });

  it('when the header is sent twice', async () => {
    const token = await signToken(credential);
    const status = await new Promise((answered) => {
      const sent = request(`${test.api.baseUrl}/api/v1/account`, (response) => {
        response.resume();
        answered(response.statusCode);
      });
      sent.setHeader('authorization', [`Bearer ${token}`, 'Bearer nonsense']);
      sent.end();
    });
    expect(status).toBe(401);
  });
});

async function signedIn(): Promise<{ cookie: string }> {
  const { headers } = await test.api.call('POST', '/login', json({ username: 'ann', password: 'correct horse' }));
  return { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

it('requests without token or session are refused before their body is read', async () => {
  const calls: [string, string, RequestInit?][] = [
    ['GET', '/datasets'],
    ['GET', '/dataset/not-an-id'],
    ['POST', '/dataset', { body: 'not even a form', headers: { 'content-type': 'application/json' } }],
    ['GET', '/api_credentials'],
    ['GET', '/events'],
    ['GET', '/notifications/stream'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
  ];
  for (const [method, path, init] of calls) {
    expect(await test.api.call(method, path, init), path).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  }
  expect((await test.api.get('/healthcheck')).status).toBe(200);
});

it('without authentication every caller is the local owner, whatever the token', async () => {
  const { api } = await startTestApi();
  const anyToken = new Api(api.baseUrl, { authorization: 'Bearer nonsense', cookie: 'SESSION=x' });
  expect((await anyToken.get('/account')).body).toMatchObject({ is_local_owner: true, authentication: false });
  const { body } = await anyToken.get<Credential & Record<string, unknown>>('/api_credentials');
  const own = new Api(api.baseUrl, { authorization: `Bearer ${await signToken(body)}` });
  expect((await own.get('/datasets')).body).toEqual([]);
  expect((await api.call('POST', '/login', json({ username: 'a', password: 'b' }))).status).toBe(400);
});
