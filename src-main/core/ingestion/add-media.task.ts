import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import { coverImages } from '../indexing/covers.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import { batchSource } from '../ports/media-sources.ts';
import type { OrphanedFramesService } from '../snapshots/orphaned-frames.service.ts';
import { sentences } from '../tasks/amount.ts';
import { defineTask, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import type { ViewMonitorService } from '../views/view-monitor.service.ts';
import type { TaskParts } from './create-dataset.task.ts';
import { type BatchCheckpoint, batchSummary, ingestBatch, NothingNew, NothingUsable } from './ingest-batch.ts';
import { ingestChanges } from './ingest-changes.ts';

const input = z.object({
  batch_id: z.string(),
  source: batchSource,
  auto_reindex: z.boolean(),
  /** Status that the dataset returns to if the batch fails. */
  status_before: z.enum(['READY', 'PARTIAL INDEX']),
});
export type AddMediaInput = z.infer<typeof input>;

interface Checkpoint extends BatchCheckpoint {
  joined: boolean;
  /** The first row of each entity type that the batch adds. */
  first_rows: Record<EntityType, number>;
  /** Whether the changes of a watched folder added images or objects that the index lacks. */
  has_new?: boolean;
}

type Run = TaskRun<AddMediaInput, Checkpoint>;
type FirstRows = Checkpoint['first_rows'];
type Indexing = Parameters<typeof updateIndex>[1];

/**
 * Adds a later batch. Its items are added to the neighbour graph and the existing clusters; with `auto_reindex` all items are clustered
 * again. Then the new items are matched against the saved views. A batch that fails or contains nothing new does not change the dataset. If
 * none of its files is usable, the files are recorded as file errors.
 */
export function defineAddMediaTask(
  parts: TaskParts & {
    mediaFolders: MediaFolders;
    monitor: Pick<ViewMonitorService, 'check'>;
    orphanedFrames: Pick<OrphanedFramesService, 'sweep'>;
  },
): TaskDefinition<AddMediaInput, Checkpoint> {
  const { datasets, monitor } = parts;

  const join = async (task: Run, store: DatasetStore, indexing: Indexing, firstRows: FirstRows) => {
    await ingestBatch(task, store, parts, { collected: true, joined: false, first_rows: firstRows });
    task.beginStep(message('step_indexing_new_images'), { from: 0.95, to: 0.97 }, 100, 'percent');
    await updateIndex('extend', indexing);
    await store.intake.settle();
    task.saveCheckpoint({ collected: true, joined: true, first_rows: firstRows });
  };

  /** Runs after the batch is saved. If clustering fails, the dataset stays PARTIAL INDEX and the reindex can be tried again. */
  const recluster = async (task: Run, indexing: Indexing): Promise<boolean> => {
    task.beginStep(message('step_grouping_similar_images'), { from: 0.97, to: 0.99 }, 100, 'percent');
    try {
      await updateIndex('recluster', { ...indexing, onPrepared: () => datasets.beginReindexing(task.dataset_id) });
      return true;
    } catch (error) {
      if (task.signal.aborted) throw error;
      parts.log.error({ task_id: task.task_id, err: error }, 'reindexing after an addition failed');
      return false;
    }
  };

  /** Restores the previous status. If a reindex was requested and the dataset is PARTIAL INDEX, reindexes it. */
  const restAsBefore = async (task: Run, { reason }: NothingNew, indexing: Indexing) => {
    const { auto_reindex, status_before } = task.input;
    const reindexed = auto_reindex && status_before === 'PARTIAL INDEX' && (await recluster(task, indexing));
    const back = status_before === 'READY' ? 'back_to_ready' : 'back_to_partial';
    task.commit(reason, () => datasets.apply(task.dataset_id, reindexed ? 'media_added_and_indexed' : back));
  };

  /**
   * Imports the changes of a watched folder. Imported changes are kept even if a later step fails. Moved and removed files need no new
   * index.
   */
  const takeInChanges = async (task: Run, store: DatasetStore, indexing: Indexing, firstRows: FirstRows) => {
    let hasNew = task.checkpoint.has_new === true;
    if (task.checkpoint.joined !== true) {
      await ingestChanges(task, store, parts);
      hasNew = (await store.vectors.countUnindexed('IMAGES')) + (await store.vectors.countUnindexed('OBJECTS')) > 0;
      await store.intake.settle();
      task.saveCheckpoint({ collected: true, joined: true, first_rows: firstRows, has_new: hasNew });
    }
    task.beginStep(message('step_indexing_new_images'), { from: 0.9, to: 0.99 }, 100, 'percent');
    if (hasNew) await updateIndex('extend', indexing);
    else await store.vectors.publishIndex([]);
    await parts.orphanedFrames.sweep(task.dataset_id, task.signal);
    const counts = await store.items.counts();
    const cover = await coverImages(store);
    const { batch_id, status_before } = task.input;
    const checked = hasNew ? await monitor.check(task, store, { batch_id, first_rows: firstRows }) : undefined;
    const restsReady = !hasNew && status_before === 'READY';
    task.commit(message('task_changes_imported'), () => {
      datasets.saveCounts(task.dataset_id, counts, cover);
      if (hasNew) parts.followUps.queue(task.dataset_id);
      datasets.apply(task.dataset_id, restsReady ? 'back_to_ready' : 'media_added');
      checked?.record();
    });
    checked?.announce();
  };

  return defineTask({
    type: 'MEDIA_ADDITION',
    input,
    lane: 'ingest',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      const { batch_id, auto_reindex } = task.input;
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      const indexing: Indexing = {
        ...parts,
        store,
        signal: task.signal,
        onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
      };
      // An earlier run may already have indexed the new rows, so its first rows are used.
      const firstRows = task.checkpoint.first_rows ?? (await store.vectors.countIndexed());
      if (task.input.source.kind === 'watch') return takeInChanges(task, store, indexing, firstRows);
      try {
        if (task.checkpoint.joined !== true) await join(task, store, indexing, firstRows);
      } catch (error) {
        if (error instanceof NothingNew) return restAsBefore(task, error, indexing);
        throw error;
      }
      const reindexed = auto_reindex && (await recluster(task, indexing));
      const counts = await store.items.counts();
      const added = await store.items.counts(batch_id);
      const cover = await coverImages(store);
      const checked = await monitor.check(task, store, { batch_id, first_rows: firstRows });
      const isUngrouped = auto_reindex && !reindexed;
      const outcome = sentences(batchSummary('added', added), isUngrouped && message('grouping_failed'));
      task.commit(outcome, () => {
        datasets.saveCounts(task.dataset_id, counts, cover);
        parts.followUps.queue(task.dataset_id);
        datasets.apply(task.dataset_id, reindexed ? 'media_added_and_indexed' : 'media_added');
        checked.record();
      });
      checked.announce();
    },
    isPastUndo: ({ joined }) => joined === true,
    undo: async (task, error) => {
      const { batch_id, source } = task.input;
      if (source.kind === 'watch' || task.checkpoint.joined === true) return;
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      const keepErrors = error instanceof NothingUsable;
      // Files first: on a full disk that makes room for the rest.
      await parts.originals.remove(batch_id);
      await store.intake.discardBatch(batch_id, keepErrors);
      if (keepErrors) datasets.saveCounts(task.dataset_id, await store.items.counts(), []);
      parts.mediaFolders.release(batch_id);
    },
    onFailure: (datasetId, _reason, { status_before }) => {
      datasets.apply(datasetId, status_before === 'READY' ? 'back_to_ready' : 'back_to_partial');
    },
  });
}
