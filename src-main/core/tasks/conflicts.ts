import type { TaskType } from '../../contract/schemas/task.ts';

/**
 * What blocks what: for each operation that changes a dataset, the task types that must not be running on it. The catalog's unique
 * index on exclusive tasks enforces the same between two requests at one instant; this table words the refusal.
 */
export const BLOCKED_BY = {
  create_dataset: ['DATASET_CREATION'],
  process_files: ['DATASET_CREATION'],
  add_media: ['DATASET_CREATION', 'MEDIA_ADDITION', 'REINDEX', 'ENRICHMENT', 'MEANING_ADDITION', 'SNAPSHOT_RESTORE'],
  reindex: ['DATASET_CREATION', 'MEDIA_ADDITION', 'REINDEX', 'ENRICHMENT', 'MEANING_ADDITION', 'SNAPSHOT_RESTORE'],
  move_source: ['DATASET_CREATION', 'MEDIA_ADDITION', 'REINDEX', 'ENRICHMENT', 'MEANING_ADDITION', 'SNAPSHOT_RESTORE'],
  add_meaning: ['DATASET_CREATION', 'MEDIA_ADDITION', 'REINDEX', 'ENRICHMENT', 'MEANING_ADDITION', 'SNAPSHOT_RESTORE'],
  enrich_dataset: [
    'DATASET_CREATION',
    'MEDIA_ADDITION',
    'REINDEX',
    'ENRICHMENT',
    'MEANING_ADDITION',
    'SNAPSHOT_RESTORE',
  ],
} as const satisfies Record<string, readonly TaskType[]>;

export type BlockableOperation = keyof typeof BLOCKED_BY;

/** The running task type that blocks the operation, if any. */
export function blockingTask(operation: BlockableOperation, running: readonly TaskType[]): TaskType | undefined {
  const blockers: readonly TaskType[] = BLOCKED_BY[operation];
  return running.find((type) => blockers.includes(type));
}

export function blockedMessage(operation: BlockableOperation, by: TaskType): string {
  return `Operation '${operation}' is blocked while ${by} task is running`;
}
