import { z } from 'zod';
import { isDiskFull } from '../../contract/errors.ts';
import type { BackedUpDataset } from '../../contract/schemas/backup.ts';
import type { BackupInWork, Backups } from '../ports/backups.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetRecord } from '../ports/dataset-folders.ts';
import type { Log } from '../ports/log.ts';
import { amount, counted, megabytes } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import { DatasetRecordRepository } from './dataset-record.repository.ts';

const input = z.object({
  folder: z.string(),
  /** How many backups stay; all when null. */
  keep: z.int().min(1).nullable(),
});
export type BackupInput = z.infer<typeof input>;

export interface BackupTaskParts {
  backups: Backups;
  records: DatasetRecordRepository;
  /** A copy of the catalog as it is now, open. */
  copyCatalog: () => Promise<Catalog>;
  clock: Clock;
  version: string;
  log: Log;
}

/** A dataset may be switched to another generation while it is being read. */
const MAX_ATTEMPTS = 3;

/** What is kept of one dataset. */
interface Kept {
  record: DatasetRecord;
  problem: string | null;
}

/**
 * Copies everything to a folder while the app goes on. Each dataset is taken as its folder could have been found after a crash: first its
 * rows of the catalog, then its files, which are never older. The copy of the catalog is brought to the same moment, dataset by dataset.
 */
export function defineBackupTask(parts: BackupTaskParts): TaskDefinition<BackupInput, never> {
  const { backups, records, copyCatalog, clock, version, log } = parts;

  /** A dataset that cannot be read stays in the backup as it last was, so that nothing good is pushed out by what is damaged. */
  const keepUnreadable = async (backup: BackupInWork, record: DatasetRecord): Promise<Kept> => {
    const carried = await backup.carryDataset(record.dataset_id);
    if (carried) return { record: carried, problem: 'It could not be read; this is how the backup before has it' };
    await backup.keepFiles(record.dataset_id);
    return { record, problem: 'It could not be read; its files are kept as they are' };
  };

  /** @returns Undefined for one that was deleted meanwhile. */
  const keepDataset = async (run: Run, backup: BackupInWork, datasetId: string): Promise<Kept | undefined> => {
    for (let attempt = 1; ; attempt += 1) {
      const record = records.read(datasetId);
      if (!record) return undefined;
      try {
        await backup.keepDataset(record);
        return { record, problem: null };
      } catch (error) {
        run.signal.throwIfAborted();
        if (isDiskFull(error)) throw error;
        const now = records.read(datasetId);
        if (now?.dataset.generation !== record.dataset.generation && attempt < MAX_ATTEMPTS) continue;
        log.error({ err: error, dataset_id: datasetId }, 'a dataset could not be backed up');
        return keepUnreadable(backup, record);
      }
    }
  };

  const keepDatasets = async (run: Run, backup: BackupInWork, copy: Catalog): Promise<BackedUpDataset[]> => {
    const copied = new DatasetRecordRepository(copy);
    const revisions = copied.listRevisions();
    const datasets: BackedUpDataset[] = [];
    for (const datasetId of records.listRevisions().keys()) {
      run.signal.throwIfAborted();
      const kept = await keepDataset(run, backup, datasetId);
      if (!kept) continue;
      const { record, problem } = kept;
      if (revisions.get(datasetId)?.revision !== record.revision) copied.restore(record);
      for (const { batch_id } of record.rows.media_folder ?? []) await backup.keepOriginals(String(batch_id));
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
      run.beginStep('Comparing with the backup before', { from: 0, to: 0.02 }, null);
      const backup = await backups.begin(run.input.folder, {
        signal: run.signal,
        onBytes: (done, total) => run.reportDone(megabytes(done), megabytes(total)),
      });
      const copy = await copyCatalog();
      try {
        run.beginStep('Copying datasets and originals', { from: 0.02, to: 0.9 }, null, 'megabytes');
        const datasets = await keepDatasets(run, backup, copy);
        run.beginStep('Copying models and the catalog', { from: 0.9, to: 0.95 }, null, 'megabytes');
        await backup.keepOthers();
        endOwnTasks(copy);
        await backup.keepCatalog((file) => copy.copyTo(file));
        run.beginStep('Deleting what no backup needs', { from: 0.95, to: 0.99 }, null);
        const made = await backup.finish({ created_at: clock.iso(), version, datasets, keep: run.input.keep });
        run.commit(sentenceOf(made), () => undefined);
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

/** A backup must not begin where it is restored. */
function endOwnTasks(copy: Catalog): void {
  copy.run(
    `DELETE FROM task WHERE task_type IN ('BACKUP', 'DATASET_RESTORE', 'DATA_CHECK') AND dataset_id IS NULL
       AND status IN ('INITIALIZING', 'RUNNING')`,
  );
}

function present({ dataset_id, dataset }: DatasetRecord, problem: string | null): BackedUpDataset {
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

function sentenceOf(made: { datasets: BackedUpDataset[]; bytes: number; new_bytes: number }): string {
  const nUnread = made.datasets.filter(({ problem }) => problem !== null).length;
  const left = nUnread === 0 ? '' : `; ${amount(nUnread)} could not be read`;
  return `Backed up ${counted(made.datasets.length, 'dataset')}: ${amount(megabytes(made.new_bytes))} of ${amount(megabytes(made.bytes))} MB were new${left}`;
}
