import { describe, expect, it } from 'vitest';
import { TASK_TYPES } from '../../../src-main/contract/schemas/task.ts';
import {
  BLOCKED_BY,
  type BlockableOperation,
  blockedMessage,
  blockingTask,
  type Holder,
} from '../../../src-main/core/tasks/conflicts.ts';
import type { LockMode } from '../../../src-main/core/tasks/task-row.ts';

/** Task types in the order of the table's columns; `x` blocks a beginning operation when it writes, when it reads, and when it needs the dataset to be there. */
const COLUMNS: Holder[] = [
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
  'EXPORT',
  'SOURCE_MOVE',
];
const NONE = '-'.repeat(COLUMNS.length);
const ALL = `${'x'.repeat(TASK_TYPES.length)}-`;
const MAJOR = 'xxxxx---x-xxx---x';
const TABLE: Record<BlockableOperation, Record<LockMode, string>> = {
  process_files: { exclusive: 'x----------------', shared: NONE, kept: NONE },
  add_media: { exclusive: MAJOR, shared: MAJOR, kept: NONE },
  reindex: { exclusive: MAJOR, shared: MAJOR, kept: NONE },
  move_source: { exclusive: MAJOR, shared: MAJOR, kept: NONE },
  add_meaning: { exclusive: MAJOR, shared: MAJOR, kept: NONE },
  enrich_dataset: { exclusive: MAJOR, shared: MAJOR, kept: NONE },
  import_metadata: { exclusive: MAJOR, shared: '---x-------------', kept: NONE },
  edit: { exclusive: 'x--x----x--xx----', shared: '---x-------------', kept: NONE },
  create_snapshot: { exclusive: MAJOR, shared: MAJOR, kept: NONE },
  restore_snapshot: { exclusive: MAJOR, shared: MAJOR, kept: '------------x----' },
  delete_snapshot: { exclusive: '-----------xx----', shared: NONE, kept: '------------x----' },
  lay_out_map: { exclusive: '-----------x-----', shared: NONE, kept: NONE },
  find_duplicates: { exclusive: '-----------x-----', shared: NONE, kept: NONE },
  delete_dataset: { exclusive: NONE, shared: 'xxxxxxxxxx-xxxxx-', kept: ALL },
};

const cases = (Object.keys(BLOCKED_BY) as BlockableOperation[]).flatMap((operation) =>
  (['exclusive', 'shared', 'kept'] as const).flatMap((mode) =>
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
    expect(COLUMNS.toSorted()).toEqual([...TASK_TYPES, 'SOURCE_MOVE'].toSorted());
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
