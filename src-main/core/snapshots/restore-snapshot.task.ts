import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message, readMessage } from '../../contract/messages.ts';
import type { TaskType } from '../../contract/schemas/task.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import { megabytes } from '../tasks/amount.ts';
import { defineTask, type TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { WatchingService } from '../watching/watching.service.ts';
import { carrySources } from './carry-sources.ts';
import type { OrphanedOriginals } from './orphaned-originals.ts';
import type { SnapshotRepository } from './snapshot.repository.ts';
import type { Enrichments } from './snapshot-keeper.ts';
import { mediaFoldersOf, type SnapshotListRow } from './snapshot-row.ts';

const input = z.object({
  snapshot_id: z.string(),
  status_before: z.enum(['READY', 'PARTIAL INDEX', 'ERROR']),
  fatal_error_msg: z.string().nullable(),
});
export type RestoreSnapshotInput = z.infer<typeof input>;

/** Types of tasks that are stopped first, because they would write results of the present state to the restored one. */
const FOLLOWING: readonly TaskType[] = ['PROJECTION', 'WORD_TAGGING', 'DUPLICATE_DETECTION', 'VECTOR_PLACEMENT'];

export interface RestoreSnapshotParts {
  catalog: Pick<Catalog, 'checkpoint'>;
  datasets: DatasetCatalog;
  stores: DatasetStores;
  rows: SnapshotRepository;
  enrichments: Pick<Enrichments, 'put'>;
  orphaned: OrphanedOriginals;
  followUps: Pick<FollowUpService, 'queue'>;
  watching: Pick<WatchingService, 'whileReplacing' | 'listSources'>;
  tasks: TaskService;
}

/**
 * Writes a snapshot as the next generation of its dataset and switches reads to it in one transaction. Until then reads see the previous
 * state. Files added to watched folders after the snapshot are imported again.
 */
export function defineRestoreSnapshotTask(
  parts: RestoreSnapshotParts,
): TaskDefinition<RestoreSnapshotInput, Record<string, never>> {
  const { datasets, stores, rows, enrichments, orphaned, watching } = parts;

  /** Updates the catalog when reads are switched. */
  const takeOver = (datasetId: string, generation: number, snapshot: SnapshotListRow) => {
    datasets.setGeneration(datasetId, generation);
    datasets.saveCounts(datasetId, snapshot, JSON.parse(snapshot.preview_media_ids) as string[]);
    enrichments.put(datasetId, snapshot.enrichment);
    rows.setCurrent(datasetId, snapshot.snapshot_id);
    orphaned.note({ dataset_id: datasetId }, mediaFoldersOf(snapshot));
    parts.followUps.queue(datasetId);
    datasets.apply(datasetId, 'restored');
  };

  return defineTask<RestoreSnapshotInput, Record<string, never>>({
    type: 'SNAPSHOT_RESTORE',
    input,
    lane: 'quick',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      const { snapshot_id, status_before } = task.input;
      const { dataset_id } = task;
      const before = datasets.getRow(dataset_id);
      const snapshot = rows.find(dataset_id, snapshot_id);
      if (!snapshot) throw new AppError('not_found', message('snapshot_deleted'));
      await parts.tasks.stopOpen(FOLLOWING, dataset_id);
      await watching.whileReplacing(dataset_id, async () => {
        task.beginStep(message('step_writing_the_snapshot'), { from: 0, to: 0.9 }, null, 'megabytes');
        const generation = await stores.restoreSnapshot(dataset_id, snapshot_id, (done, total) =>
          task.reportDone(megabytes(done), megabytes(total)),
        );
        // A dataset with status ERROR may not be readable.
        const sources = status_before === 'ERROR' ? [] : await datasets.storeOf(before).intake.listSources();
        const store = stores.open(dataset_id, generation);
        await carrySources(store, { sources, watched: watching.listSources(dataset_id) });
        task.beginStep(message('step_switching_to_the_snapshot'), { from: 0.9, to: 1 }, null);
        task.commit(message('task_snapshot_restored', { name: snapshot.name }), () =>
          takeOver(dataset_id, generation, snapshot),
        );
        // The switch must be durable before the previous generation is deleted.
        parts.catalog.checkpoint();
        await stores.deleteReplaced(dataset_id, generation);
      });
      await orphaned.remove();
    },
    onFailure: (datasetId, _reason, { status_before, fatal_error_msg }) => {
      if (status_before === 'ERROR')
        datasets.apply(datasetId, 'fail', fatal_error_msg === null ? null : readMessage(fatal_error_msg));
      else datasets.apply(datasetId, status_before === 'READY' ? 'back_to_ready' : 'back_to_partial');
    },
  });
}
