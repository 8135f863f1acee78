import { z } from 'zod';
import { type Message, message } from '../../contract/messages.ts';
import { checkedDataset } from '../../contract/schemas/recovery.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { Backups } from '../ports/backups.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { KeptOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { ReadLimits } from '../ports/read-limits.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { amount, counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import type { DamageService } from './damage.service.ts';
import type { DatasetRecordRepository } from './dataset-record.repository.ts';
import type { RecoveryService } from './recovery.service.ts';

const input = z.object({
  /** Whether the check runs in the background, at limited speed, and includes the last backup. */
  is_scrub: z.boolean().default(false),
});
export type CheckInput = z.infer<typeof input>;

/** Maximum number of snapshots named in a finding; others are only counted. */
const MAX_NAMED = 3;

/** Results of a check so far. */
export const checkFindings = z.object({
  n_datasets: z.int(),
  n_busy: z.int(),
  damaged: z.array(checkedDataset.omit({ problems: true })),
  /** Id of the last dataset that was checked; datasets are checked in the order of their ids. */
  after: z.string(),
});
export type CheckFindings = z.infer<typeof checkFindings>;

/**
 * Checks all stored data: the files of each dataset, the blocks of its snapshots, and each original against the checksum in its name.
 * Damaged data is computed again if possible; other damage is reported.
 */
export function defineCheckDataTask(parts: {
  damage: DamageService;
  datasets: DatasetCatalog;
  records: DatasetRecordRepository;
  folders: Pick<DatasetFolders, 'findDamagedSnapshots'>;
  originals: Pick<KeptOriginals, 'countDamaged'>;
  backups: Pick<Backups, 'list' | 'countDamaged'>;
  recovery: Pick<RecoveryService, 'noteOnce'>;
  settings: SettingsService;
  log: Log;
}): TaskDefinition<CheckInput, CheckFindings> {
  const { damage, datasets, records, folders, originals, backups, recovery, settings, log } = parts;

  const checkOriginals = async (datasetId: string, limits: ReadLimits): Promise<Message[]> => {
    let nDamaged = 0;
    for (const batchId of records.listFirstHeldMediaFolders(datasetId))
      nDamaged += await originals.countDamaged(batchId, limits);
    return nDamaged === 0 ? [] : [message('originals_damaged', { count: nDamaged })];
  };

  const checkSnapshots = async (datasetId: string, limits: ReadLimits): Promise<Message[]> => {
    const damaged = await folders.findDamagedSnapshots(datasetId, records.listSnapshots(datasetId).keys(), limits);
    // A snapshot may have been deleted meanwhile.
    const left = records.listSnapshots(datasetId);
    const names = damaged.flatMap((snapshotId) => left.get(snapshotId) ?? []);
    return names.length === 0 ? [] : [snapshotsDamaged(names)];
  };

  /** Reads the last backup of the folder in the settings, if there is one. A folder that is away is no finding. */
  const checkLastBackup = async (limits: ReadLimits): Promise<void> => {
    const folder = settings.get('BACKUP_FOLDER');
    if (folder === '') return;
    try {
      const [last] = await backups.list(folder);
      if (!last) return;
      const count = await backups.countDamaged(folder, last.backup_id, limits);
      if (count === 0) return;
      const finding = message('backup_damaged', { count });
      recovery.noteOnce({ kind: 'damaged', dataset_id: null, name: last.backup_id, finding });
    } catch (error) {
      limits.signal.throwIfAborted();
      log.warn({ err: error }, 'the last backup could not be checked');
    }
  };

  return defineTask<CheckInput, CheckFindings>({
    type: 'DATA_CHECK',
    input,
    lane: 'check',
    exclusive: false,
    recovery: 'resume',
    run: async (task) => {
      let findings: CheckFindings = { n_datasets: 0, n_busy: 0, damaged: [], after: '', ...task.checkpoint };
      const { is_scrub } = task.input;
      const limits = {
        signal: task.signal,
        ...(is_scrub && { megabytes_per_s: settings.number('SCRUB_MB_PER_SECOND') }),
      };
      damage.inspectFolders();
      const rows = datasets.listAll().toSorted((a, b) => (a.dataset_id < b.dataset_id ? -1 : 1));
      task.beginStep('Checking datasets', { from: 0, to: 0.99 }, rows.length);
      for (const [index, { dataset_id, display_name }] of rows.entries()) {
        if (dataset_id <= findings.after) continue;
        task.signal.throwIfAborted();
        const found = await damage.check(dataset_id, limits);
        const stored = [...(await checkSnapshots(dataset_id, limits)), ...(await checkOriginals(dataset_id, limits))];
        // Nobody waits for the result of a check in the background: what cannot be computed again is reported for people to read.
        if (is_scrub) {
          for (const finding of stored) recovery.noteOnce({ kind: 'damaged', dataset_id, name: display_name, finding });
        }
        const problems = [...(found ?? []), ...stored];
        findings = {
          n_datasets: findings.n_datasets + (found ? 1 : 0),
          n_busy: findings.n_busy + (found ? 0 : 1),
          damaged:
            problems.length === 0
              ? findings.damaged
              : [...findings.damaged, { dataset_id, name: display_name, findings: problems }],
          after: dataset_id,
        };
        task.saveCheckpoint(findings);
        task.reportDone(index + 1);
      }
      if (is_scrub) {
        task.beginStep('Checking the last backup', { from: 0.99, to: 1 }, null);
        await checkLastBackup(limits);
      }
      task.commit(sentenceOf(findings), () => undefined);
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'reset', begin: () => undefined },
  });
}

function sentenceOf({ n_datasets, n_busy, damaged }: CheckFindings): string {
  const busy = n_busy === 0 ? '' : `, ${amount(n_busy)} busy or in error`;
  return `${counted(n_datasets, 'dataset')} checked, ${amount(damaged.length)} damaged${busy}`;
}

function snapshotsDamaged(damaged: readonly string[]): Message {
  const named = damaged.slice(0, MAX_NAMED).map((name) => `"${name}"`);
  const more = damaged.length > MAX_NAMED ? [`${amount(damaged.length - MAX_NAMED)} more`] : [];
  return message('snapshots_damaged', {
    count: damaged.length,
    names: [...named, ...more].join(', '),
  });
}
