import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { TaskParts } from '../ingestion/create-dataset.task.ts';
import { describePendingFiles } from '../ingestion/describe-files.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import { counted, sentences } from '../tasks/amount.ts';
import { defineTask, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import { coverImages } from './covers.ts';
import { repairRows } from './repair-rows.ts';
import { updateIndex } from './update-index.ts';

/**
 * Clusters the whole dataset again from the stored neighbour graph, without searching known neighbours again. First, damaged data is
 * computed again, and items whose files have changed content are described again.
 */
export function defineReindexTask(parts: TaskParts): TaskDefinition<Record<string, never>, Record<string, never>> {
  const { datasets, models, localJobs, swapRgb } = parts;

  const describeChanged = async (task: TaskRun<unknown, unknown>, store: DatasetStore) => {
    const { n_pending, n_files } = await store.items.counts();
    if (n_pending === 0) return;
    task.beginStep(message('step_reading_media_again'), { from: 0.3, to: 0.4 }, n_files);
    const encoders = await models.encodersOf(store, 'IMAGES');
    for (const { batch_id } of await store.intake.listBatches()) {
      await describePendingFiles({
        files: store.intake,
        batch_id,
        n_files: n_pending,
        localJobs,
        encoders,
        swap_rgb: swapRgb(),
        signal: task.signal,
        onDone: (done) => task.reportDone(done),
      });
      await models.describeBoxes(task, store, batch_id, { from: 0.4, to: 0.5 });
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
      await repairRows({ ...parts, task, store });
      await describeChanged(task, store);
      task.beginStep(message('step_grouping_similar_images'), { from: 0.5, to: 0.99 }, 100, 'percent');
      await updateIndex('recluster', {
        ...parts,
        store,
        signal: task.signal,
        onPrepared: () => datasets.beginReindexing(task.dataset_id),
        onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
      });
      const cover = await coverImages(store);
      const counts = await store.items.counts();
      const nLost = await store.repairs.countLost();
      task.commit(sentences(message('task_reindexed'), nLost > 0 && counted('items_lost', nLost)), () => {
        datasets.saveCounts(task.dataset_id, counts, cover);
        parts.followUps.queue(task.dataset_id);
        datasets.apply(task.dataset_id, 'indexed');
      });
    },
    onFailure: (datasetId) => datasets.apply(datasetId, 'back_to_partial'),
  });
}
