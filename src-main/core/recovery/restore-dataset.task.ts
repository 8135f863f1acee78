import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message, readMessage } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { isNeverIndexed } from '../datasets/dataset-row.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import type { Backups } from '../ports/backups.ts';
import type { Ids } from '../ports/clock.ts';
import type { AdoptedSnapshot, DatasetFolders, DatasetRecord } from '../ports/dataset-folders.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import { counted, megabytes } from '../tasks/amount.ts';
import { defineTask, type TaskDefinition } from '../tasks/define-task.ts';
import type { DatasetRecordRepository } from './dataset-record.repository.ts';

const input = z.object({ folder: z.string(), backup_id: z.string(), dataset_id: z.string() });
export type RestoreDatasetInput = z.infer<typeof input>;

/** Restores a dataset of a backup as a new dataset, which becomes visible when it is complete. */
export function defineRestoreDatasetTask(parts: {
  backups: Backups;
  datasets: DatasetCatalog;
  followUps: Pick<FollowUpService, 'queue'>;
  stores: DatasetStores;
  folders: Pick<DatasetFolders, 'adoptSnapshots'>;
  records: DatasetRecordRepository;
  ids: Ids;
}): TaskDefinition<RestoreDatasetInput, never> {
  const { backups, datasets, followUps, stores, folders, records, ids } = parts;

  /** Gives the snapshots new ids, because the backed-up dataset may still exist with the same snapshot ids. */
  const adoptSnapshots = (record: DatasetRecord, datasetId: string): Promise<AdoptedSnapshot[]> => {
    const rows = (record.rows.snapshot ?? []).filter(({ deleted_at }) => deleted_at === null);
    const snapshots = rows.map((row) => {
      const snapshotId = ids.uuid();
      const about = { ...row, snapshot_id: snapshotId, dataset_id: datasetId };
      return { previous_id: String(row.snapshot_id), snapshot_id: snapshotId, about };
    });
    return folders.adoptSnapshots(datasetId, snapshots.toReversed());
  };

  return defineTask<RestoreDatasetInput, never>({
    type: 'DATASET_RESTORE',
    input,
    lane: 'export',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      task.beginStep(message('step_copying_from_the_backup'), { from: 0, to: 0.98 }, null, 'megabytes');
      const record = await backups.readRecord(task.input);
      const generation = await backups.restoreDataset(task.input, task.dataset_id, {
        signal: task.signal,
        onBytes: (done) => task.reportDone(megabytes(done)),
      });
      const snapshots = await adoptSnapshots(record, task.dataset_id);
      const { dataset } = record;
      const counts = {
        n_images: Number(dataset.n_images),
        n_videos: Number(dataset.n_videos),
        n_objects: Number(dataset.n_objects),
        n_file_errors: Number(dataset.n_file_errors),
      };
      const restored = { images: counted('n_images', counts.n_images), videos: counted('n_videos', counts.n_videos) };
      task.commit(message('task_dataset_restored', restored), () => {
        datasets.setGeneration(task.dataset_id, generation);
        records.takeOver('enrichment', record, task.dataset_id);
        records.addSnapshots(task.dataset_id, snapshots, snapshots.find(isCurrent)?.snapshot_id);
        datasets.saveCounts(task.dataset_id, counts, JSON.parse(String(dataset.preview_media_ids)) as string[]);
        datasets.apply(task.dataset_id, eventOf(record), failureOf(record));
        if (eventOf(record) !== 'fail') followUps.queue(task.dataset_id);
      });
      await stores.deleteReplaced(task.dataset_id, generation);
    },
    abort: { reason: message('restore_stopped') },
    onFailure: (datasetId, reason) => datasets.apply(datasetId, 'fail', reason),
    retry: { checkpoint: 'reset', begin: (datasetId) => datasets.apply(datasetId, 'retry') },
  });
}

function isCurrent({ about }: AdoptedSnapshot): boolean {
  return about.is_current === 1;
}

/** Tasks that ran when the dataset was backed up are not continued. */
function eventOf({ dataset }: DatasetRecord): 'indexed' | 'media_added' | 'fail' {
  if (dataset.status_new === 'READY') return 'indexed';
  return dataset.status_new === 'ERROR' || isNeverIndexed({ preview_media_ids: String(dataset.preview_media_ids) })
    ? 'fail'
    : 'media_added';
}

function failureOf(record: DatasetRecord): Message | null {
  if (eventOf(record) !== 'fail') return null;
  const { fatal_error_msg } = record.dataset;
  return fatal_error_msg === null ? message('backed_up_during_creation') : readMessage(String(fatal_error_msg));
}

/** Checks that a dataset can be restored. @throws AppError `conflict` for a dataset that was an empty draft when it was backed up. */
export function assertNotEmpty({ dataset }: DatasetRecord): void {
  if (dataset.status_new === 'DRAFT') {
    throw new AppError('conflict', message('backed_up_dataset_empty'));
  }
}
