import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/api.ts';
import { browserMissing } from '../support/browser.ts';
import { DESKTOP_ENTRY, type Desktop, launchDesktop } from '../support/electron-stand-in/launch-desktop.ts';
import { findMedia } from '../support/media.ts';
import { missingAmong, needs } from '../support/needs.ts';

/*
 * The built desktop app as it ships, with a stand-in for the `electron` module: the real main process, preload, IPC and renderer, in a
 * real Chromium. What Electron itself does (sandbox, isolated worlds) is requested here, but not verified.
 */

const N_PHOTOS = 24;
const INDEXING_LIMIT_MS = 120_000;

const media = findMedia();
const app = existsSync(DESKTOP_ENTRY) ? undefined : 'the app is not built: npm run build';
const missing = missingAmong(browserMissing(), app, media);

interface WindowState {
  options: { show: boolean; webPreferences: Record<string, unknown> };
  isVisible: boolean;
  focusCount: number;
  url: string;
}

interface Recorded {
  what: string;
  details: Record<string, unknown>;
}

let folder = '';
const running: Desktop[] = [];

function launch(dataFolder: string, words: readonly string[] = []): Desktop {
  const desktop = launchDesktop(dataFolder, words);
  running.push(desktop);
  return desktop;
}

async function recorded(desktop: Desktop, what: string): Promise<Recorded['details'][]> {
  const all = await desktop.ask<Recorded[]>('recorded');
  return all.filter((entry) => entry.what === what).map(({ details }) => details);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-desktop-'));
  if (missing !== undefined || 'missing' in media) return;
  const source = join(media.root, 'photos', 'coco');
  mkdirSync(join(folder, 'photos'));
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jpg'));
  for (const [index, name] of names.sort().slice(0, N_PHOTOS).entries()) {
    copyFileSync(join(source, name), join(folder, 'photos', `${index}.jpg`));
  }
});

afterEach(async () => {
  for (const desktop of running.splice(0)) await desktop.kill();
});

// The browser's processes may still be writing.
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

describe('the desktop app', needs(missing), () => {
  it('turns a chosen folder into clusters over IPC, and leaves no process running', {
    timeout: 240_000,
  }, async () => {
    const dataFolder = join(folder, 'journey');
    const desktop = launch(dataFolder);
    const page = await desktop.page();
    const fetched = watchFetches(page);
    await page.getByTestId('first-run').waitFor();

    const [window] = await desktop.ask<WindowState[]>('windows');
    expect(window).toMatchObject({ url: 'vitrine://app/', isVisible: true, options: { show: false } });
    expect(window?.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });

    await desktop.ask('answer_dialog', [join(folder, 'photos')]);
    await desktop.ask('click_menu', 'New Dataset…');
    await page.getByTestId('choose-folder').click();
    await page.getByTestId('dataset-name').fill('Twenty-four photos');
    await page.getByTestId('create-dataset').click();
    const tiles = page.getByTestId('cluster-tile');
    await tiles.first().waitFor({ timeout: INDEXING_LIMIT_MS });
    expect(await recorded(desktop, 'open_dialog')).toEqual([
      expect.objectContaining({ properties: ['openDirectory'] }),
    ]);

    const datasets = await page.evaluate('window.vitrine.invoke("list_datasets", {})');
    expect(datasets).toMatchObject({ ok: true, result: [{ status: 'READY', n_images: N_PHOTOS }] });
    const cover = page.locator('[data-testid="cover"][data-state="shown"]').first();
    expect(await cover.evaluate((element) => getComputedStyle(element).backgroundImage)).toMatch(
      /^url\("http:\/\/127\.0\.0\.1:\d+\/api\/v1\//,
    );

    const calls = await desktop.ask<{ channel: string; first: unknown }[]>('ipc_calls');
    expect(calls).toContainEqual({ channel: 'vitrine:subscribe', first: true });
    expect(calls).toContainEqual({ channel: 'vitrine:invoke', first: 'create_dataset' });
    expect(fetched).toEqual([]);
    expect(await recorded(desktop, 'page_error')).toEqual([]);

    const processes = descendants(desktop.pid);
    expect(processes.length).toBeGreaterThan(2);
    await desktop.ask('quit');
    expect(await desktop.exited).toBe(0);
    await until(async () => processes.every((pid) => !isRunning(pid)));
    expect(desktop.output()).not.toMatch(/error|did not close/i);
  });

  it('indexes chosen files in place', { timeout: 240_000 }, async () => {
    const desktop = launch(join(folder, 'picked'));
    const page = await desktop.page();
    const call = async <T>(operation: string, input: object): Promise<T> => {
      const callText = `window.vitrine.invoke(${JSON.stringify(operation)}, ${JSON.stringify(input)})`;
      const reply = (await page.evaluate(callText)) as { ok: boolean; result: T };
      expect(reply, operation).toMatchObject({ ok: true });
      return reply.result;
    };
    const files = readdirSync(join(folder, 'photos')).map((fileName) => {
      const path = join(folder, 'photos', fileName);
      return { path, file_name: fileName, size_bytes: statSync(path).size, owned: true };
    });
    const { dataset_id } = await call<{ dataset_id: string }>('new_dataset', { dataset_name: 'Picked' });
    const { trans_id } = await call<{ trans_id: number }>('open_transaction', { dataset_id });
    const transaction = { dataset_id, transaction_id: trans_id };
    expect(await call('upload_files', { ...transaction, files })).toMatchObject({ accepted: N_PHOTOS, refused: [] });
    await call('process_files', transaction);
    await until(
      async () => {
        const dataset = await call<{ status: string; n_images: number }>('get_dataset', { dataset_id });
        return dataset.status === 'READY' && dataset.n_images === N_PHOTOS;
      },
      Boolean,
      INDEXING_LIMIT_MS,
    );
    expect(files.every(({ path, size_bytes }) => statSync(path).size === size_bytes)).toBe(true);
  });

  it('refuses navigation, new windows, permissions and foreign scripts', async () => {
    const desktop = launch(join(folder, 'locked'));
    const page = await desktop.page();
    await page.getByTestId('first-run').waitFor();
    const address = page.url();
    await page.reload();
    await page.getByTestId('first-run').waitFor();
    const violations = page.evaluate(
      'new Promise((resolve) => addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective)))',
    );
    await page.evaluate('location.href = "https://example.org/"');
    await page.evaluate('open("https://example.org/") === null');
    await page.evaluate(
      'document.body.append(Object.assign(document.createElement("script"), { textContent: "window.foreign = 1" }))',
    );
    expect(await violations).toBe('script-src-elem');
    await until(
      async () => (await recorded(desktop, 'popup')).length > 0 && (await recorded(desktop, 'navigation')).length > 0,
    );
    expect(await recorded(desktop, 'navigation')).toEqual([
      { url: 'vitrine://app/', is_prevented: false },
      { url: 'https://example.org/', is_prevented: true },
    ]);
    expect(await recorded(desktop, 'popup')).toEqual([{ action: 'deny' }]);
    expect(await recorded(desktop, 'open_external')).toEqual([]);
    await expect.poll(() => page.url()).toBe(address);
    await expect.poll(() => page.evaluate('window.foreign')).toBeUndefined();
    const granted = (permission: string, url: string) => desktop.ask<boolean>('permission', { permission, url });
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'fileSystem',
      'openExternal',
    ]) {
      expect(await granted(permission, 'vitrine://app/')).toBe(false);
    }
    expect(await granted('loopback-network', 'vitrine://app/')).toBe(true);
    expect(await granted('loopback-network', 'https://example.org/')).toBe(false);
    expect(await granted('loopback-network', 'vitrine://apparently/')).toBe(false);

    // Ctrl-click on a tile opens its address in the user's browser.
    await page.evaluate('open("#/tasks") === null');
    await until(async () => (await recorded(desktop, 'open_external')).length > 0);
    expect(await recorded(desktop, 'open_external')).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#\/tasks$/),
    ]);
  });

  it('runs once per data folder: a second start shows the window of the first', async () => {
    const first = launch(join(folder, 'once'));
    await first.page();
    const [before] = await first.ask<WindowState[]>('windows');
    const second = launch(join(folder, 'once'));
    expect(await second.exited).toBe(0);
    await until(async () => {
      const [after] = await first.ask<WindowState[]>('windows');
      return (after?.focusCount ?? 0) > (before?.focusCount ?? 0);
    });
    expect(await first.ask<WindowState[]>('windows')).toHaveLength(1);
  });

  it('goes on after its core has crashed: the window says so, and works again', { timeout: 120_000 }, async () => {
    const desktop = launch(join(folder, 'core-crash'));
    const page = await desktop.page();
    await page.getByTestId('first-run').waitFor();
    const cores = async () =>
      (await recorded(desktop, 'utility')).filter(({ serviceName }) => serviceName === 'Vitrine core').length;
    expect(await cores()).toBe(1);
    const makeSample = async () => {
      const reply = (await page.evaluate(
        `window.vitrine.invoke("create_sample_dataset", ${JSON.stringify({ dataset_name: 'Sample' })})`,
      )) as { ok: boolean };
      expect(reply).toMatchObject({ ok: true });
    };
    const before = descendants(desktop.pid);
    await desktop.ask('kill_utility', 'Vitrine core');
    await page.getByTestId('connection-banner').waitFor();
    await page.getByTestId('connection-banner').waitFor({ state: 'hidden' });
    expect(await cores()).toBe(2);
    expect(readdirSync(join(folder, 'core-crash', 'desktop', 'crashes'))).toContainEqual(
      expect.stringMatching(/-core\.txt$/),
    );
    expect(await recorded(desktop, 'crash_reporter')).toEqual([{ uploadToServer: false }]);
    // Events of the new core reach the same page.
    await makeSample();
    await page.getByText('Sample').first().waitFor();
    expect(await desktop.ask<WindowState[]>('windows')).toHaveLength(1);
    expect(await recorded(desktop, 'message_box')).toEqual([]);
    expect(before.length).toBeGreaterThan(0);
    await desktop.ask('quit');
    expect(await desktop.exited).toBe(0);
    await until(async () => before.every((pid) => !isRunning(pid)));
  });

  it('shows work in tray and taskbar, notifies of its end, and finds the file of an item', {
    timeout: 240_000,
  }, async () => {
    const dataFolder = join(folder, 'shell');
    const desktop = launch(dataFolder, ['vitrine://tasks']);
    const page = await desktop.page();
    await expect.poll(() => page.url()).toMatch(/#\/tasks$/);
    const call = async <T>(operation: string, input: object): Promise<T> => {
      const text = `window.vitrine.invoke(${JSON.stringify(operation)}, ${JSON.stringify(input)})`;
      const reply = (await page.evaluate(text)) as { ok: boolean; result: T };
      expect(reply, operation).toMatchObject({ ok: true });
      return reply.result;
    };
    interface TrayState {
      toolTip: string;
      isEmpty: boolean;
    }
    const tray = () => desktop.ask<TrayState>('tray');
    await until(tray, ({ toolTip }) => toolTip === 'Vitrine: Nothing is running');
    expect((await tray()).isEmpty).toBe(false);
    const { dataset_id } = await call<{ dataset_id: string }>('create_dataset', {
      ...{ dataset_name: 'Photos', bucket_path: join(folder, 'photos') },
    });
    await until(tray, ({ toolTip }) => /1 task running/.test(toolTip));
    await until(
      () => call<{ status: string }>('get_dataset', { dataset_id }),
      ({ status }) => status === 'READY',
      INDEXING_LIMIT_MS,
    );

    // A folder that another program opens is offered as a new dataset.
    const second = launch(dataFolder, [join(folder, 'photos')]);
    expect(await second.exited).toBe(0);
    await page.getByTestId('create-dataset').waitFor();
    await page.keyboard.press('Escape');

    const { items } = await call<{ items: { media_id: string; original_uri: string }[] }>('list_items', { dataset_id });
    const [first] = items;
    const file = (action: string, address: string | undefined) =>
      page.evaluate(`window.vitrine.itemFile(${JSON.stringify(action)}, ${JSON.stringify(address)})`);
    expect(await file('reveal', first?.original_uri)).toBe(true);
    expect(await file('copy_path', first?.original_uri)).toBe(true);
    expect(await file('drag', first?.original_uri)).toBe(true);
    expect(await file('reveal', '/etc/passwd')).toBe(false);
    expect(await file('reveal', first?.original_uri.replace('signature=', 'signature=0'))).toBe(false);
    expect(await file('delete', first?.original_uri)).toBe(false);
    const shown = await recorded(desktop, 'show_item');
    expect(shown).toEqual([expect.stringMatching(new RegExp(`^${join(folder, 'photos')}/\\d+\\.jpg$`))]);
    expect(await recorded(desktop, 'clipboard')).toEqual(shown);
    expect(await recorded(desktop, 'drag')).toEqual(shown);

    // Excluded items: their files go to the trash after one confirmation, and back.
    const [one, two] = items.slice(0, 2).map(({ media_id }) => media_id);
    const mediaSelection = [{ type: 'media', payload: { media_ids: [one, two] } }];
    await call('exclude', { dataset_id, media_selection: mediaSelection });
    const excluded = encodeURIComponent(JSON.stringify([{ excluded: { op: 'is', value: true } }]));
    await page.evaluate(`location.hash = "#/dataset/${dataset_id}?flat=created&vql=${excluded}"`);
    await page.getByTestId('move-to-trash').click();
    await expect.poll(() => page.getByTestId('trash-files').getByRole('listitem').allTextContents()).toHaveLength(2);
    const names = await page.getByTestId('trash-files').getByRole('listitem').allTextContents();
    const paths = names.map((name) => join(folder, 'photos', name));
    expect(paths.every((path) => existsSync(path))).toBe(true);
    expect(await recorded(desktop, 'trash')).toEqual([]);
    await page.getByTestId('confirm-trash').click();
    await page.getByText('2 files moved to the trash').waitFor();
    expect(await recorded(desktop, 'trash')).toEqual(paths);
    expect(paths.some((path) => existsSync(path))).toBe(false);
    await page.getByTestId('notice-action').click();
    await page.getByText('2 files moved back from the trash.').waitFor();
    expect(paths.every((path) => existsSync(path))).toBe(true);
    const trash = (action: string, address: string | undefined) =>
      page.evaluate(`window.vitrine.trashFile(${JSON.stringify(action)}, ${JSON.stringify(address)})`);
    expect(await trash('move', paths[0])).toBe('no_file');
    expect(await trash('restore', first?.original_uri)).toBe('no_file');
    expect(await recorded(desktop, 'trash')).toHaveLength(2);
    await call('include', { dataset_id, media_selection: mediaSelection });

    await desktop.ask('click_menu', 'Copy Diagnostics');
    await until(async () => (await recorded(desktop, 'clipboard')).length > 1);
    const [, diagnostics] = await recorded(desktop, 'clipboard');
    expect(diagnostics).toContain(`images: ${N_PHOTOS}`);
    expect(diagnostics).not.toMatch(/Photos|photos/);
    await desktop.ask('click_menu', 'Show Log');
    await page.getByTestId('log-line').filter({ hasText: 'listening' }).waitFor();
    await page.getByTestId('log-level').getByText('Errors').click();
    await page.getByText('No lines').waitFor();
    await page.getByTestId('open-log').click();
    await until(async () => (await recorded(desktop, 'open_path')).length > 0);
    expect(await recorded(desktop, 'open_path')).toEqual([join(dataFolder, 'logs', 'vitrine.log')]);

    await desktop.ask('click_menu', 'New Window');
    await until(async () => (await desktop.ask<WindowState[]>('windows')).length === 2);
    await desktop.ask('quit');
    expect(await desktop.exited).toBe(0);
    const again = launch(dataFolder);
    await again.page();
    await until(async () => (await again.ask<WindowState[]>('windows')).length === 2);
  });

  it('reloads its page after a crash, and remembers the position of its window', async () => {
    const dataFolder = join(folder, 'crash');
    const desktop = launch(dataFolder);
    const page = await desktop.page();
    await page.getByTestId('first-run').waitFor();
    await desktop.ask('crash_page');
    await until(async () => {
      const current = await desktop.page();
      return current !== page && (await current.getByTestId('first-run').isVisible());
    });
    expect(await recorded(desktop, 'reload')).toHaveLength(1);
    expect(await recorded(desktop, 'error_box')).toEqual([]);

    await desktop.ask('set_bounds', { x: 70, y: 60, width: 1000, height: 700 });
    await desktop.ask('close_window');
    expect(await desktop.exited).toBe(0);
    expect(JSON.parse(readFileSync(join(dataFolder, 'desktop', 'window.json'), 'utf8'))).toEqual({
      ...{ x: 70, y: 60, width: 1000, height: 700 },
      is_maximized: false,
    });
    const again = launch(dataFolder);
    await again.page();
    const [window] = await again.ask<WindowState[]>('windows');
    expect(window?.options).toMatchObject({ x: 70, y: 60, width: 1000, height: 700 });
  });
});

/** API addresses that the page requests by script, which it must not do, since it has IPC. Images do not count. */
function watchFetches(page: Page): string[] {
  const fetched: string[] = [];
  page.on('request', (request) => {
    const byScript = ['fetch', 'xhr', 'eventsource', 'websocket'].includes(request.resourceType());
    if (byScript && request.url().includes('/api/')) fetched.push(request.url());
  });
  return fetched;
}

/** Ids of all descendants of a process. */
function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function parentOf(pid: number): number | undefined {
  const statusFile = `/proc/${pid}/status`;
  if (!existsSync(statusFile)) return undefined;
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(statusFile, 'utf8'))?.[1]);
}

function isRunning(pid: number): boolean {
  const statusFile = `/proc/${pid}/status`;
  return existsSync(statusFile) && !/^State:\s+Z/m.test(readFileSync(statusFile, 'utf8'));
}
