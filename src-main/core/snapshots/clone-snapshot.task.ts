import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import { SNAPSHOT_REASONS } from '../../contract/schemas/snapshot.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import { megabytes } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import { carrySources } from './carry-sources.ts';
import type { SnapshotRepository } from './snapshot.repository.ts';
import type { Enrichments, NewSnapshot } from './snapshot-keeper.ts';

const count = z.int();
const input = z.object({
  source_dataset_id: z.string(),
  source_snapshot_id: z.string(),
  /** Row of the clone's first snapshot. */
  snapshot: z.object({
    snapshot_id: z.string(),
    dataset_id: z.string(),
    name: z.string(),
    description: z.string(),
    created_at: z.string(),
    created_by: z.string(),
    reason: z.enum(SNAPSHOT_REASONS),
    n_images: count,
    n_videos: count,
    n_objects: count,
    n_file_errors: count,
    preview_media_ids: z.string(),
    enrichment: z.string().nullable(),
    media_folders: z.string(),
    training_model_id: z.string().nullable(),
    training_model_name: z.string().nullable(),
  }) satisfies z.ZodType<NewSnapshot>,
});
export type CloneSnapshotInput = z.infer<typeof input>;

export interface CloneSnapshotParts {
  datasets: DatasetCatalog;
  stores: DatasetStores;
  rows: SnapshotRepository;
  enrichments: Pick<Enrichments, 'put'>;
  followUps: Pick<FollowUpService, 'queue'>;
}

/**
 * Creates a dataset from a snapshot of another dataset. The source may change meanwhile but cannot be deleted. Both share files by hard
 * links and do not depend on each other afterwards. The first step gives the new dataset the snapshot; after it the source's snapshot may be
 * deleted.
 */
export function defineCloneSnapshotTask(
  parts: CloneSnapshotParts,
): TaskDefinition<CloneSnapshotInput, Record<string, never>> {
  const { datasets, stores, rows, enrichments } = parts;
  return defineTask<CloneSnapshotInput, Record<string, never>>({
    type: 'SNAPSHOT_CLONE',
    input,
    lane: 'quick',
    exclusive: true,
    keeps: ({ source_dataset_id }) => [source_dataset_id],
    recovery: 'resume',
    run: async (task) => {
      const { source_dataset_id, source_snapshot_id, snapshot } = task.input;
      const { dataset_id } = task;
      task.beginStep(message('step_sharing_snapshot_files'), { from: 0, to: 0.1 }, null);
      // The row says that the new dataset has the snapshot's files, and no longer needs those of the source.
      if (!rows.find(dataset_id, snapshot.snapshot_id)) {
        await stores.copySnapshot(
          { dataset_id: source_dataset_id, snapshot_id: source_snapshot_id },
          { dataset_id, snapshot_id: snapshot.snapshot_id, about: { ...snapshot } },
        );
        rows.insert(snapshot);
      }
      task.beginStep(message('step_writing_the_copy'), { from: 0.1, to: 0.99 }, null, 'megabytes');
      const generation = await stores.restoreSnapshot(dataset_id, snapshot.snapshot_id, (done, total) =>
        task.reportDone(megabytes(done), megabytes(total)),
      );
      const source = datasets.getRow(source_dataset_id);
      const sources = source.status_new === 'ERROR' ? [] : await datasets.storeOf(source).intake.listSources();
      await carrySources(stores.open(dataset_id, generation), { sources, watched: [] });
      task.commit(message('task_snapshot_cloned', { dataset: source.display_name }), () => {
        datasets.setGeneration(dataset_id, generation);
        datasets.saveCounts(dataset_id, snapshot, JSON.parse(snapshot.preview_media_ids) as string[]);
        enrichments.put(dataset_id, snapshot.enrichment);
        parts.followUps.queue(dataset_id);
        datasets.apply(dataset_id, 'indexed');
      });
      await stores.deleteReplaced(dataset_id, generation);
    },
    abort: { reason: STOPPED },
    onFailure: (datasetId, reason) => datasets.apply(datasetId, 'fail', reason),
    retry: { checkpoint: 'reset', begin: (datasetId) => datasets.apply(datasetId, 'retry') },
  });
}
