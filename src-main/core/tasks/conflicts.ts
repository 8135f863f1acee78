import { type Message, message } from '../../contract/messages.ts';
import { TASK_TYPES, type TaskType } from '../../contract/schemas/task.ts';
import type { LockMode } from './task-row.ts';

/** A task type, or an operation that locks a dataset like a task until it returns. */
export type Holder = TaskType | 'SOURCE_MOVE';

/** Tasks that change a dataset or need it to stay unchanged. */
const MAJOR = [
  'DATASET_CREATION',
  'MEDIA_ADDITION',
  'REINDEX',
  'ENRICHMENT',
  'CUSTOM_METADATA',
  'MEANING_ADDITION',
  'RESULT_IMPORT',
  'DATASET_RESTORE',
  'SNAPSHOT_RESTORE',
  'SNAPSHOT_CLONE',
  'SOURCE_MOVE',
] as const;

type Blockers = Record<Exclude<LockMode, 'kept'>, readonly Holder[]> & { kept?: readonly Holder[] };

/**
 * For each operation that changes a dataset, the task types that block its start: those that write to the dataset (`exclusive`), read it
 * (`shared`) or only need it to exist (`kept`).
 */
export const BLOCKED_BY = {
  process_files: { exclusive: ['DATASET_CREATION'], shared: [] },
  add_media: { exclusive: MAJOR, shared: MAJOR },
  reindex: { exclusive: MAJOR, shared: MAJOR },
  move_source: { exclusive: MAJOR, shared: MAJOR },
  add_meaning: { exclusive: MAJOR, shared: MAJOR },
  import_results: { exclusive: MAJOR, shared: MAJOR },
  enrich_dataset: { exclusive: MAJOR, shared: MAJOR },
  // A copy would lack the edit, and a restore would overwrite it.
  edit: {
    exclusive: ['DATASET_CREATION', 'ENRICHMENT', 'DATASET_RESTORE', 'SNAPSHOT_RESTORE', 'SNAPSHOT_CLONE'],
    shared: ['ENRICHMENT'],
  },
  // Imports of several fields may run at the same time; a copy would lack part of the values.
  import_metadata: { exclusive: MAJOR, shared: ['ENRICHMENT'] },
  create_snapshot: { exclusive: MAJOR, shared: MAJOR },
  restore_snapshot: { exclusive: MAJOR, shared: MAJOR, kept: ['SNAPSHOT_CLONE'] },
  // A clone blocks only the snapshot that it is made from, until it has the snapshot's files; the service of snapshots checks that.
  delete_snapshot: { exclusive: ['SNAPSHOT_RESTORE', 'SNAPSHOT_CLONE'], shared: [] },
  // A restore is about to replace the data of these tasks; they start automatically after it.
  lay_out_map: { exclusive: ['SNAPSHOT_RESTORE'], shared: [] },
  find_duplicates: { exclusive: ['SNAPSHOT_RESTORE'], shared: [] },
  place_vectors: { exclusive: ['SNAPSHOT_RESTORE'], shared: [] },
  // Tasks that write to the dataset are stopped; copies that are made of it still need it.
  delete_dataset: {
    exclusive: [],
    shared: TASK_TYPES.filter((type) => type !== 'CUSTOM_METADATA'),
    kept: TASK_TYPES,
  },
} as const satisfies Record<string, Blockers>;

export type BlockableOperation = keyof typeof BLOCKED_BY;

/** Returns the holder that blocks the operation; undefined if none does. */
export function blockingTask(
  operation: BlockableOperation,
  locks: readonly { task_type: Holder; mode: LockMode }[],
): Holder | undefined {
  const blockers: Blockers = BLOCKED_BY[operation];
  return locks.find(({ task_type, mode }) => blockers[mode]?.includes(task_type))?.task_type;
}

export function blockedMessage(operation: BlockableOperation, by: Holder): Message {
  return message('operation_blocked', { operation, by });
}
