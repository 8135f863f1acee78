import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import { asWritten } from '../../../src-main/contract/messages.ts';
import { createDatasetFolders } from '../../../src-main/infra/dataset-store/disk/dataset-folders.ts';
import { datasetMigrations } from '../../../src-main/infra/dataset-store/schema/migrations.ts';
import { openDatabase } from '../../../src-main/infra/sqlite/open-database.ts';
import { type EngineLocation, openVectorEngine } from '../../../src-main/infra/vectors/open-engine.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SPACES = ['looks IMAGES', 'looks OBJECTS', 'meaning IMAGES', 'meaning OBJECTS'];

/** Dataset folders with an engine that records which spaces it was asked to delete, and that cannot be reached at times. */
async function recordedFolders() {
  const dataFolder = await temporaryFolder();
  const dropped: string[] = [];
  const engine = { isReachable: true };
  const openEngine = (location: EngineLocation) => {
    const opened = openVectorEngine(location);
    opened.drop = async ({ space, entity_type }) => {
      if (!engine.isReachable) throw new AppError('unavailable', asWritten('The vector engine cannot be reached'));
      dropped.push(`${location.folder.slice(dataFolder.length)} ${space} ${entity_type}`);
    };
    return opened;
  };
  const folders = createDatasetFolders(dataFolder, { log: silentLog, openEngine });
  const addGeneration = async (name: string) => {
    const folder = join(dataFolder, 'datasets', 'a', name);
    await mkdir(folder, { recursive: true });
    openDatabase(join(folder, 'data.db'), datasetMigrations).close();
  };
  const list = async () =>
    (await readdir(join(dataFolder, 'datasets'), { recursive: true })).filter((path) => !path.includes('data.db'));
  const allOf = (generation: string) => SPACES.map((space) => `${join('/datasets', 'a', generation)} ${space}`);
  return { folders, engine, dropped, addGeneration, list, allOf };
}

it('deletes the vectors of an unneeded generation from its engine before its folder', async () => {
  const { folders, engine, dropped, addGeneration, list, allOf } = await recordedFolders();
  for (const name of ['1', '2', '3', '4.partial']) await addGeneration(name);
  engine.isReachable = false;
  const isUnneeded = (generation: number) => generation !== 2;
  await folders.deleteGenerations('a', isUnneeded);
  expect((await list()).sort()).toEqual(['a', 'a/1', 'a/2', 'a/3']);
  engine.isReachable = true;
  await folders.deleteGenerations('a', isUnneeded);
  expect(dropped).toEqual([...allOf('1'), ...allOf('3')]);
  expect((await list()).sort()).toEqual(['a', 'a/2']);
});

it('deletes the vectors of a deleted dataset, at the next start if its engine cannot be reached', async () => {
  const { folders, engine, dropped, addGeneration, list, allOf } = await recordedFolders();
  await addGeneration('1');
  await folders.markDeleted('a');
  engine.isReachable = false;
  await folders.remove('a');
  expect(await folders.list()).toMatchObject([{ dataset_id: 'a', is_deleted: true, generations: [1] }]);
  engine.isReachable = true;
  await folders.remove('a');
  expect(dropped).toEqual(allOf('1'));
  expect(await list()).toEqual([]);
});
