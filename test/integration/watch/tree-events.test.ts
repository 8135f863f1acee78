import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type TreeEventListeners, watchTree } from '../../../src-main/infra/watch/tree-events.ts';
import { until } from '../../support/api.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FOLDERS = 200;
const FILES_PER_FOLDER = 20;

async function largeTree(): Promise<string> {
  const root = await temporaryFolder();
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const below = join(root, `${folder % 5}`, `folder-${folder}`);
    await mkdir(below, { recursive: true });
    await Promise.all(Array.from({ length: FILES_PER_FOLDER }, (_, nth) => writeFile(join(below, `${nth}.jpg`), '')));
  }
  return root;
}

/** Number of pending file-system requests in this thread. */
function underWay(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'FSReqPromise').length;
}

function watchIt(root: string, listeners: Partial<TreeEventListeners>) {
  const events = watchTree(root, {
    skip: () => false,
    onTouched: () => undefined,
    onGone: () => undefined,
    onGoneFolder: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
    ...listeners,
  });
  onTestFinished(() => events.close());
  return events;
}

test('a large tree is read a few folders at a time, and every folder is watched', async () => {
  const root = await largeTree();
  let most = 0;
  const touched = new Set<string>();
  const events = watchIt(root, {
    skip: () => {
      most = Math.max(most, underWay());
      return false;
    },
    onTouched: (filePath) => touched.add(filePath),
  });
  await events.ready;
  expect(most).toBeLessThan((FOLDERS * FILES_PER_FOLDER) / 4);
  expect(touched.size).toBe(0);

  const added = Array.from({ length: FOLDERS }, (_, folder) => `${folder % 5}/folder-${folder}/new.jpg`);
  for (const filePath of added) await writeFile(join(root, filePath), 'new');
  await until(() => touched.size === added.length);
  expect([...touched].sort()).toEqual(added.sort());
});

test('watching can end while folders are still to be read', async () => {
  const root = await largeTree();
  const begun = Promise.withResolvers<void>();
  let requested = 0;
  const events = watchIt(root, {
    skip: () => {
      requested += 1;
      if (requested === FOLDERS) begun.resolve();
      return false;
    },
  });
  await begun.promise;
  await events.close();
  await events.ready;
  expect(requested).toBeLessThan(FOLDERS * FILES_PER_FOLDER);
});
