import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addAccount, WITH_ACCOUNTS } from '../support/accounts.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing, sharedBrowser } from '../support/browser.ts';
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { startTestApi } from '../support/test-api.ts';

const missing = browserMissing();
if (missing) console.log(`skipped: signing in by another provider: ${missing}`);

describe.skipIf(missing)('signing in by another provider, in a browser', () => {
  let provider: OidcProvider;
  let browser: Awaited<ReturnType<typeof sharedBrowser>>;

  beforeAll(async () => {
    provider = await startOidcProvider(atEnd);
    browser = await sharedBrowser();
  });

  /** @returns Address at which the pages of the server are opened: another site than the provider's. */
  async function serve(environment: Record<string, string>): Promise<{ base: string; data: string }> {
    const { api, data } = await startTestApi({
      environment: { ...WITH_ACCOUNTS, ...OIDC_CLIENT, OIDC_ISSUER: provider.issuer, ...environment },
    });
    const base = api.baseUrl.replace('127.0.0.1', 'localhost');
    provider.serve(`${base}/api/v1/oidc/callback`);
    return { base, data };
  }

  async function open(): Promise<Page> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    return context.newPage();
  }

  /** Signs in at the provider and gives consent. */
  async function signIn(page: Page, base: string, name: string, agrees = true): Promise<void> {
    await page.goto(`${base}/api/v1/oidc/login?return_to=${encodeURIComponent('/dataset/1?threshold=3')}`);
    await page.fill('input[name=login]', name);
    await page.fill('input[name=password]', 'anything');
    await page.click('button[type=submit]');
    await page.click(agrees ? 'button[type=submit]' : 'a[href$="/abort"]');
    await page.waitForURL(`${base}/**`);
  }

  const accountIn = async (page: Page, base: string) => {
    const answer = await page.goto(`${base}/api/v1/account`);
    return { status: answer?.status(), body: (await answer?.json()) as Record<string, unknown> };
  };

  it('creates an account if configured, recognises it later, and returns to the previous page', async () => {
    const { base } = await serve({ OIDC_CREATE_USERS: 'true' });
    const page = await open();
    await signIn(page, base, 'ona');
    expect(page.url()).toBe(`${base}/#/dataset/1?threshold=3`);
    const first = await accountIn(page, base);
    expect(first).toMatchObject({
      status: 200,
      body: { username: 'ona@example.org', name: 'Ona Elsewhere', role: 'viewer', has_password: false },
    });
    const cookies = await page.context().cookies(base);
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'SESSION', httpOnly: true, sameSite: 'Strict' },
    ]);
    const again = await open();
    await signIn(again, base, 'ona');
    expect((await accountIn(again, base)).body.user_id).toBe(first.body.user_id);
  });

  it('refuses users without an account, and answers to a login of another browser', async () => {
    const { base } = await serve({});
    const page = await open();
    await signIn(page, base, 'nobody');
    expect(page.url()).toBe(`${base}/#/login?error=refused`);
    expect((await accountIn(page, base)).status).toBe(401);
    for (const [name, agrees, reason] of [
      ['unverified', true, 'unverified'],
      ['reluctant', false, 'denied'],
    ] as const) {
      const other = await open();
      await signIn(other, base, name, agrees);
      expect(other.url()).toBe(`${base}/#/login?error=${reason}`);
    }
    await page.goto(`${base}/api/v1/oidc/callback?code=x&state=y`);
    expect(page.url()).toBe(`${base}/#/login?error=failed`);
    for (const elsewhere of ['https://example.org', '//example.org', '/\\example.org', 'javascript:alert(1)']) {
      const answer = await fetch(`${base}/api/v1/oidc/login?return_to=${encodeURIComponent(elsewhere)}`, {
        redirect: 'manual',
      });
      expect(answer.status, elsewhere).toBe(422);
    }
  });

  it('links accounts that an admin created to users with the same verified address, permanently', async () => {
    const { base, data } = await serve({});
    const made = await addAccount(data, { username: 'Bert@example.org', role: 'editor' });
    for (const name of ['bert', 'bert']) {
      const page = await open();
      await signIn(page, base, name);
      expect((await accountIn(page, base)).body).toMatchObject({ user_id: made.user_id, role: 'editor' });
    }
    // The same address of another account at the provider is no longer accepted.
    const page = await open();
    await signIn(page, base, 'BERT');
    expect(page.url()).toBe(`${base}/#/login?error=refused`);
  });

  it('returns to the page when the provider does not respond', async () => {
    const { base } = await serve({ OIDC_ISSUER: 'http://127.0.0.1:9' });
    const answer = await fetch(`${base}/api/v1/oidc/login`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/#/login?error=unavailable']);
  });
});
