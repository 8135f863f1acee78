import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { writeCrashReport } from '../../src-main/shell/crash-reports.ts';
import { addressOfLink, openingOf } from '../../src-main/shell/deep-link.ts';
import { diagnosticsText } from '../../src-main/shell/diagnostics.ts';
import { restoreFromTrash } from '../../src-main/shell/linux-trash.ts';
import { autostartEntry } from '../../src-main/shell/login-start.ts';
import { shellTexts } from '../../src-main/shell/shell-texts.ts';
import { startUpdates } from '../../src-main/shell/updates.ts';
import { WorkWatch, workOf } from '../../src-main/shell/work-watch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ID = '6f1c1f9e-5f0f-4a37-9a0c-1f1f1f1f1f1f';

describe('links', () => {
  it.each([
    [`vitrine://dataset/${ID}`, `/dataset/${ID}`],
    [`vitrine://dataset/${ID}?threshold=3&label=a%20b`, `/dataset/${ID}?threshold=3&label=a%20b`],
    ['vitrine://tasks', '/tasks'],
    ['vitrine://tasks/', '/tasks'],
  ])('%s opens %s', (link, address) => expect(addressOfLink(link)).toBe(address));

  it.each([
    'vitrine://app/index.html',
    'https://dataset/1',
    'javascript:alert(1)',
    'vitrine://user@dataset/1',
    'vitrine://dataset/a;b',
    `vitrine://dataset/${'a'.repeat(5000)}`,
    'file:///etc/passwd',
    'vitrine:',
  ])('%s opens nothing', (link) => expect(addressOfLink(link)).toBeUndefined());

  it('are preferred to folders among the arguments of a start', () => {
    const isFolder = (path: string) => path === '/photos';
    expect(openingOf(['/photos', 'vitrine://tasks'], isFolder)).toEqual({ address: '/tasks' });
    expect(openingOf(['x', '/photos'], isFolder)).toEqual({ folder: '/photos' });
    expect(openingOf(['x'], isFolder)).toBeUndefined();
  });
});

describe('work', () => {
  const task = (id: string, part: Partial<Task> = {}) =>
    ({
      ...{ task_id: id, dataset_id: ID, dataset_name: 'Photos', status: 'RUNNING', status_message: 'Done' },
      ...{ progress_percentage: null, error_message: null, end_time: null, start_time: '2030-01-01T00:00:00.000Z' },
      ...part,
    }) as Task;
  const ended = (id: string, part: Partial<Task> = {}) =>
    task(id, { status: 'COMPLETED', end_time: '2030-01-01T00:01:00.000Z', ...part });

  it('is the mean of what is known', () => {
    expect(workOf([])).toEqual({ nRunning: 0, fraction: undefined, isPaused: false });
    expect(workOf([task('a'), ended('b')])).toEqual({ nRunning: 1, fraction: undefined, isPaused: false });
    const tasks = [task('a', { progress_percentage: 20 }), task('b', { progress_percentage: 40 }), task('c')];
    expect(workOf(tasks).nRunning).toBe(3);
    expect(workOf(tasks).fraction).toBeCloseTo(0.3);
  });

  it('is noticed when it ends, once, unless it was short, aborted or over before', () => {
    const watch = new WorkWatch(shellTexts(['en']));
    expect(watch.ended([task('a'), task('b'), task('c'), task('d'), ended('e')])).toEqual([]);
    const after = [
      ended('a'),
      ended('b', { status: 'FAILED', error_message: 'The disk is full' }),
      ended('c', { status: 'ABORTED' }),
      ended('d', { end_time: '2030-01-01T00:00:02.000Z' }),
      ended('e'),
    ];
    expect(watch.ended(after)).toEqual([
      { title: 'Photos: finished', text: 'Done', address: `/dataset/${ID}` },
      { title: 'Photos: failed', text: 'The disk is full', address: '/tasks' },
    ]);
    expect(watch.ended(after)).toEqual([]);
  });
});

describe('reports', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  it('of crashes stay on this computer, as text, the latest twenty', () => {
    const crashes = join(folder, 'crashes');
    for (let second = 0; second < 23; second += 1) {
      const at = new Date(Date.UTC(2030, 0, 1, 0, 0, second));
      writeCrashReport(crashes, { what: 'core', reason: 'ended', exit_code: 139 }, { vitrine: '1.2.3' }, at);
    }
    const files = readdirSync(crashes).sort();
    expect(files).toHaveLength(20);
    const text = readFileSync(join(crashes, files[0] ?? ''), 'utf8');
    expect(text).toBe('time: 2030-01-01T00:00:03.000Z\nwhat: core\nreason: ended\nexit_code: 139\nvitrine: 1.2.3\n');
  });

  it('of problems name no file, dataset, label or address', () => {
    const log = join(folder, 'vitrine.log');
    const secret = {
      dataset: 'Patients',
      path: '/home/ann/patients/1.jpg',
      label: 'melanoma',
      url: 'http://10.0.0.7/',
    };
    const lines = [
      { level: 30, time: 't1', msg: 'listening', ...secret },
      {
        level: 50,
        time: 't2',
        msg: 'compute job failed',
        ...secret,
        err: { type: 'Error', code: 'ENOENT', message: secret.path, stack: secret.path },
      },
    ].map((line) => JSON.stringify(line));
    writeFileSync(log, [...lines, '{"level":50,"ti'].join('\n'));
    mkdirSync(join(folder, 'crashes'));
    writeFileSync(join(folder, 'crashes', '2030-core.txt'), secret.path);
    const text = diagnosticsText('1.2.3', { datasets: 2, images: 10 }, log, join(folder, 'crashes'));
    expect(text).toContain('vitrine: 1.2.3');
    expect(text).toContain('datasets: 2');
    expect(text).toContain('t2 compute job failed Error ENOENT');
    expect(text).toContain('2030-core.txt');
    expect(text).not.toContain('listening');
    for (const word of Object.values(secret)) expect(text).not.toContain(word);
    expect(existsSync(log)).toBe(true);
  });
});

describe('updates', () => {
  const load = () => Promise.reject(new Error('loaded'));
  const log = () => undefined;
  const say = () => undefined;
  const texts = shellTexts(['en']);

  it('are off in development and without a feed: the updater is not even loaded', async () => {
    const feed = 'https://updates.example.org/';
    expect(await startUpdates({ texts, isPackaged: false, feed, hasOwnFeed: true, load, say, log })).toBeUndefined();
    expect(
      await startUpdates({ texts, isPackaged: true, feed: undefined, hasOwnFeed: false, load, say, log }),
    ).toBeUndefined();
    await expect(startUpdates({ texts, isPackaged: true, feed, hasOwnFeed: false, load, say, log })).rejects.toThrow(
      'loaded',
    );
  });
});

it('starts at login by a desktop file whose program may have spaces, quotes and per cent', () => {
  expect(autostartEntry('/opt/My Apps/100% "fun"')).toContain('\nExec="/opt/My Apps/100%% \\"fun\\""\n');
});

describe('the trash of Linux', () => {
  const trashed = (trash: string, name: string, written: string, date: string, contents = name) => {
    for (const part of ['files', 'info']) mkdirSync(join(trash, part), { recursive: true });
    writeFileSync(join(trash, 'files', name), contents);
    const info = `[Trash Info]\nPath=${encodeURI(written)}\nDeletionDate=${date}\n`;
    writeFileSync(join(trash, 'info', `${name}.trashinfo`), info);
  };

  it('returns the file that was last moved from a path, also if its folder is gone', async () => {
    const home = await temporaryFolder();
    const path = join(home, 'photos', 'ein Bild ä.jpg');
    const trash = join(home, 'data', 'Trash');
    trashed(trash, 'ein Bild ä.jpg', path, '2030-01-01T10:00:00');
    trashed(trash, 'ein Bild ä.2.jpg', path, '2030-01-02T10:00:00');
    trashed(trash, 'ein Bild ä.3.jpg', join(home, 'others', 'ein Bild ä.jpg'), '2030-01-03T10:00:00');
    const environment = { XDG_DATA_HOME: join(home, 'data') };
    expect(await restoreFromTrash(path, environment)).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('ein Bild ä.2.jpg');
    expect(readdirSync(join(trash, 'info'))).toEqual(
      expect.arrayContaining(['ein Bild ä.jpg.trashinfo', 'ein Bild ä.3.jpg.trashinfo']),
    );
    expect(readdirSync(join(trash, 'files'))).toHaveLength(2);
    // A file that is there is not replaced.
    expect(await restoreFromTrash(path, environment)).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('ein Bild ä.2.jpg');
  });

  it('is found at the top of another drive, with paths relative to that', async () => {
    const home = await temporaryFolder();
    const drive = join(home, 'drive');
    const path = join(drive, 'photos', 'a.jpg');
    trashed(join(drive, `.Trash-${process.getuid?.()}`), 'a.jpg', 'photos/a.jpg', '2030-01-01T10:00:00');
    expect(await restoreFromTrash(path, { XDG_DATA_HOME: join(home, 'data') })).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('a.jpg');
    expect(await restoreFromTrash(join(drive, 'b.jpg'), { XDG_DATA_HOME: join(home, 'data') })).toBe(false);
  });
});
