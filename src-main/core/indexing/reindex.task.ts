import { z } from 'zod';
import type { TaskParts } from '../ingestion/create-dataset.task.ts';
import { defineTask, type TaskDefinition } from '../tasks/define-task.ts';
import { coverPictures } from './covers.ts';
import { updateIndex } from './update-index.ts';

/** Clusters the whole dataset again from the stored neighbour graph; nothing is searched that is known. */
export function defineReindexTask(parts: TaskParts): TaskDefinition<Record<string, never>, Record<string, never>> {
  const { datasets } = parts;
  return defineTask({
    type: 'REINDEX',
    input: z.object({}),
    lane: 'quick',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      task.beginStep('Grouping similar pictures', { from: 0, to: 0.99 }, 100);
      await updateIndex('recluster', {
        ...parts,
        store,
        signal: task.signal,
        onPrepared: () => datasets.beginReindexing(task.dataset_id),
        onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
      });
      const cover = await coverPictures(store.read);
      const counts = await store.read.counts();
      task.commit('Reindexed', () => {
        datasets.saveCounts(task.dataset_id, counts, cover);
        datasets.apply(task.dataset_id, 'indexed');
      });
    },
    onFailure: (datasetId) => datasets.apply(datasetId, 'back_to_partial'),
  });
}
