import { TASK_TYPES, type TaskType } from '../../contract/schemas/task.ts';
import type { LockMode } from './task-row.ts';

/** What is over when it answers, and holds a dataset until then as a task does. */
export type Holder = TaskType | 'SOURCE_MOVE';

/** Tasks that change a dataset or need it to stay as it is. */
const MAJOR = [
  'DATASET_CREATION',
  'MEDIA_ADDITION',
  'REINDEX',
  'ENRICHMENT',
  'CUSTOM_METADATA',
  'MEANING_ADDITION',
  'DATASET_RESTORE',
  'SNAPSHOT_RESTORE',
  'SNAPSHOT_CLONE',
  'SOURCE_MOVE',
] as const;

type Blockers = Record<Exclude<LockMode, 'kept'>, readonly Holder[]> & { kept?: readonly Holder[] };

/**
 * What blocks what: for each operation that changes a dataset, the task types that must not write to it (`exclusive`), read it
 * (`shared`) or need it to be there (`kept`) while it begins.
 */
export const BLOCKED_BY = {
  process_files: { exclusive: ['DATASET_CREATION'], shared: [] },
  add_media: { exclusive: MAJOR, shared: MAJOR },
  reindex: { exclusive: MAJOR, shared: MAJOR },
  move_source: { exclusive: MAJOR, shared: MAJOR },
  add_meaning: { exclusive: MAJOR, shared: MAJOR },
  enrich_dataset: { exclusive: MAJOR, shared: MAJOR },
  // A copy would lack the edit, and what is restored replaces it.
  edit: {
    exclusive: ['DATASET_CREATION', 'ENRICHMENT', 'DATASET_RESTORE', 'SNAPSHOT_RESTORE', 'SNAPSHOT_CLONE'],
    shared: ['ENRICHMENT'],
  },
  // Imports of several fields go on beside each other; a copy would lack part of the values.
  import_metadata: { exclusive: MAJOR, shared: ['ENRICHMENT'] },
  create_snapshot: { exclusive: MAJOR, shared: MAJOR },
  restore_snapshot: { exclusive: MAJOR, shared: MAJOR, kept: ['SNAPSHOT_CLONE'] },
  delete_snapshot: { exclusive: ['SNAPSHOT_RESTORE', 'SNAPSHOT_CLONE'], shared: [], kept: ['SNAPSHOT_CLONE'] },
  // What they would work on is about to be replaced; then they begin by themselves.
  lay_out_map: { exclusive: ['SNAPSHOT_RESTORE'], shared: [] },
  find_duplicates: { exclusive: ['SNAPSHOT_RESTORE'], shared: [] },
  // What writes to it is stopped; what is made of it needs it.
  delete_dataset: {
    exclusive: [],
    shared: TASK_TYPES.filter((type) => type !== 'CUSTOM_METADATA'),
    kept: TASK_TYPES,
  },
} as const satisfies Record<string, Blockers>;

export type BlockableOperation = keyof typeof BLOCKED_BY;

/** What blocks the operation, if any of those that hold the dataset does. */
export function blockingTask(
  operation: BlockableOperation,
  locks: readonly { task_type: Holder; mode: LockMode }[],
): Holder | undefined {
  const blockers: Blockers = BLOCKED_BY[operation];
  return locks.find(({ task_type, mode }) => blockers[mode]?.includes(task_type))?.task_type;
}

export function blockedMessage(operation: BlockableOperation, by: Holder): string {
  return `Operation '${operation}' is blocked while ${by} task is running`;
}
