import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { addAccount, PASSWORD, WITH_ACCOUNTS } from '../support/accounts.ts';
import { startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing, complaintsOf, sharedBrowser } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { tinyPng } from '../support/tiny-png.ts';

const run = promisify(execFile);

/** Controls that change, export or share a dataset. */
const CONTROLS = 'open-export export-chosen add-media tag label exclude open-enrich open-share'.split(' ');

/** Browsers log every refused request. These pages make such requests on purpose. */
function isRefusal(complaint: string): boolean {
  return complaint.includes('/api/v1/') && /status of 4(00|01|03|04|22)/.test(complaint);
}

describe('accounts in the browser', needs(browserMissing()), () => {
  let server: Server;
  let browser: Browser;
  let admin: Page;
  let viewer: Page;
  let setupUrl: string;
  let data: string;
  let media: string;
  let dataset: string;
  const complaints: string[][] = [];

  const open = async () => {
    // Axe is injected as a script, which the page's policy forbids.
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    complaints.push(complaintsOf(page));
    return page;
  };
  const go = (page: Page, address: string) => page.goto(`${server.baseUrl}/#${address}`);
  const inBothThemes = async (page: Page) => {
    const found = await violations(page, { targets: true });
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
    found.push(...(await violations(page, { onlyColours: true })));
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    return found;
  };
  const signIn = async (page: Page, username: string, password: string) => {
    await page.getByTestId('login-username').fill(username);
    await page.getByTestId('login-password').fill(password);
    await page.getByTestId('login-submit').click();
  };

  const choose = async (page: Page) => {
    const tile = page.getByTestId('item-tile').first();
    await tile.hover();
    await tile.getByTestId('tile-check').click();
  };
  /** The {@link CONTROLS} that a page of items has, with a selected item and an open menu. */
  const offered = async (page: Page) => {
    await page.getByTestId('selected').waitFor();
    await page.getByTestId('more').click();
    await page.getByTestId('open-data').waitFor();
    const counts = await Promise.all(CONTROLS.map((name) => page.getByTestId(name).count()));
    await page.keyboard.press('Escape');
    return CONTROLS.filter((_, at) => counts[at] !== 0);
  };
  const menuOf = async (page: Page) => {
    await go(page, '/');
    await page.getByTestId('dataset-menu').click();
    await page.getByRole('menuitem').first().waitFor();
    const items = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    return items;
  };

  beforeAll(async () => {
    data = await temporaryFolder(atEnd);
    media = await temporaryFolder(atEnd);
    for (const seed of [1, 2, 3, 4]) await writeFile(join(media, `image-${seed}.png`), tinyPng(seed, 64));
    const opened = { VITRINE_OPENED_FOLDERS: media };
    server = await startServer(data, { VITRINE_COMPUTE_PROCESSES: '1', ...WITH_ACCOUNTS, ...opened });
    await addAccount(data, { username: 'vera', role: 'viewer' });
    await addAccount(data, { username: 'sam', role: null });
    setupUrl = await server.setupUrl;
    atEnd(() => server.stop());
    browser = await sharedBrowser();
    admin = await open();
    viewer = await open();
  });

  it('are requested first, and then lead to the requested page', async () => {
    await go(admin, '/settings');
    await admin.getByTestId('setup-needed').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.goto(setupUrl);
    await admin.getByTestId('setup-username').fill('ada');
    await admin.getByTestId('setup-first_name').fill('Ada');
    await admin.getByTestId('setup-last_name').fill('Admin');
    await admin.getByTestId('setup-password').fill(PASSWORD);
    await admin.getByTestId('setup-again').fill('another one');
    await admin.getByText('The passwords do not match.').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.getByTestId('setup-again').fill(PASSWORD);
    await admin.getByTestId('setup-submit').click();
    await admin.getByTestId('first-run').waitFor();

    await go(viewer, '/settings');
    await viewer.getByTestId('login-page').waitFor();
    expect(await inBothThemes(viewer)).toEqual([]);
    await signIn(viewer, 'vera', 'not this one');
    await viewer.getByText('The username or password is wrong.').waitFor();
    await signIn(viewer, 'vera', PASSWORD);
    await viewer.getByTestId('settings-page').waitFor();
    await go(viewer, '/');
    await viewer.getByTestId('nothing-shared').waitFor();
    expect(await inBothThemes(viewer)).toEqual([]);
    await go(viewer, '/recovery');
    await viewer.getByTestId('not-found').waitFor();
  });

  it('settings take effect at once, and can be reset', async () => {
    await go(admin, '/settings');
    const sharing = admin.locator('[data-name=DATASET_SHARE_ENABLED]');
    const isOn = () => sharing.getByTestId('setting-switch').getAttribute('aria-checked');
    await sharing.getByTestId('setting-switch').click();
    await sharing.getByTestId('reset-setting').waitFor();
    expect(await isOn()).toBe('false');
    const { features } = await (await admin.request.get(`${server.baseUrl}/api/v1/account`)).json();
    expect(features.DATASET_SHARE_ENABLED).toBe(false);
    await sharing.getByTestId('reset-setting').click();
    await expect.poll(isOn).toBe('true');
    const days = admin.locator('[data-name=AUDIT_DAYS]');
    await days.getByTestId('setting-text').fill('0');
    await days.getByTestId('setting-text').press('Enter');
    await days.getByText('must be from 1 to').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await go(viewer, '/settings');
    await viewer.getByTestId('settings-page').waitFor();
    expect(await viewer.getByTestId('settings-features').count()).toBe(0);
  });

  it('credentials are shown once with scripts that run, until they are revoked', async () => {
    await go(admin, '/api');
    await admin.getByTestId('credential-name').fill('Nightly');
    await admin.getByTestId('create-credential').click();
    await admin.getByTestId('fresh-secret').waitFor();
    const curl = await admin.getByTestId('snippet').innerText();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.getByTestId('snippet-language').getByText('TypeScript').click();
    await expect.poll(() => admin.getByTestId('snippet').innerText()).toContain('jose');
    const typescript = await admin.getByTestId('snippet').innerText();
    expect((await run('bash', ['-c', curl])).stdout).toBe('[]');
    expect((await run(process.execPath, ['--input-type=module', '--eval', typescript])).stdout).toBe('');
    await admin.getByTestId('shown-once-done').click();
    await expect.poll(() => admin.getByTestId('snippet-language').count()).toBe(1);
    await expect.poll(() => admin.getByTestId('snippet').innerText()).toContain('YOUR_SECRET');
    await admin.getByTestId('credential-row').getByTestId('revoke-credential').click();
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await admin.getByText('No credentials yet.').waitFor();
    expect((await run('bash', ['-c', curl])).stdout).toContain('"code":"unauthenticated"');
  });

  it('a session that ends during work continues after sign-in', async () => {
    await go(viewer, '/account');
    await viewer.getByTestId('session-row').waitFor();
    expect(await inBothThemes(viewer)).toEqual([]);
    await viewer.getByTestId('new-password').fill('typed before');
    const other = await open();
    await go(other, '/account');
    await signIn(other, 'vera', PASSWORD);
    await other.getByTestId('end-session').click();
    await expect.poll(() => other.getByTestId('end-session').count()).toBe(0);
    await viewer.evaluate(() => window.dispatchEvent(new Event('focus')));
    await viewer.getByTestId('sign-in-dialog').waitFor();
    expect(await inBothThemes(viewer)).toEqual([]);
    await viewer.getByTestId('login-password').fill(PASSWORD);
    await viewer.getByTestId('login-submit').click();
    await expect.poll(() => viewer.getByTestId('sign-in-dialog').count()).toBe(0);
    expect(await viewer.getByTestId('new-password').inputValue()).toBe('typed before');
  });

  it('are recorded in an audit log that only admins see', async () => {
    await go(admin, '/audit');
    await admin.locator('[data-action=setting_changed]').first().waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await go(viewer, '/audit');
    await viewer.getByTestId('not-found').waitFor();
  });

  it('users are created with a password that is shown once, and must change it at first', async () => {
    await go(admin, '/users');
    await admin.getByTestId('new-user').click();
    await admin.getByTestId('user-username').fill('g h');
    await admin.getByTestId('user-firstName').fill('Grace');
    await admin.getByTestId('user-lastName').fill('Hopper');
    await admin.getByTestId('create-user').click();
    await admin.getByText('must not contain spaces').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    // A new admin replaces the current one, who is signed out: the password cannot be shown afterwards.
    await admin.getByTestId('user-role').getByText('Admin').click();
    await admin.getByTestId('once-password').waitFor();
    await admin.getByTestId('user-role').getByText('Viewer').click();
    await expect.poll(() => admin.getByTestId('once-password').count()).toBe(0);
    await admin.getByTestId('user-username').fill('grace');
    await admin.getByTestId('create-user').click();
    await admin.getByTestId('once-password').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.getByTestId('shown-once-done').click();
    const row = admin.locator('[data-username=grace]');
    await row.getByTestId('user-menu').click();
    await admin.getByRole('menuitem', { name: 'Reset password' }).click();
    await admin.getByRole('button', { name: 'Reset password', exact: true }).click();
    const temporary = await admin.getByTestId('once-password').innerText();
    await admin.getByTestId('shown-once-done').click();
    expect(await inBothThemes(admin)).toEqual([]);

    const grace = await open();
    await go(grace, '/account');
    await signIn(grace, 'grace', temporary);
    await grace.getByTestId('change-password-page').waitFor();
    expect(await inBothThemes(grace)).toEqual([]);
    await grace.getByTestId('current-password').fill(temporary);
    await grace.getByTestId('new-password').fill(PASSWORD);
    await grace.getByTestId('new-password-again').fill(PASSWORD);
    await grace.getByTestId('change-password').click();
    await expect.poll(() => grace.getByTestId('account-username').innerText()).toBe('grace');
    await grace.close();
  });

  it('a viewer of a shared dataset is offered no changes, exports or shares', async () => {
    const api = `${server.baseUrl}/api/v1`;
    const created = await admin.request.post(`${api}/dataset`, {
      multipart: { dataset_name: 'Shared', bucket_path: media, encoder: 'none' },
    });
    ({ dataset_id: dataset } = await created.json());
    const status = async () => (await (await admin.request.get(`${api}/dataset/${dataset}`)).json()).status_new;
    await expect.poll(status, { timeout: 60_000 }).toBe('READY');
    await go(admin, `/dataset/${dataset}`);
    await admin.getByTestId('more').click();
    await admin.getByTestId('open-share').click();
    await admin.getByTestId('share-email').fill('sam@localhost');
    await admin.getByTestId('share-email').press('Enter');
    await admin.getByTestId('share-row').getByText('sam@localhost').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.keyboard.press('Escape');

    const sam = await open();
    await go(sam, `/dataset/${dataset}?flat=name`);
    await signIn(sam, 'sam', PASSWORD);
    await choose(sam);
    expect(await offered(sam)).toEqual([]);
    expect(await menuOf(sam)).toEqual(['Data', 'Snapshots', 'About this dataset', 'Copy link', 'Copy ID']);
    expect(await inBothThemes(sam)).toEqual([]);

    await go(sam, `/dataset/${dataset}?flat=name`);
    await sam.getByTestId('item-tile').first().waitFor();
    // The server keeps responding: it ends the event stream because of the new rights, which is no connection loss.
    await sam.evaluate(() => {
      new MutationObserver(() => {
        if (document.querySelector('[data-testid=connection-banner]')) document.body.dataset.away = 'seen';
      }).observe(document.body, { childList: true, subtree: true });
    });
    await admin.request.delete(`${api}/manage/${dataset}/share`, { params: { user_email: 'sam@localhost' } });
    await sam.getByTestId('dataset-withdrawn').waitFor();
    expect(await inBothThemes(sam)).toEqual([]);
    await sam.getByRole('button', { name: 'Go to datasets' }).click();
    await sam.getByTestId('nothing-shared').waitFor();
    expect(await sam.locator('body').getAttribute('data-away')).toBeNull();
    await sam.close();
  });

  it('roles are changed after their effects were explained, and decide what is offered', async () => {
    await go(viewer, `/dataset/${dataset}?flat=name`);
    await choose(viewer);
    expect(await offered(viewer)).toEqual([]);
    await go(admin, '/members');
    const row = admin.locator('[data-username=vera]');
    await row.getByTestId('member-role').getByText('Editor').click();
    await admin.getByText('They create, edit and export datasets').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.getByRole('button', { name: 'Change role' }).click();
    await expect.poll(() => row.getAttribute('data-role')).toBe('editor');
    expect(await inBothThemes(admin)).toEqual([]);
    await viewer.getByTestId('add-media').waitFor();
    expect(await offered(viewer)).toEqual(CONTROLS.filter((name) => name !== 'open-share'));
    const items = await menuOf(viewer);
    expect(items).toEqual(expect.arrayContaining(['Add media…', 'Export', 'Rename…', 'Duplicate…']));
    expect(items.filter((item) => /Share|Delete/.test(item))).toEqual([]);
  });

  it('a view is shared with a message', async () => {
    const created = await admin.request.post(`${server.baseUrl}/api/v1/dataset/${dataset}/views`, {
      multipart: { name: 'Dogs' },
    });
    expect(created.status()).toBe(200);
    await go(admin, `/dataset/${dataset}/views`);
    await admin.getByTestId('share-view').click();
    await admin.getByTestId('share-view-email').fill('nobody@localhost');
    await admin.getByTestId('share-view-message').fill('Look at these');
    await admin.getByTestId('share-view-submit').click();
    await admin.getByText('nobody@localhost has no access to this dataset').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.getByTestId('share-view-email').fill('vera@localhost');
    await admin.getByTestId('share-view-submit').click();
    // Checked first, since the toast disappears after a few seconds.
    await viewer.getByTestId('alert-toast').getByText('Ada Admin shared “Dogs” in Shared').waitFor();
    await admin.getByTestId('view-shared').waitFor();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.keyboard.press('Escape');

    await expect.poll(() => viewer.getByTestId('alerts-badge').innerText()).toBe('1');
    await viewer.getByTestId('alerts-bell').click();
    await viewer.getByTestId('alert-row').getByText('Shared by Ada Admin').waitFor();
    await viewer.getByTestId('alert-row').getByText('Look at these').waitFor();
    expect(await inBothThemes(viewer)).toEqual([]);
    await viewer.keyboard.press('Escape');
  });

  it('take a second factor and a passkey, which then sign in', async () => {
    await addAccount(data, { username: 'kim', role: 'viewer' });
    const page = await open();
    // Browsers offer passkeys to pages of a host name only.
    const base = server.baseUrl.replace('127.0.0.1', 'localhost');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await page.goto(`${base}/#/account`);
    await signIn(page, 'kim', PASSWORD);
    const factor = page.getByTestId('second-factor');
    await factor.getByTestId('change-second-factor').click();
    await factor.getByTestId('second-factor-password').fill(PASSWORD);
    await factor.getByTestId('second-factor-start').click();
    const secret = (await factor.getByTestId('second-factor-secret').textContent()) ?? '';
    expect(await inBothThemes(page)).toEqual([]);
    await factor.getByTestId('second-factor-code').fill(new TOTP({ secret }).generate());
    await factor.getByTestId('second-factor-confirm').click();
    const [recoveryCode = ''] = (await factor.locator('[data-testid=recovery-codes] pre').innerText()).split('\n');
    await factor.getByTestId('recovery-codes-done').click();

    await page.getByTestId('add-passkey').click();
    await page.getByTestId('passkey-name').fill('This laptop');
    await page.getByTestId('passkey-password').fill(PASSWORD);
    await page.getByTestId('passkey-create').click();
    await page.getByTestId('passkey-row').getByText('This laptop').waitFor();
    expect(await inBothThemes(page)).toEqual([]);
    await page.getByTestId('sign-out').click();

    await signIn(page, 'kim', PASSWORD);
    await page.getByTestId('login-code').fill(recoveryCode);
    expect(await inBothThemes(page)).toEqual([]);
    await page.getByTestId('login-submit').click();
    await page.goto(`${base}/#/account`);
    await page.getByText('On. 9 recovery codes left').waitFor();
    await page.getByTestId('sign-out').click();

    await page.getByTestId('login-passkey').click();
    await page.goto(`${base}/#/account`);
    await page.getByTestId('remove-passkey').click();
    await page.getByTestId('passkey-row').waitFor({ state: 'detached' });
  });

  it('are signed out by the menu', async () => {
    await admin.getByTestId('account-menu').click();
    expect(await inBothThemes(admin)).toEqual([]);
    await admin.getByTestId('menu-sign-out').click();
    await admin.getByTestId('login-page').waitFor();
    expect(complaints.flat().filter((complaint) => !isRefusal(complaint))).toEqual([]);
  });
});

describe('without authentication', needs(browserMissing()), () => {
  it('nobody signs in, and scripts need no credentials', async () => {
    const { baseUrl, openPage } = await startApp();
    const { page } = await openPage();
    await page.goto(`${baseUrl}/#/api`);
    await page.getByTestId('credentials-off').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.getByTestId('account-menu').count()).toBe(0);
    const snippet = await page.getByTestId('snippet').innerText();
    expect((await run('bash', ['-c', snippet])).stdout).toBe('[]');
  });
});
