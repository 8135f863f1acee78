import { spawn } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FolderWatcher, watchFolder } from '../../../src-main/infra/watch/folder-watcher.ts';
import type { FolderChanges, WatchedFile, WatchFolderOptions } from '../../../src-main/infra/watch/watch-settings.ts';
import { until } from '../../support/api.ts';
import { needs } from '../../support/needs.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A watcher and a receiver that records its changes as a dataset would. */
interface Watching {
  watcher: FolderWatcher;
  batches: FolderChanges[];
  states: string[];
  recorded: Map<string, WatchedFile>;
  /** Waits for a state after the states seen so far. */
  next(state: string): Promise<void>;
  /** Waits until exactly these files are recorded. */
  records(...filePaths: string[]): Promise<void>;
}

function startWatching(
  root: string,
  options: Partial<WatchFolderOptions> = {},
  recorded = new Map<string, WatchedFile>(),
): Watching {
  const batches: FolderChanges[] = [];
  const states: string[] = [];
  let read = 0;
  let busy = false;
  const watcher = watchFolder({
    root,
    exclude: [],
    settle_ms: 60,
    quiet_ms: 40,
    root_check_ms: 40,
    retry_ms: 20,
    log: silentLog,
    signal: new AbortController().signal,
    known: async function* () {
      yield [...recorded.values()];
    },
    onState: (state) => states.push(state),
    ...options,
    onBatch: async (changes) => {
      expect(busy).toBe(false);
      busy = true;
      try {
        await options.onBatch?.(changes);
      } finally {
        busy = false;
      }
      batches.push(changes);
      for (const file of changes.added_or_changed) recorded.set(file.file_path, file);
      for (const filePath of changes.removed) recorded.delete(filePath);
    },
  });
  onTestFinished(() => watcher.close());
  return {
    watcher,
    batches,
    states,
    recorded,
    next: async (state) => {
      await until(
        () => states.indexOf(state, read),
        (index) => index >= 0,
        20_000,
      );
      read = states.indexOf(state, read) + 1;
    },
    records: async (...filePaths) => {
      const expected = filePaths.sort().join('\n');
      await until(
        () => [...recorded.keys()].sort().join('\n'),
        (found) => found === expected,
        20_000,
      );
    },
  };
}

async function put(root: string, filePath: string, content = filePath): Promise<void> {
  await mkdir(dirname(join(root, filePath)), { recursive: true });
  await writeFile(join(root, filePath), content);
}

const removedIn = (batches: FolderChanges[]) => batches.flatMap((batch) => batch.removed);
const addedIn = (batches: FolderChanges[]) =>
  batches.flatMap((batch) => batch.added_or_changed.map((file) => file.file_path));

describe.each(['events', 'polling'])('by %s', (way) => {
  const ways = way === 'polling' ? { poll_only: true, poll_ms: 30 } : {};

  test('changes while closed are found at start', async () => {
    const root = await temporaryFolder();
    for (const name of ['same.jpg', 'changed.jpg', 'new/a.png', 'new/notes.txt', '.hidden/x.jpg', 'Thumbs.db'])
      await put(root, name);
    const { size, mtimeMs } = await stat(join(root, 'same.jpg'));
    const recorded = new Map(
      ['same.jpg', 'changed.jpg', 'gone.jpg'].map((filePath) => [
        filePath,
        { file_path: filePath, size_bytes: size, mtime_ms: Math.floor(mtimeMs) },
      ]),
    );
    const { batches, records, states } = startWatching(root, ways, recorded);
    await records('same.jpg', 'changed.jpg', 'new/a.png');
    expect(addedIn(batches).sort()).toEqual(['changed.jpg', 'new/a.png']);
    expect(removedIn(batches)).toEqual(['gone.jpg']);
    expect(states).toEqual(['scanning', 'watching']);
  });

  test('files are added, changed, renamed and deleted', async () => {
    const root = await temporaryFolder();
    const { batches, records, recorded, next } = startWatching(root, ways);
    await next('watching');
    const names = ['a.jpg', 'sub/deep/b.PNG', 'Grüße 日本/🐈 é.webp', 'clip.mp4'];
    for (const name of [...names, 'notes.txt', 'sub/.c.jpg', '.trash/d.jpg', '@eaDir/e.jpg']) await put(root, name);
    await records(...names);
    expect(recorded.get('a.jpg')).toMatchObject({ size_bytes: 5 });

    await put(root, 'a.jpg', 'changed content');
    await until(
      () => recorded.get('a.jpg')?.size_bytes,
      (size) => size === 15,
    );

    await rename(join(root, 'a.jpg'), join(root, 'z.jpg'));
    await records('z.jpg', ...names.slice(1));
    expect(batches.at(-1)).toMatchObject({
      added_or_changed: [{ file_path: 'z.jpg', size_bytes: 15 }],
      removed: ['a.jpg'],
    });

    await rename(join(root, 'sub'), join(root, 'moved'));
    await records('z.jpg', 'moved/deep/b.PNG', ...names.slice(2));

    await rm(join(root, 'moved'), { recursive: true });
    await rm(join(root, 'clip.mp4'));
    await records('z.jpg', 'Grüße 日本/🐈 é.webp');
    await rm(join(root, 'z.jpg'));
    await rm(join(root, 'Grüße 日本'), { recursive: true });
    await records();
  });

  test('a growing file is reported when it stops changing', async () => {
    const root = await temporaryFolder();
    const { batches, records, next } = startWatching(root, { ...ways, settle_ms: 400 });
    await next('watching');
    for (let pieces = 0; pieces < 20; pieces += 1) {
      await appendFile(join(root, 'slow.jpg'), 'x'.repeat(1000));
      await new Promise((later) => setTimeout(later, 20));
    }
    await records('slow.jpg');
    expect(batches).toEqual([{ added_or_changed: [expect.objectContaining({ size_bytes: 20_000 })], removed: [] }]);
  });

  test('a root that disappears is offline, and nothing is removed', async () => {
    const home = await temporaryFolder();
    const root = join(home, 'drive');
    for (let index = 0; index < 20; index += 1) await put(root, `d${index % 3}/${index}.jpg`);
    const { batches, next, recorded } = startWatching(root, ways);
    await until(
      () => recorded.size,
      (size) => size === 20,
    );
    await next('watching');
    await rename(root, join(home, 'unplugged'));
    await next('offline');
    await put(home, 'unplugged/while-away.jpg');
    await rm(join(home, 'unplugged', 'd0', '0.jpg'));
    expect(removedIn(batches)).toEqual([]);
    await rename(join(home, 'unplugged'), root);
    await next('watching');
    await until(() => recorded.has('while-away.jpg'), Boolean);
    await until(
      () => removedIn(batches).length,
      (count) => count > 0,
    );
    expect(removedIn(batches)).toEqual(['d0/0.jpg']);
    expect(addedIn(batches).filter((name) => name === 'd1/1.jpg')).toHaveLength(1);

    // An empty mount point remains after the drive was unplugged.
    await rename(root, join(home, 'unplugged'));
    await mkdir(root);
    await next('offline');
    await rm(root, { recursive: true });
    await rename(join(home, 'unplugged'), root);
    await next('watching');
    await put(root, 'last.jpg');
    await until(() => recorded.has('last.jpg'), Boolean);
    expect(removedIn(batches)).toEqual(['d0/0.jpg']);
    expect([...recorded.keys()]).toHaveLength(21);
  });
});

test('a root that is missing or empty at start is offline until it exists', async () => {
  const home = await temporaryFolder();
  const root = join(home, 'drive');
  const recorded = new Map([['a.jpg', { file_path: 'a.jpg', size_bytes: 5, mtime_ms: 1 }]]);
  const { batches, next, states } = startWatching(root, {}, recorded);
  await next('offline');
  await mkdir(root);
  await next('scanning');
  await next('offline');
  await put(root, 'b.jpg');
  await next('watching');
  await until(
    () => batches.length,
    (count) => count === 1,
  );
  expect(batches[0]).toMatchObject({ added_or_changed: [{ file_path: 'b.jpg' }], removed: ['a.jpg'] });
  expect(states).toEqual(['offline', 'scanning', 'offline', 'scanning', 'watching']);
});

test('all deletions in an existing folder are reported', async () => {
  const root = await temporaryFolder();
  for (let index = 0; index < 30; index += 1) await put(root, `${index}.jpg`);
  const { records, recorded } = startWatching(root);
  await until(
    () => recorded.size,
    (size) => size === 30,
  );
  for (const name of await readdir(root)) await rm(join(root, name));
  await records();
});

test('2,000 files at once are reported in few batches', async () => {
  const root = await temporaryFolder();
  const { batches, recorded, next } = startWatching(root, { settle_ms: 200, quiet_ms: 200 });
  await next('watching');
  for (let index = 0; index < 2_000; index += 1) await put(root, `set/${index % 10}/${index}.jpg`);
  await until(
    () => recorded.size,
    (size) => size === 2_000,
  );
  expect(batches.length).toBeLessThanOrEqual(3);
  expect(addedIn(batches)).toHaveLength(2_000);
});

test('continuous changes are reported as well', async () => {
  const root = await temporaryFolder();
  const { batches, next } = startWatching(root, { quiet_ms: 10_000, max_wait_ms: 300 });
  await next('watching');
  let written = 0;
  await until(
    async () => {
      await put(root, `${written++}.jpg`);
      return batches.length;
    },
    (count) => count >= 2,
  );
  expect(addedIn(batches).length).toBeGreaterThan(0);
});

test('excluded files and folders are neither added nor removed', async () => {
  const root = await temporaryFolder();
  await put(root, 'raw/x.jpg');
  const recorded = new Map([['raw/old.jpg', { file_path: 'raw/old.jpg', size_bytes: 1, mtime_ms: 1 }]]);
  const { batches, records, next } = startWatching(root, { exclude: ['raw/', '*.tmp.jpg', '/top/**/skip'] }, recorded);
  await next('watching');
  for (const name of ['raw/a.jpg', 'x/raw/b.jpg', 'c.tmp.jpg', 'top/y/skip/d.jpg', 'x/top/skip/e.jpg', 'raw.jpg'])
    await put(root, name);
  await records('raw/old.jpg', 'x/top/skip/e.jpg', 'raw.jpg');
  expect(removedIn(batches)).toEqual([]);
});

test('a pause delays changes until it ends', async () => {
  const root = await temporaryFolder();
  await put(root, 'a.jpg');
  const { watcher, batches, records, next, states } = startWatching(root);
  await records('a.jpg');
  await watcher.pause();
  expect(states.at(-1)).toBe('paused');
  await rm(join(root, 'a.jpg'));
  await put(root, 'b.jpg');
  const before = batches.length;
  watcher.resume();
  await next('paused');
  await next('watching');
  await records('b.jpg');
  expect(batches.length).toBe(before + 1);
});

test('a rejected batch is repeated with newer changes', async () => {
  const root = await temporaryFolder();
  const offered: string[][] = [];
  const { next, recorded } = startWatching(root, {
    onBatch: async ({ added_or_changed }) => {
      offered.push(added_or_changed.map((file) => file.file_path));
      if (offered.length === 1) await put(root, 'b.jpg');
      if (offered.length <= 2) throw new Error('the database is busy');
    },
  });
  await next('watching');
  await put(root, 'a.jpg');
  await until(
    () => recorded.size,
    (size) => size === 2,
  );
  expect(offered[0]).toEqual(['a.jpg']);
  for (const names of offered.slice(1, 2)) expect(names).toContain('a.jpg');
});

test('a scan on demand finds changes that no event reported', async () => {
  const root = await temporaryFolder();
  await put(root, 'a.jpg');
  const { watcher, records, recorded, next } = startWatching(root);
  await records('a.jpg');
  recorded.clear();
  watcher.rescan();
  await next('scanning');
  await records('a.jpg');
});

test('links are followed once, and files on an offline drive behind a link are not removed', async () => {
  const home = await temporaryFolder();
  const root = join(home, 'root');
  await put(root, 'own/a.jpg');
  await put(home, 'drive/b.jpg');
  await symlink('.', join(root, 'loop'));
  await symlink('own', join(root, 'alias'));
  await symlink('../drive', join(root, 'link'));
  const { batches, records, watcher, next } = startWatching(root);
  await records('own/a.jpg', 'link/b.jpg');
  await put(root, 'own/c.jpg');
  await put(home, 'drive/d.jpg');
  await records('own/a.jpg', 'own/c.jpg', 'link/b.jpg', 'link/d.jpg');
  await rename(join(home, 'drive'), join(home, 'away'));
  await put(root, 'own/e.jpg');
  await next('watching');
  watcher.rescan();
  await next('watching');
  await records('own/a.jpg', 'own/c.jpg', 'own/e.jpg', 'link/b.jpg', 'link/d.jpg');
  expect(removedIn(batches)).toEqual([]);
});

test('the folder is scanned periodically when the system allows no more watches', async ({ skip }) => {
  const root = await temporaryFolder();
  for (let index = 0; index < 40; index += 1) await put(root, `${index}/a.jpg`);
  const limited = 'echo 5 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"';
  const watch = join(import.meta.dirname, 'watch-and-print.ts');
  const child = spawn('unshare', ['-Ur', 'sh', '-c', limited, process.execPath, watch, root], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const failed = new Promise<string>((resolve) => {
    child.once('error', () => resolve('no user namespaces here'));
    child.once('exit', (code) => resolve(`user namespaces are not allowed here (${code})`));
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const prints = (text: string) =>
    until(
      () => lines,
      (all) => all.some((line) => line.includes(text)),
      20_000,
    );
  const reason = await Promise.race([failed, prints('watch_polls').then(() => undefined)]);
  if (reason !== undefined) skip(reason);
  await prints('"39/a.jpg"');
  await put(root, '39/later.jpg');
  await prints('"39/later.jpg"');
});

test(
  'watches take no file handles',
  needs(process.platform === 'linux' ? undefined : 'only Linux tells them'),
  async () => {
    const root = await temporaryFolder();
    for (let index = 0; index < 1_000; index += 1) await put(root, `${index % 100}/${index}.jpg`);
    const handlesBefore = (await readdir('/proc/self/fd')).length;
    const { recorded, watcher } = startWatching(root);
    await until(
      () => recorded.size,
      (size) => size === 1_000,
    );
    expect((await readdir('/proc/self/fd')).length - handlesBefore).toBeLessThan(20);
    expect(await countWatches()).toBeGreaterThanOrEqual(100);
    await watcher.close();
  },
);

async function countWatches(): Promise<number> {
  let count = 0;
  for (const handle of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${handle}`).catch(() => '');
    if (!target.includes('inotify')) continue;
    count += (await readFile(`/proc/self/fdinfo/${handle}`, 'utf8')).match(/^inotify/gm)?.length ?? 0;
  }
  return count;
}
