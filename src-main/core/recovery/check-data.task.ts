import { z } from 'zod';
import { type Message, message } from '../../contract/messages.ts';
import { checkedDataset } from '../../contract/schemas/recovery.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { KeptOriginals } from '../ports/files.ts';
import { amount, counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import type { DamageService } from './damage.service.ts';
import type { DatasetRecordRepository } from './dataset-record.repository.ts';

const input = z.object({});

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
  datasets: DatasetService;
  records: DatasetRecordRepository;
  folders: Pick<DatasetFolders, 'findDamagedSnapshots'>;
  originals: Pick<KeptOriginals, 'countDamaged'>;
}): TaskDefinition<Record<string, never>, CheckFindings> {
  const { damage, datasets, records, folders, originals } = parts;

  const checkOriginals = async (datasetId: string, signal: AbortSignal): Promise<Message[]> => {
    let nDamaged = 0;
    for (const batchId of records.listFirstHeldMediaFolders(datasetId))
      nDamaged += await originals.countDamaged(batchId, signal);
    return nDamaged === 0 ? [] : [message('originals_damaged', { count: nDamaged })];
  };

  const checkSnapshots = async (datasetId: string, signal: AbortSignal): Promise<Message[]> => {
    const damaged = await folders.findDamagedSnapshots(datasetId, records.listSnapshots(datasetId).keys(), signal);
    // A snapshot may have been deleted meanwhile.
    const left = records.listSnapshots(datasetId);
    const names = damaged.flatMap((snapshotId) => left.get(snapshotId) ?? []);
    return names.length === 0 ? [] : [snapshotsDamaged(names)];
  };

  return defineTask<Record<string, never>, CheckFindings>({
    type: 'DATA_CHECK',
    input,
    lane: 'quick',
    exclusive: false,
    recovery: 'resume',
    run: async (task) => {
      let findings: CheckFindings = { n_datasets: 0, n_busy: 0, damaged: [], after: '', ...task.checkpoint };
      damage.inspectFolders();
      const rows = datasets.listAll().toSorted((a, b) => (a.dataset_id < b.dataset_id ? -1 : 1));
      task.beginStep('Checking datasets', { from: 0, to: 0.99 }, rows.length);
      for (const [index, { dataset_id, display_name }] of rows.entries()) {
        if (dataset_id <= findings.after) continue;
        task.signal.throwIfAborted();
        const found = await damage.check(dataset_id);
        const problems = [
          ...(found ?? []),
          ...(await checkSnapshots(dataset_id, task.signal)),
          ...(await checkOriginals(dataset_id, task.signal)),
        ];
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
