import { z } from 'zod';
import { isDiskFull } from '../../contract/errors.ts';
import { type Message, message, wholeNumber } from '../../contract/messages.ts';
import type { BackupInWork, Backups, StoredDataset } from '../ports/backups.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetRecord } from '../ports/dataset-folders.ts';
import type { Log } from '../ports/log.ts';
import { counted, megabytes, sentences } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import { DatasetRecordRepository } from './dataset-record.repository.ts';

const input = z.object({
  folder: z.string(),
  /** Number of backups to keep; all when null. */
  keep: z.int().min(1).nullable(),
});
export type BackupInput = z.infer<typeof input>;

export interface BackupTaskParts {
  backups: Backups;
  records: DatasetRecordRepository;
  /** Returns an open copy of the present catalog. */
  copyCatalog: () => Promise<Catalog>;
  clock: Clock;
  version: string;
  log: Log;
}

/** Maximum number of attempts to store a dataset whose generation is switched meanwhile. */
const MAX_ATTEMPTS = 3;

/** A stored dataset. `problem` says why the stored state is not the present one. */
interface Stored {
  record: DatasetRecord;
  problem: Message | null;
}

/**
 * Copies all data to a folder while other work continues. Each dataset is stored in a state that could also follow a crash: first its
 * catalog rows, then its files, which are never older than the rows. The copy of the catalog gets the same rows, dataset by dataset.
 */
export function defineBackupTask(parts: BackupTaskParts): TaskDefinition<BackupInput, never> {
  const { backups, records, copyCatalog, clock, version, log } = parts;

  /** Copies an unreadable dataset from the previous backup, so that a damaged state does not replace an intact one. */
  const storeUnreadable = async (backup: BackupInWork, record: DatasetRecord): Promise<Stored> => {
    const carried = await backup.carryDataset(record.dataset_id);
    if (carried) return { record: carried, problem: message('backup_unreadable_dataset_carried') };
    await backup.storeFiles(record.dataset_id);
    return { record, problem: message('backup_unreadable_dataset_copied') };
  };

  /** @returns Undefined for a dataset that was deleted meanwhile. */
  const storeDataset = async (run: Run, backup: BackupInWork, datasetId: string): Promise<Stored | undefined> => {
    for (let attempt = 1; ; attempt += 1) {
      const record = records.read(datasetId);
      if (!record) return undefined;
      try {
        await backup.storeDataset(record);
        return { record, problem: null };
      } catch (error) {
        run.signal.throwIfAborted();
        if (isDiskFull(error)) throw error;
        const now = records.read(datasetId);
        if (now?.dataset.generation !== record.dataset.generation && attempt < MAX_ATTEMPTS) continue;
        log.error({ err: error, dataset_id: datasetId }, 'a dataset could not be backed up');
        return storeUnreadable(backup, record);
      }
    }
  };

  const storeDatasets = async (run: Run, backup: BackupInWork, copy: Catalog): Promise<StoredDataset[]> => {
    const copied = new DatasetRecordRepository(copy);
    const revisions = copied.listRevisions();
    const datasets: StoredDataset[] = [];
    for (const datasetId of records.listRevisions().keys()) {
      run.signal.throwIfAborted();
      const stored = await storeDataset(run, backup, datasetId);
      if (!stored) continue;
      const { record, problem } = stored;
      if (revisions.get(datasetId)?.revision !== record.revision) copied.restore(record);
      for (const { batch_id } of record.rows.media_folder ?? []) await backup.storeOriginals(String(batch_id));
      datasets.push(present(record, problem));
    }
    const isKept = new Set(datasets.map(({ dataset_id }) => dataset_id));
    for (const datasetId of copied.listRevisions().keys()) if (!isKept.has(datasetId)) copied.remove(datasetId);
    return datasets;
  };

  return defineTask<BackupInput, never>({
    type: 'BACKUP',
    input,
    lane: 'export',
    exclusive: false,
    recovery: 'resume',
    run: async (run) => {
      run.beginStep(message('step_comparing_with_the_previous_backup'), { from: 0, to: 0.02 }, null);
      const backup = await backups.begin(run.input.folder, {
        signal: run.signal,
        onBytes: (done, total) => run.reportDone(megabytes(done), megabytes(total)),
      });
      const copy = await copyCatalog();
      try {
        run.beginStep(message('step_copying_datasets_and_originals'), { from: 0.02, to: 0.9 }, null, 'megabytes');
        const datasets = await storeDatasets(run, backup, copy);
        run.beginStep(message('step_copying_models_and_the_catalog'), { from: 0.9, to: 0.95 }, null, 'megabytes');
        await backup.storeOthers();
        endOwnTasks(copy);
        await backup.storeCatalog((file) => copy.copyTo(file));
        run.beginStep(message('step_deleting_unneeded_data'), { from: 0.95, to: 0.99 }, null);
        const made = await backup.finish({ created_at: clock.iso(), version, datasets, keep: run.input.keep });
        run.commit(outcomeOf(made), () => undefined);
      } finally {
        copy.close();
        await backup.close();
      }
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'reset', begin: () => undefined },
  });
}

type Run = TaskRun<BackupInput, never>;

/** Removes the running backup task from the copy, so that it does not start again after a restore. */
function endOwnTasks(copy: Catalog): void {
  copy.run(
    `DELETE FROM task WHERE task_type IN ('BACKUP', 'DATASET_RESTORE', 'DATA_CHECK') AND dataset_id IS NULL
       AND status IN ('INITIALIZING', 'RUNNING')`,
  );
}

function present({ dataset_id, dataset }: DatasetRecord, problem: Message | null): StoredDataset {
  const { display_name, n_images, n_videos, n_objects } = dataset;
  return {
    dataset_id,
    name: String(display_name),
    n_images: Number(n_images),
    n_videos: Number(n_videos),
    n_objects: Number(n_objects),
    problem,
  };
}

function outcomeOf(made: { datasets: StoredDataset[]; bytes: number; new_bytes: number }): Message {
  const nUnread = made.datasets.filter(({ problem }) => problem !== null).length;
  const backedUp = message('task_backed_up', {
    datasets: counted('n_datasets', made.datasets.length),
    added: wholeNumber(megabytes(made.new_bytes)),
    all: wholeNumber(megabytes(made.bytes)),
  });
  return sentences(backedUp, nUnread > 0 && counted('datasets_unreadable', nUnread));
}
