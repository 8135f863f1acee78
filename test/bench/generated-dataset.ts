import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NewFile, PendingFile } from '../../src-main/core/ports/dataset-files.ts';
import type { DescribedImage } from '../../src-main/core/ports/local-jobs.ts';
import { openCatalog } from '../../src-main/infra/catalog/catalog.ts';
import { GenerationWriter } from '../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { DESCRIPTOR_DIM, DESCRIPTOR_ID } from '../../src-main/infra/inference/descriptor-shape.ts';
import { buildIndex } from '../support/build-index.ts';
import { describedFile } from '../support/described-file.ts';
import { seeded } from '../support/images.ts';
import { startServer } from '../support/server.ts';

export const GENERATED_DATASET = '00000000-0000-4000-8000-00000000bec0';
export const GENERATED_DIM = DESCRIPTOR_DIM;
/** Placeholder with the size of a thumbnail. */
const NO_IMAGE = new Uint8Array(2000);

/** Creates a data folder without datasets. @returns The empty folder for the generated dataset. */
export async function layOutData(dataFolder: string): Promise<string> {
  const server = await startServer(dataFolder);
  await server.stop();
  const folder = join(dataFolder, 'datasets', GENERATED_DATASET, '1');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Registers the dataset in a data folder in the folder's catalog. */
export async function enterDataset(dataFolder: string, items: number): Promise<void> {
  const { catalog } = await openCatalog(dataFolder);
  catalog.run(
    `INSERT INTO dataset (dataset_id, display_name, description, source_type, source_uri, owner_id, status_new, status, progress, n_images,
       n_videos, n_objects, n_file_errors, generation, preview_media_ids, created_at, updated_at)
     SELECT :id, 'bench', '', 'FOLDER', '', user_id, 'READY', 'READY', 100, :n, 0, 0, 0, 1, '["cover"]', :at, :at FROM user LIMIT 1`,
    { id: GENERATED_DATASET, n: items, at: new Date(0).toISOString() },
  );
  catalog.close();
}

/**
 * Creates a data folder with a dataset to which media can be added. Its items lie around 4,000 centres of uneven size, so that the clusters
 * resemble those of photos.
 * @param thumbnails Encoded thumbnails. Each item has one of them.
 */
export async function generateDataset(
  dataFolder: string,
  items: number,
  thumbnails: readonly Uint8Array[] = [NO_IMAGE],
): Promise<void> {
  const folder = await layOutData(dataFolder);
  const store = new GenerationWriter({ dataset_id: GENERATED_DATASET, dataFolder, folder, parquetEntryFile: '' });
  await store.subjects.vectors.openSpace('looks', { encoder_id: DESCRIPTOR_ID, dim: GENERATED_DIM });
  store.subjects.intake.addSource({ source_id: 's', kind: 'folder', root: folder });
  store.subjects.intake.addBatch({ batch_id: 'b', source_id: 's', kind: 'folder' });
  const random = seeded(7);
  const centres = Array.from({ length: 4000 }, () =>
    Float32Array.from({ length: GENERATED_DIM }, () => random() - 0.5),
  );
  for (let first = 0; first < items; first += 1000) {
    store.subjects.intake.addFiles('b', newFiles(first, 1000));
    const results = store.subjects.intake.listPending('b', 'image', null, 1000).map((file) => {
      const centre = centres[Math.floor(random() ** 2 * centres.length)] ?? new Float32Array(GENERATED_DIM);
      return describedItem(file, near(centre, random), thumbnails[file.file_id % thumbnails.length]);
    });
    await store.subjects.intake.saveResults(results);
  }
  const prepared = await store.subjects.vectors.prepareIndex('looks', 'IMAGES');
  const options = { linkageThresholds: [0.95, 0.9, 0.8, 0.7, 0.6], threads: 2 };
  await store.subjects.vectors.publishIndex([await buildIndex(prepared, options)]);
  store.close();
  await enterDataset(dataFolder, items);
}

/** Returns a random unit vector near a centre. */
export function near(centre: Float32Array, random: () => number): Float32Array {
  const spread = 0.15 + 0.35 * random();
  const vector = centre.map((value) => value + spread * (random() - 0.5));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export function newFiles(first: number, count: number): NewFile[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `folder/item-${String(first + index).padStart(6, '0')}.jpg`;
    return { file_path: name, location: name, kind: 'image', size_bytes: 1, mtime_ms: 1 };
  });
}

export function describedItem(
  file: PendingFile,
  vector: Float32Array = new Float32Array(GENERATED_DIM),
  thumbnail: Uint8Array = NO_IMAGE,
): DescribedImage {
  return describedFile(file, vector, { thumbnail });
}
