import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { coverImages } from '../indexing/covers.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { LocalFolders } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import { batchSource } from '../ports/media-sources.ts';
import type { SnapshotKeeper } from '../snapshots/snapshot-keeper.ts';
import { defineTask, type TaskDefinition } from '../tasks/define-task.ts';
import {
  type BatchCheckpoint,
  type BatchInput,
  batchSummary,
  type IngestParts,
  ingestBatch,
  NothingUsable,
} from './ingest-batch.ts';

export interface TaskParts extends IngestParts {
  folders: LocalFolders;
  datasets: DatasetCatalog;
  stores: DatasetStores;
  followUps: Pick<FollowUpService, 'queue'>;
  snapshots: Pick<SnapshotKeeper, 'keepFirst' | 'record'>;
  log: Log;
}

/** Imports and indexes the first batch of a dataset, until the dataset is READY. */
export function defineCreateDatasetTask(parts: TaskParts): TaskDefinition<BatchInput, BatchCheckpoint> {
  const { datasets, stores } = parts;
  return defineTask({
    type: 'DATASET_CREATION',
    input: z.object({ batch_id: z.string(), source: batchSource, folder_labels: z.boolean().optional() }),
    lane: 'ingest',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      const store = stores.open(task.dataset_id, datasets.getRow(task.dataset_id).generation);
      try {
        await ingestBatch(task, store, parts, { collected: true });
      } catch (error) {
        if (error instanceof NothingUsable) datasets.saveCounts(task.dataset_id, await store.items.counts(), []);
        throw error;
      }
      task.beginStep(message('step_grouping_similar_images'), { from: 0.95, to: 0.99 }, 100, 'percent');
      await updateIndex('full', {
        ...parts,
        store,
        signal: task.signal,
        onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
      });
      const counts = await store.items.counts();
      const cover = await coverImages(store);
      task.beginStep(message('step_first_snapshot'), { from: 0.99, to: 1 }, null);
      const snapshot = await parts.snapshots.keepFirst(task.dataset_id, { counts, cover });
      await store.intake.settle();
      task.commit(batchSummary('indexed', counts), () => {
        datasets.saveCounts(task.dataset_id, counts, cover);
        parts.snapshots.record(snapshot);
        parts.followUps.queue(task.dataset_id);
        datasets.apply(task.dataset_id, 'indexed');
      });
    },
    onFailure: (datasetId, reason) => datasets.apply(datasetId, 'fail', reason),
    abort: { reason: message('creation_stopped') },
    // The source is listed again, because files that were missing may exist now.
    retry: { checkpoint: 'reset', begin: (datasetId) => datasets.apply(datasetId, 'retry') },
  });
}
