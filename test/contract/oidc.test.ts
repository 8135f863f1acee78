import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readOidcSettings } from '../../src-main/core/accounts/oidc-settings.ts';
import { addAccount, json, signIn, WITH_ACCOUNTS } from '../support/accounts.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { OIDC_CLIENT } from '../support/oidc-provider.ts';
import { type SmallOidcProvider, startSmallOidcProvider } from '../support/small-oidc-provider.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

let provider: SmallOidcProvider;
let test: TestApi;
let api: Api;

beforeAll(async () => {
  provider = await startSmallOidcProvider(OIDC_CLIENT.OIDC_CLIENT_ID, atEnd);
  const oidc = { ...OIDC_CLIENT, OIDC_ISSUER: provider.issuer, OIDC_CREATE_USERS: 'true' };
  test = await startTestApi({ finished: atEnd, environment: { ...WITH_ACCOUNTS, ...oidc } });
  ({ api } = test);
});

beforeEach(() => Object.assign(provider, { claims: {}, forges: false }));

/** Makes a user the only member of a workspace. */
function joinAnotherWorkspace(userId: string): void {
  const catalog = new Database(join(test.data, 'catalog.db'));
  const of = { id: randomUUID(), user_id: userId, at: new Date().toISOString() };
  catalog
    .prepare(
      `INSERT INTO workspace (workspace_id, organization_id, name, created_at)
       SELECT :id, organization_id, 'Another', :at FROM workspace LIMIT 1`,
    )
    .run(of);
  catalog.prepare(`INSERT INTO workspace_member VALUES (:id, :user_id, 'viewer', :at)`).run(of);
  catalog.close();
}

/** Signs in as a browser does. @returns Location of the final redirect, and the account of the new session. */
async function login(): Promise<{ location: string; account: Record<string, unknown> }> {
  const led = await fetch(`${api.baseUrl}/api/v1/oidc/login`, { redirect: 'manual' });
  const loginCookie = led.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const requested = await fetch(led.headers.get('location') ?? '', { redirect: 'manual' });
  const back = await fetch(requested.headers.get('location') ?? '', {
    redirect: 'manual',
    headers: { cookie: loginCookie },
  });
  const session = back.headers.getSetCookie().find((cookie) => cookie.startsWith('SESSION='));
  const account = await fetch(`${api.baseUrl}/api/v1/account`, {
    headers: { cookie: session?.split(';')[0] ?? '' },
  });
  return { location: back.headers.get('location') ?? '', account: (await account.json()) as Record<string, unknown> };
}

describe('an ID token', () => {
  it('is accepted when it is signed by the published key', async () => {
    provider.claims = { sub: 'good', email: 'good@example.org', email_verified: true };
    expect(await login()).toMatchObject({ location: '/#/', account: { username: 'good@example.org' } });
  });

  it('is refused when it is signed by another key', async () => {
    Object.assign(provider, { claims: { sub: 'forged' }, forges: true });
    expect((await login()).location).toBe('/#/login?error=failed');
  });

  it('is refused when it was issued in the future', async () => {
    provider.claims = { sub: 'early', iat: Math.floor(Date.now() / 1000) + 3600 };
    expect((await login()).location).toBe('/#/login?error=failed');
  });
});

describe('a name that is not verified', () => {
  it.each([
    { sub: 'attacker', email_verified: false, email: 'victim@corp.com', preferred_username: 'victim@corp.com' },
    { sub: 'attacker-2', preferred_username: 'VICTIM@corp.com' },
    { sub: 'victim@corp.com' },
  ])('never becomes an address: %j', async (claims) => {
    provider.claims = claims;
    const { account } = await login();
    expect(account.username).toMatch(/^oidc-/);
    expect(String(account.email).toLowerCase()).not.toBe('victim@corp.com');
  });

  it('does not take an address from its owner', async () => {
    provider.claims = { sub: 'victim', email: 'victim@corp.com', email_verified: true };
    expect((await login()).account).toMatchObject({ username: 'victim@corp.com', email: 'victim@corp.com' });
  });
});

describe('an invitation', () => {
  it('answers the same for an account of another workspace as for a missing one', async () => {
    await addAccount(test.data, { username: 'holder', role: 'editor' });
    await addAccount(test.data, { username: 'colleague', role: 'viewer' });
    const { user_id } = await addAccount(test.data, { username: 'stranger', role: null });
    joinAnotherWorkspace(user_id);
    const owner = await signIn(api, 'holder');
    const made = await owner.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=mine');
    const invite = async (name: string) => {
      const sent = json({ grant_to_user_email: `${name}@localhost` });
      const { status, text } = await owner.call('PUT', `/manage/${made.body.dataset_id}/invite`, sent);
      return { status, text: text.replaceAll(name, 'somebody') };
    };
    expect((await invite('colleague')).status).toBe(200);
    const stranger = await invite('stranger');
    expect(stranger.status).toBe(404);
    expect(stranger).toEqual(await invite('nobody'));
  });
});

describe('the last admin', () => {
  it('cannot be deleted by anyone', async () => {
    const admin = await addAccount(test.data, {
      username: 'admin',
      role: 'admin',
      realm_roles: ['manage-users', 'view-users'],
    });
    await addAccount(test.data, { username: 'manager', role: 'editor', realm_roles: ['manage-users', 'view-users'] });
    for (const name of ['admin', 'manager']) {
      const caller = await signIn(api, name);
      for (const place of ['idp', 'keycloak']) {
        const refused = await caller.call('DELETE', `/${place}/admin/users/${admin.idp_user_id}`);
        expect(refused, `${name} at ${place}`).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
      }
    }
    const requested = await (await signIn(api, 'admin')).get<{ total: number }>('/keycloak/admin/users?search=manager');
    expect(requested).toMatchObject({ status: 200, body: { total: 1 } });
  });
});

describe('an issuer', () => {
  const read = (environment: Record<string, string>) => () =>
    readOidcSettings({ OIDC_CLIENT_ID: 'vitrine', ...environment });

  it.each([
    { OIDC_ISSUER: 'http://127.0.0.1:1' },
    { OIDC_ISSUER: 'http://id.example.org', OIDC_ALLOW_HTTP: 'true' },
    { OIDC_ISSUER: 'ftp://id.example.org' },
  ])('is refused: %j', (environment) => {
    expect(read(environment)).toThrow(/https/);
  });

  it.each([{ OIDC_ISSUER: 'https://id.example.org' }, { OIDC_ISSUER: 'http://localhost:1', OIDC_ALLOW_HTTP: 'true' }])(
    'is accepted: %j',
    (environment) => {
      expect(read(environment)()).toMatchObject({ issuer: environment.OIDC_ISSUER });
    },
  );
});
