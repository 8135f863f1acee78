import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../clock.port.ts';
import type { ComputePool } from '../compute.port.ts';
import type { DatasetStore, DatasetStores, StoreCounts } from '../dataset-store.port.ts';
import type { DatasetRepository } from '../datasets/dataset.repository.ts';
import type { Encoder } from '../encoder.port.ts';
import type { LocalFolders } from '../files.port.ts';
import { defineTask, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import { describePendingFiles } from './describe-files.ts';

/** What a new dataset is made of: a batch that is already filled (uploads), or one to be filled from a folder. */
const input = z.object({ batch_id: z.string(), folder: z.string().nullable() });
export type CreateDatasetInput = z.infer<typeof input>;

interface Checkpoint {
  collected: boolean;
}

export interface CreateDatasetParts {
  datasets: DatasetRepository;
  stores: DatasetStores;
  folders: LocalFolders;
  compute: ComputePool;
  encoder: Encoder;
  clock: Clock;
}

/** Levels of Explore whose largest clusters give a dataset's card its four pictures. */
const COVER_LEVEL = 3;
const COVER_PICTURES = 4;

/** Collect → describe → cluster → READY. Each step finds what the last run finished and goes on from there. */
export function createDatasetTask(parts: CreateDatasetParts): TaskDefinition<CreateDatasetInput, Checkpoint> {
  const { datasets, stores, compute, encoder, clock } = parts;

  const run = async (task: TaskRun<CreateDatasetInput, Checkpoint>): Promise<void> => {
    const store = stores.open(task.dataset_id, 1);
    await store.openVectorSpace({ encoder_id: encoder.encoder_id, dim: encoder.dim });
    if (task.checkpoint.collected !== true) await collect(task, store);
    await describe(task, store);
    await cluster(task, store);

    const counts = await store.counts();
    const cover = await coverPictures(store);
    task.commit(summary(counts), () => {
      datasets.saveCounts(task.dataset_id, counts, cover);
      datasets.apply(task.dataset_id, 'indexed', clock.iso());
    });
  };

  const collect = async (task: TaskRun<CreateDatasetInput, Checkpoint>, store: DatasetStore) => {
    const { batch_id, folder } = task.input;
    // A retry comes here again and gives files that failed another chance.
    await store.retryFailed();
    if (folder !== null) {
      task.beginStep('Looking for media', { from: 0, to: 0.02 }, null);
      await store.addSource({ source_id: batch_id, kind: 'folder', root: folder });
      await store.addBatch({ batch_id, source_id: batch_id, kind: 'folder' });
      let found = 0;
      for await (const files of parts.folders.walk(folder, task.signal)) {
        await store.addFiles(batch_id, files);
        found += files.length;
        task.reportDone(found);
      }
    }
    task.saveCheckpoint({ collected: true });
  };

  const describe = async (task: TaskRun<CreateDatasetInput, Checkpoint>, store: DatasetStore) => {
    const before = await store.counts();
    if (before.n_files === 0) throw new AppError('invalid_request', 'No media files were found');
    const finished_before = before.n_files - before.n_pending;
    task.beginStep('Reading media', { from: 0.02, to: 0.95 }, before.n_files);
    task.reportDone(finished_before);
    await describePendingFiles({
      store,
      compute,
      encoder,
      signal: task.signal,
      onDone: (done) => task.reportDone(finished_before + done),
    });
    const after = await store.counts();
    if (after.n_images === 0) throw new AppError('invalid_request', await nothingReadable(store, after));
  };

  const cluster = async (task: TaskRun<CreateDatasetInput, Checkpoint>, store: DatasetStore) => {
    task.beginStep('Grouping similar pictures', { from: 0.95, to: 0.99 }, 100);
    const files = await store.prepareIndex('IMAGES');
    await compute.buildIndex(
      {
        mode: 'full',
        vectors_folder: files.vectors_folder,
        dim: files.dim,
        count: files.count,
        dead_rows: files.dead_rows,
        graph_out: files.graph_file,
        clusters_out: files.clusters_file,
        uniqueness_out: files.uniqueness_file,
        cuts: [...encoder.cuts],
      },
      { signal: task.signal, on_progress: (fraction) => task.reportDone(Math.round(fraction * 100)) },
    );
    await store.publishIndex('IMAGES', files);
  };

  return defineTask({
    type: 'DATASET_CREATION',
    input,
    exclusive: true,
    recovery: 'resume',
    run,
    onFailure: (dataset_id, reason) => datasets.apply(dataset_id, 'fail', clock.iso(), reason),
  });
}

async function coverPictures(store: DatasetStore): Promise<string[]> {
  const { clusters } = await store.listClusters({ entity_type: 'IMAGES', level: COVER_LEVEL, page_number: 0 });
  const medoids = clusters.flatMap((cluster) => cluster.previews[0]?.media_id ?? []);
  const others = clusters.flatMap((cluster) => cluster.previews.slice(1).map((preview) => preview.media_id));
  return [...medoids, ...others].slice(0, COVER_PICTURES);
}

async function nothingReadable(store: DatasetStore, counts: StoreCounts): Promise<string> {
  const { file_errors } = await store.listFileErrors({ kind: null, offset: 0, limit: 1 });
  const first = file_errors[0];
  const example = first ? ` ${first.file_path}: ${first.reason}` : '';
  return counts.n_files === 1
    ? `The only file could not be read.${example}`
    : `None of the ${counts.n_files} files could be read.${example}`;
}

function summary(counts: StoreCounts): string {
  const images = `${counts.n_images} ${counts.n_images === 1 ? 'image' : 'images'}`;
  return counts.n_file_errors === 0
    ? `Indexed ${images}`
    : `Indexed ${images}; ${counts.n_file_errors} files could not be read`;
}
