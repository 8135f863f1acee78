import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createWatchSession } from '../../../src-main/infra/watch/watch-session.ts';
import type { FolderChanges, WatchedFile, WatchMemory } from '../../../src-main/infra/watch/watch-settings.ts';
import { identifyRoot } from '../../../src-main/infra/watch/watched-root.ts';
import { until } from '../../support/api.ts';
import { writeImages } from '../../support/images.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Starts a session that scans its folder every few milliseconds, and records the reported changes as a dataset does.
 * @param without_pause Scans the folder again and again.
 */
async function startSession(
  root: string,
  {
    refuse = () => false,
    without_pause = false,
  }: { refuse?(changes: FolderChanges): boolean; without_pause?: boolean } = {},
) {
  const recorded = new Map<string, WatchedFile>();
  const offered: FolderChanges[] = [];
  const memory: WatchMemory = {
    known: new Map(),
    scanNumber: 0,
    rescanRequested: false,
    proven: undefined,
    doubted: undefined,
  };
  const home = await identifyRoot(root);
  if ('missing' in home) throw new Error(home.missing.code);
  const stop = new AbortController();
  const session = createWatchSession(
    {
      root,
      settle_ms: 20,
      quiet_ms: 10,
      max_wait_ms: 1000,
      root_check_ms: 20,
      poll_ms: 20,
      poll_only: true,
      retry_ms: 10,
      skip: () => false,
      known: async function* () {
        yield [...recorded.values()];
      },
      onBatch: async (changes) => {
        offered.push(changes);
        if (refuse(changes)) throw new Error('the dataset is busy');
        for (const file of changes.added_or_changed) recorded.set(file.file_path, file);
        for (const filePath of changes.removed) recorded.delete(filePath);
      },
      report: () => {
        memory.rescanRequested ||= without_pause;
      },
      log: silentLog,
      signal: stop.signal,
    } as Parameters<typeof createWatchSession>[0],
    memory,
    home,
    stop.signal,
  );
  const ended = session.run();
  onTestFinished(async () => {
    stop.abort();
    session.wake();
    await ended.catch(() => undefined);
  });
  const records = (...names: string[]) =>
    until(
      () => [...recorded.keys()].toSorted(),
      (found) => JSON.stringify(found) === JSON.stringify(names),
    );
  return { ended, offered, records };
}

it('reports new and missing files', async () => {
  const root = await temporaryFolder();
  await writeImages(root, [1, 2]);
  const { records } = await startSession(root);
  await records('image-00001.jpg', 'image-00002.jpg');
  await writeImages(root, [3]);
  await rm(join(root, 'image-00001.jpg'));
  await records('image-00002.jpg', 'image-00003.jpg');
});

it('offers changes again that were refused, together with new ones', async () => {
  const root = await temporaryFolder();
  await writeImages(root, [1]);
  let isBusy = true;
  const { offered, records } = await startSession(root, { refuse: () => isBusy });
  await until(
    () => offered.length,
    (n) => n >= 2,
  );
  await writeImages(root, [2]);
  isBusy = false;
  await records('image-00001.jpg', 'image-00002.jpg');
});

it('ends when the watched folder is moved away, and reports nothing as removed', async () => {
  const parent = await temporaryFolder();
  const root = join(parent, 'photos');
  await writeImages(root, [1, 2]);
  const { ended, offered, records } = await startSession(root);
  await records('image-00001.jpg', 'image-00002.jpg');
  await rename(root, join(parent, 'elsewhere'));
  expect(await ended).toMatchObject({ offline: { code: 'watch_folder_gone' } });
  expect(offered.flatMap(({ removed }) => removed)).toEqual([]);
});

it('ends in the same way when the folder is moved in the middle of a scan', async () => {
  const parent = await temporaryFolder();
  for (let n = 0; n < 20; n += 1) {
    const root = join(parent, `photos ${n}`);
    await writeImages(root, [1]);
    const { ended, offered, records } = await startSession(root, { without_pause: true });
    await records('image-00001.jpg');
    await rename(root, join(parent, `elsewhere ${n}`));
    expect(await ended).toMatchObject({ offline: { code: 'watch_folder_gone' } });
    expect(offered.flatMap(({ removed }) => removed)).toEqual([]);
  }
});
