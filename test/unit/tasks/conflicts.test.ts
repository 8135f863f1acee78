import { describe, expect, it } from 'vitest';
import { TASK_TYPES, type TaskType } from '../../../src-main/contract/schemas/task.ts';
import {
  BLOCKED_BY,
  type BlockableOperation,
  blockedMessage,
  blockingTask,
} from '../../../src-main/core/tasks/conflicts.ts';
import type { LockMode } from '../../../src-main/core/tasks/task-row.ts';

/** Task types in the order of the table's columns; `x` blocks a beginning operation when it writes, then when it reads. */
const COLUMNS: TaskType[] = [
  'DATASET_CREATION',
  'MEDIA_ADDITION',
  'REINDEX',
  'ENRICHMENT',
  'MEANING_ADDITION',
  'MODEL_DOWNLOAD',
  'MODEL_IMPORT',
  'BACKUP',
  'DATASET_RESTORE',
  'DATA_CHECK',
  'CUSTOM_METADATA',
  'SNAPSHOT_RESTORE',
  'SNAPSHOT_CLONE',
  'DUPLICATE_DETECTION',
  'PROJECTION',
];
const TABLE: Record<BlockableOperation, Record<LockMode, string>> = {
  process_files: { exclusive: 'x--------------', shared: '---------------' },
  add_media: { exclusive: 'xxxxx---x-xx---', shared: 'xxxxx---x-xx---' },
  reindex: { exclusive: 'xxxxx---x-xx---', shared: 'xxxxx---x-xx---' },
  move_source: { exclusive: 'xxxxx---x-xx---', shared: 'xxxxx---x-xx---' },
  add_meaning: { exclusive: 'xxxxx---x-xx---', shared: 'xxxxx---x-xx---' },
  enrich_dataset: { exclusive: 'xxxxx---x-xx---', shared: 'xxxxx---x-xx---' },
  import_metadata: { exclusive: 'xxxxx---x-xx---', shared: '---x--------x--' },
  edit: { exclusive: 'x--x----x--x---', shared: '---x--------x--' },
  delete_dataset: { exclusive: '---------------', shared: 'xxxxxxxxxx-xxxx' },
};

const cases = (Object.keys(BLOCKED_BY) as BlockableOperation[]).flatMap((operation) =>
  (['exclusive', 'shared'] as const).flatMap((mode) =>
    COLUMNS.map((taskType, at) => ({
      operation,
      mode,
      task_type: taskType,
      blocks: TABLE[operation][mode][at] === 'x',
    })),
  ),
);

describe('what blocks what', () => {
  it('has a column for every type', () => {
    expect(COLUMNS.toSorted()).toEqual([...TASK_TYPES].toSorted());
  });

  it.each(cases)('$operation while $task_type holds $mode: $blocks', ({ operation, mode, task_type, blocks }) => {
    expect(blockingTask(operation, [{ task_type, mode }])).toBe(blocks ? task_type : undefined);
  });

  it('is worded as the interface words it', () => {
    expect(blockedMessage('add_media', 'MEDIA_ADDITION')).toBe(
      "Operation 'add_media' is blocked while MEDIA_ADDITION task is running",
    );
  });
});
