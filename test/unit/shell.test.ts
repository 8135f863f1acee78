import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { menuTemplate } from '../../src-main/shell/menu.ts';
import { serveRendererFile } from '../../src-main/shell/renderer-files.ts';
import { RestartPolicy } from '../../src-main/shell/restart-policy.ts';
import { shellTexts } from '../../src-main/shell/shell-texts.ts';
import { readWindowPlacement, writeWindowPlacement } from '../../src-main/shell/window-placement.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-shell-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('files of the renderer', () => {
  const get = (url: string, method = 'GET') =>
    serveRendererFile(join(folder, 'renderer'), new Request(url, { method }));

  beforeAll(() => {
    mkdirSync(join(folder, 'renderer', 'assets'), { recursive: true });
    mkdirSync(join(folder, 'renderer-private'));
    writeFileSync(join(folder, 'renderer', 'index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'renderer', 'assets', 'ünï code.js'), 'export {}');
    writeFileSync(join(folder, 'renderer', 'notes.txt'), 'no type, no file');
    writeFileSync(join(folder, 'secret.html'), 'secret');
    writeFileSync(join(folder, 'renderer-private', 'secret.html'), 'secret');
    symlinkSync(join(folder, 'secret.html'), join(folder, 'renderer', 'link.html'));
  });

  it('are served with their type and the strict policy', async () => {
    const page = await get('vitrine://app/');
    expect(page.status).toBe(200);
    expect(await page.text()).toBe('<!doctype html>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "object-src 'none'"]),
    );
    expect(policy.join()).not.toMatch(/unsafe-eval|script-src[^,]*unsafe|\*(?!,|$)/);
    const script = await get('vitrine://app/assets/%C3%BCn%C3%AF%20code.js?v=1#x');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    'vitrine://app/../secret.html',
    'vitrine://app/%2e%2e/secret.html',
    'vitrine://app/..%2fsecret.html',
    'vitrine://app/assets/..%2f..%2fsecret.html',
    'vitrine://app/..%5csecret.html',
    'vitrine://app/../renderer-private/secret.html',
    'vitrine://app/%00',
    'vitrine://app/%ff',
    'vitrine://app/link.html',
    'vitrine://app/assets',
    'vitrine://app/missing.js',
    'vitrine://app/notes.txt',
    'vitrine://other/index.html',
    'http://app/index.html',
    `vitrine://app/${encodeURIComponent('/etc/passwd')}`,
  ])('do not exist outside the folder: %s', async (url) => {
    const answer = await get(url);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('');
  });

  it('are only read', async () => {
    expect((await get('vitrine://app/', 'POST')).status).toBe(405);
    const head = await get('vitrine://app/', 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('the position of the window', () => {
  const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  const placement = { x: 40, y: 30, width: 1200, height: 800, is_maximized: false };

  it('is remembered', () => {
    const file = join(folder, 'desktop', 'window.json');
    expect(readWindowPlacement(file, screens)).toBeUndefined();
    writeWindowPlacement(file, placement);
    writeWindowPlacement(file, { ...placement, x: 50 });
    expect(readWindowPlacement(file, screens)).toEqual({ ...placement, x: 50 });
  });

  it.each([
    ['off the screen', { ...placement, x: 5000 }],
    ['above the screen', { ...placement, y: -400 }],
    ['too small', { ...placement, width: 10 }],
    ['not a number', { ...placement, x: '40' }],
    ['nothing', null],
    ['damaged', '{'],
  ])('is discarded when it is %s', (_what, stored) => {
    const file = join(folder, 'bad-window.json');
    writeFileSync(file, typeof stored === 'string' ? stored : JSON.stringify(stored));
    expect(readWindowPlacement(file, screens)).toBeUndefined();
  });
});

describe('the menu', () => {
  const flat = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
  const menu = (platform: NodeJS.Platform, isDevelopment: boolean, sent: string[] = [], language = 'en-GB') =>
    flat(
      menuTemplate({
        platform,
        appName: 'Vitrine',
        texts: shellTexts([language]),
        isDevelopment,
        hasUpdates: true,
        startsAtLogin: false,
        send: (command) => sent.push(command),
        open: (address) => sent.push(address),
        newWindow: () => sent.push('window'),
        setStartsAtLogin: () => sent.push('login'),
        openHelp: () => sent.push('help'),
        openApiPage: () => sent.push('api'),
        showLog: () => sent.push('log'),
        copyDiagnostics: () => sent.push('diagnostics'),
        checkForUpdates: () => sent.push('updates'),
      }),
    );

  it.each(['linux', 'win32', 'darwin'] as const)(
    'can quit, zoom and edit on %s, and reload only in development',
    (platform) => {
      const roles = (isDevelopment: boolean) => menu(platform, isDevelopment).map(({ role }) => role);
      expect(roles(false)).toEqual(expect.arrayContaining(['quit', 'zoomIn', 'editMenu', 'togglefullscreen']));
      expect(roles(false)).not.toEqual(expect.arrayContaining(['reload']));
      expect(roles(false)).not.toEqual(expect.arrayContaining(['toggleDevTools']));
      expect(roles(true)).toEqual(expect.arrayContaining(['reload', 'toggleDevTools']));
    },
  );

  it.each(['linux', 'win32', 'darwin'] as const)('is wholly in the language of the system on %s', (platform) => {
    const labels = (language: string) =>
      menu(platform, false, [], language)
        .filter(({ type }) => type !== 'separator')
        .map(({ label }) => label);
    const [english, german] = [labels('en'), labels('de')];
    expect(english).not.toContain(undefined);
    // Some names are the same in both languages.
    const same = ['Vitrine'];
    for (const [at, label] of german.entries()) if (label === english[at]) expect(same).toContain(label);
  });

  it.each(['linux', 'win32', 'darwin'] as const)('has each command once on %s, each shortcut for one', (platform) => {
    const sent: string[] = [];
    const items = menu(platform, false, sent);
    for (const { click } of items) (click as ((item: { checked: boolean }) => void) | undefined)?.({ checked: true });
    expect(sent.toSorted()).toEqual(
      [
        ...['/', '/models', '/settings', '/tasks', 'api', 'diagnostics', 'help', 'log', 'login', 'new_dataset'],
        ...['open_palette', 'show_shortcuts', 'toggle_theme', 'updates', 'window'],
      ].toSorted(),
    );
    const shortcuts = items.map(({ accelerator }) => accelerator).filter((one) => one !== undefined);
    expect(new Set(shortcuts).size).toBe(shortcuts.length);
    expect(shortcuts.some((one) => one.startsWith('Cmd+'))).toBe(platform === 'darwin');
  });
});

describe('texts of the shell', () => {
  it('are in the first language of the system that exists here', () => {
    expect(shellTexts(['fr-FR', 'de-AT', 'en']).quit).toBe('Beenden');
    expect(shellTexts(['en-GB', 'de']).quit).toBe('Quit');
    expect(shellTexts(['fr']).quit).toBe('Quit');
    expect(shellTexts(['de']).running_at(2, 40)).toBe('2 Aufgaben laufen, 40 %');
  });
});

describe('a core that has crashed', () => {
  it('is started again after growing waits, and no more after the fifth', () => {
    const policy = new RestartPolicy();
    const waits = Array.from({ length: 6 }, () => policy.afterCrash(1000));
    expect(waits.slice(0, 5)).toEqual([...waits.slice(0, 5)].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(waits[0]).toBeLessThan(1000);
    expect(waits[5]).toBeUndefined();
    policy.forgive();
    expect(policy.afterCrash(1000)).toBe(waits[0]);
  });

  it('is forgiven earlier crashes when it was well for long', () => {
    const policy = new RestartPolicy();
    const first = policy.afterCrash(1000);
    expect(policy.afterCrash(1000)).not.toBe(first);
    expect(policy.afterCrash(60 * 60_000)).toBe(first);
  });
});
