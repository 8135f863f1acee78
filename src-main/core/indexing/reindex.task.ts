import { z } from 'zod';
import type { TaskParts } from '../ingestion/create-dataset.task.ts';
import { describePendingFiles } from '../ingestion/describe-files.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import { defineTask, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import { coverImages } from './covers.ts';
import { updateIndex } from './update-index.ts';

/**
 * Clusters the whole dataset again from the stored neighbour graph; nothing is searched that is known. Items that wait to be described again
 * because something of them was damaged are described first.
 */
export function defineReindexTask(parts: TaskParts): TaskDefinition<Record<string, never>, Record<string, never>> {
  const { datasets, models, compute, swapRgb } = parts;

  const describeAgain = async (task: TaskRun<unknown, unknown>, { read, write }: DatasetStore) => {
    const { n_pending, n_files } = await read.counts();
    if (n_pending === 0) return;
    task.beginStep('Reading media again', { from: 0, to: 0.5 }, n_files);
    const encoders = await models.encodersOf(read, 'IMAGES');
    for (const { batch_id } of await read.listBatches()) {
      await describePendingFiles({
        writer: write,
        batch_id,
        compute,
        encoders,
        swap_rgb: swapRgb(),
        signal: task.signal,
        onDone: (done) => task.reportDone(done),
      });
    }
  };

  return defineTask({
    type: 'REINDEX',
    input: z.object({}),
    lane: 'quick',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      await describeAgain(task, store);
      task.beginStep('Grouping similar images', { from: 0.5, to: 0.99 }, 100);
      await updateIndex('recluster', {
        ...parts,
        store,
        signal: task.signal,
        onPrepared: () => datasets.beginReindexing(task.dataset_id),
        onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
      });
      const cover = await coverImages(store.read);
      const counts = await store.read.counts();
      task.commit('Reindexed', () => {
        datasets.saveCounts(task.dataset_id, counts, cover);
        datasets.apply(task.dataset_id, 'indexed');
      });
    },
    onFailure: (datasetId) => datasets.apply(datasetId, 'back_to_partial'),
  });
}
