import { z } from 'zod';
import { type Message, message, wholeNumber } from '../../contract/messages.ts';
import { checkedDataset } from '../../contract/schemas/recovery.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { ReadLimits } from '../ports/read-limits.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import type { DamageService } from './damage.service.ts';
import type { FindingNotices } from './finding-notices.ts';
import type { RecoveryService } from './recovery.service.ts';
import type { StoredDataCheck } from './stored-data-check.ts';

const input = z.object({
  /** Whether the check runs in the background, at limited speed, and includes the latest backup. */
  is_scrub: z.boolean().default(false),
});
export type CheckInput = z.infer<typeof input>;

/** Results of a check so far. */
export const checkFindings = z.object({
  n_datasets: z.int(),
  n_busy: z.int(),
  damaged: z.array(checkedDataset.omit({ problems: true })),
  read_bytes: z.int(),
  /** The backup that was read; null if none was. */
  backup_id: z.string().nullable(),
  /** Id of the last dataset that was checked; datasets are checked in the order of their ids. */
  after: z.string(),
});
export type CheckFindings = z.infer<typeof checkFindings>;

/** Number of bytes after which the number of read bytes is saved, for people to see. */
const SAVED_EVERY_BYTES = 16 * 1024 ** 2;

const NOTHING: CheckFindings = { n_datasets: 0, n_busy: 0, damaged: [], read_bytes: 0, backup_id: null, after: '' };

/**
 * Checks all stored data: the files of each dataset, the blocks of its snapshots, and each original against the checksum in its name.
 * Damaged data is computed again or restored from a backup if possible; other damage is reported.
 */
export function defineCheckDataTask(parts: {
  damage: DamageService;
  stored: StoredDataCheck;
  datasets: DatasetCatalog;
  recovery: Pick<RecoveryService, 'note' | 'noteOnce' | 'listAfter' | 'latestEventId'>;
  notices: FindingNotices;
  settings: SettingsService;
  /** Awaited between slices of the check, as in {@link ReadLimits}. */
  turn: () => Promise<void>;
}): TaskDefinition<CheckInput, CheckFindings> {
  const { damage, stored, datasets, recovery, notices, settings, turn } = parts;

  /** @returns The problems of a dataset; undefined for `inspected` if it was busy or in error. */
  const checkDataset = async (
    { dataset_id, display_name: name }: { dataset_id: string; display_name: string },
    { is_scrub }: CheckInput,
    { limits, onPart }: { limits: ReadLimits; onPart: (share: number) => void },
  ): Promise<{ inspected: Message[] | undefined; problems: Message[] }> => {
    const inspected = await damage.check(dataset_id, limits);
    onPart(1 / 3);
    const snapshots = await stored.checkSnapshots(dataset_id, limits);
    onPart(2 / 3);
    const originals = await stored.checkOriginals(dataset_id, limits);
    const restored = [...snapshots.restored, ...originals.restored];
    const lost = [...snapshots.lost, ...originals.lost];
    for (const finding of restored) recovery.note({ kind: 'repaired', dataset_id, name, finding });
    // Nobody waits for the result of a check in the background: what cannot be computed again is reported for people to read.
    if (is_scrub) for (const finding of lost) recovery.noteOnce({ kind: 'damaged', dataset_id, name, finding });
    return { inspected, problems: [...(inspected ?? []), ...restored, ...lost] };
  };

  /** Notifies the people who manage the service of events that the work records. */
  const notifying = async <T>(datasetId: string | null, work: () => Promise<T>): Promise<T> => {
    const before = recovery.latestEventId();
    const result = await work();
    const found = recovery.listAfter(before).filter(({ dataset_id }) => dataset_id === datasetId);
    notices.notify(found);
    return result;
  };

  const checkBackup = async (limits: ReadLimits): Promise<string | null> => {
    const { backup_id, findings } = await stored.checkLatestBackup(limits);
    const name = settings.get('BACKUP_FOLDER');
    for (const finding of findings) recovery.noteOnce({ kind: 'damaged', dataset_id: null, name, finding });
    return backup_id;
  };

  return defineTask<CheckInput, CheckFindings>({
    type: 'DATA_CHECK',
    input,
    lane: 'check',
    exclusive: false,
    recovery: 'resume',
    run: async (task) => {
      let findings: CheckFindings = { ...NOTHING, ...task.checkpoint };
      const { is_scrub } = task.input;
      let savedBytes = findings.read_bytes;
      const limits: ReadLimits = {
        signal: task.signal,
        turn,
        ...(is_scrub && { megabytes_per_s: settings.number('SCRUB_MB_PER_SECOND') }),
        onBytes: (bytes) => {
          findings.read_bytes += bytes;
          if (findings.read_bytes - savedBytes < SAVED_EVERY_BYTES) return;
          savedBytes = findings.read_bytes;
          task.saveCheckpoint(findings);
        },
      };
      damage.inspectFolders();
      const rows = datasets.listAll().toSorted((a, b) => (a.dataset_id < b.dataset_id ? -1 : 1));
      task.beginStep(message('step_checking_datasets'), { from: 0, to: 0.99 }, 100, 'percent');
      for (const [index, row] of rows.entries()) {
        const { dataset_id, display_name } = row;
        if (dataset_id <= findings.after) continue;
        task.signal.throwIfAborted();
        const onPart = (share: number) => task.reportDone(Math.floor(((index + share) / rows.length) * 100));
        const check = () => checkDataset(row, task.input, { limits, onPart });
        const { inspected, problems } = await (is_scrub ? notifying(dataset_id, check) : check());
        findings = {
          ...findings,
          n_datasets: findings.n_datasets + (inspected ? 1 : 0),
          n_busy: findings.n_busy + (inspected ? 0 : 1),
          damaged:
            problems.length === 0
              ? findings.damaged
              : [...findings.damaged, { dataset_id, name: display_name, findings: problems }],
          after: dataset_id,
        };
        task.saveCheckpoint(findings);
        onPart(1);
      }
      if (is_scrub) {
        task.beginStep(message('step_checking_the_latest_backup'), { from: 0.99, to: 1 }, null);
        findings.backup_id = await notifying(null, () => checkBackup(limits));
        task.saveCheckpoint(findings);
      }
      task.commit(outcomeOf(findings), () => undefined);
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'reset', begin: () => undefined },
  });
}

function outcomeOf({ n_datasets, n_busy, damaged }: CheckFindings): Message {
  const checked = { datasets: counted('n_datasets', n_datasets), damaged: wholeNumber(damaged.length) };
  return n_busy === 0
    ? message('task_checked', checked)
    : message('task_checked_in_part', { ...checked, busy: wholeNumber(n_busy) });
}
