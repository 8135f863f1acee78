import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FolderChanges, WatchFolderOptions } from '../../../src-main/infra/watch/watch-settings.ts';
import { createWatchThread } from '../../../src-main/infra/watch/watch-thread.ts';
import { until } from '../../support/api.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const entryFile = join(import.meta.dirname, '..', '..', '..', 'src-main', 'infra', 'watch', 'watch.worker.ts');

function watching(root: string) {
  const recorded = new Map<string, { file_path: string; size_bytes: number; mtime_ms: number }>();
  const states: string[] = [];
  let failures = 1;
  const options: WatchFolderOptions = {
    root,
    exclude: ['left-out'],
    settle_ms: 40,
    quiet_ms: 40,
    root_check_ms: 40,
    retry_ms: 20,
    log: silentLog,
    signal: new AbortController().signal,
    known: async function* () {
      for (const file of recorded.values()) yield [file];
    },
    onBatch: async (changes: FolderChanges) => {
      if (failures-- > 0) throw new Error('busy');
      for (const file of changes.added_or_changed) recorded.set(file.file_path, file);
      for (const filePath of changes.removed) recorded.delete(filePath);
    },
    onState: (state) => states.push(state),
  };
  const records = async (...names: string[]) => {
    const expected = names.sort().join();
    await until(
      () => [...recorded.keys()].sort().join(),
      (found) => found === expected,
      20_000,
    );
  };
  return { options, states, records };
}

test('folders are watched in a separate thread', async () => {
  const thread = createWatchThread({ entryFile, dataFolder: await temporaryFolder(), log: silentLog });
  onTestFinished(() => thread.close());
  const roots = [await temporaryFolder(), await temporaryFolder()];
  const [one, two] = [watching(roots[0] ?? ''), watching(roots[1] ?? '')];
  const first = thread.watch(one.options);
  const second = thread.watch(two.options);
  for (const root of roots) for (const name of ['a.jpg', 'b.jpg', 'c.md']) await writeFile(join(root, name), name);
  await one.records('a.jpg', 'b.jpg');
  await two.records('a.jpg', 'b.jpg');

  await first.pause();
  expect(one.states.at(-1)).toBe('paused');
  await rm(join(roots[0] ?? '', 'a.jpg'));
  await rm(join(roots[1] ?? '', 'a.jpg'));
  await two.records('b.jpg');
  first.resume();
  await one.records('b.jpg');

  await first.close();
  await second.close();
  // The thread exited with the last folder. Another folder starts a new thread.
  const again = thread.watch(one.options);
  await writeFile(join(roots[0] ?? '', 'd.jpg'), 'd');
  await one.records('b.jpg', 'd.jpg');
  await again.close();
});

test('a dead thread is restarted, and changes meanwhile are found', async () => {
  const dying = join(import.meta.dirname, 'ending-watch.worker.ts');
  const thread = createWatchThread({ entryFile: dying, dataFolder: await temporaryFolder(), log: silentLog });
  onTestFinished(() => thread.close());
  const root = await temporaryFolder();
  const { options, records } = watching(root);
  const watcher = thread.watch(options);
  await writeFile(join(root, 'a.jpg'), 'a');
  await records('a.jpg');
  watcher.rescan();
  await writeFile(join(root, 'b.jpg'), 'b');
  await records('a.jpg', 'b.jpg');
});

test('a missing folder is reported, and closing does not wait for it', async () => {
  const thread = createWatchThread({ entryFile, dataFolder: await temporaryFolder(), log: silentLog });
  const { options, states } = watching(join(await temporaryFolder(), 'missing'));
  thread.watch(options);
  await until(
    () => states.at(-1),
    (state) => state === 'offline',
    20_000,
  );
  await thread.close();
  expect(states).toEqual(['offline']);
});
