import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MetaRepository } from '../../../src-main/infra/dataset-store/rows/meta.repository.ts';
import { datasetMigrations } from '../../../src-main/infra/dataset-store/schema/migrations.ts';
import { LocalDatasetReader } from '../../../src-main/infra/dataset-store/thread/local-dataset-reader.ts';
import { LocalDatasetWriter } from '../../../src-main/infra/dataset-store/thread/local-dataset-writer.ts';
import { openDatabase } from '../../../src-main/infra/sqlite/open-database.ts';
import { vectorMemories } from '../../../src-main/infra/vectors/built-in/vector-memories.ts';
import { VectorSegments } from '../../../src-main/infra/vectors/built-in/vector-segments.ts';
import { writeClusters } from '../../../src-main/infra/vectors/clustering/cluster-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DESCRIPTOR = { encoder_id: 'visual-descriptor-1', dim: 4 };
const ENCODER = { encoder_id: 'an-encoder', dim: 4 };

/** A generation as it was before vectors had spaces, with the published index of one row. */
async function formerGeneration(images: typeof ENCODER, objects: typeof ENCODER): Promise<string> {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'index'));
  const db = openDatabase(
    join(folder, 'data.db'),
    datasetMigrations.filter(({ version }) => version < 6),
  );
  const meta = new MetaRepository(db);
  meta.set('vector_space:IMAGES', images);
  meta.set('vector_space:OBJECTS', objects);
  meta.set('index:IMAGES', { serial: 3, count: 1, cuts: [0.9, 0.8, 0.7, 0.6, 0.5] });
  db.close();
  const vectors = VectorSegments.open(join(folder, 'vectors', 'IMAGES'), images);
  vectors.writeRows(0, Float32Array.of(1, 0, 0, 0));
  vectors.close();
  writeFileSync(join(folder, 'index', 'IMAGES-3.uniqueness'), new Uint8Array(Float32Array.of(0.5).buffer));
  writeFileSync(join(folder, 'index', 'IMAGES-3.knn'), '');
  writeClusters(join(folder, 'index', 'IMAGES-3.clusters'), []);
  return folder;
}

function locate(folder: string) {
  return { dataset_id: 'd', dataFolder: folder, folder, parquetEntryFile: '' };
}

it.each([
  ['looks', DESCRIPTOR],
  ['meaning', ENCODER],
] as const)('what made the vectors of a former version says that they are of %s', async (space, made) => {
  const folder = await formerGeneration(made, DESCRIPTOR);
  for (const time of ['first', 'second']) {
    const store = new LocalDatasetWriter(locate(folder));
    const reader = new LocalDatasetReader({ ...locate(folder), memories: vectorMemories() });
    expect(reader.vectorSpace(space, 'IMAGES'), time).toEqual(made);
    expect(reader.vectorSpace(space === 'looks' ? 'meaning' : 'looks', 'IMAGES')).toBeUndefined();
    expect(reader.vectorSpace('looks', 'OBJECTS')).toEqual(DESCRIPTOR);
    const { vectors_folder, published } = store.prepareIndex(space, 'IMAGES');
    expect(published?.count).toBe(1);
    const vectors = VectorSegments.openExisting(vectors_folder);
    expect([...vectors.readAll(1)]).toEqual([1, 0, 0, 0]);
    vectors.close();
    reader.close();
    store.close();
  }
});

it('goes on where moving the vectors was cut off', async () => {
  const folder = await formerGeneration(DESCRIPTOR, DESCRIPTOR);
  renameSync(join(folder, 'index', 'IMAGES-3.knn'), join(folder, 'index', 'looks-IMAGES-3.knn'));
  const store = new LocalDatasetWriter(locate(folder));
  expect(store.prepareIndex('looks', 'IMAGES').published?.count).toBe(1);
  store.close();
});
