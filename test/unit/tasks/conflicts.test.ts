import { describe, expect, it } from 'vitest';
import { formatMessage } from '../../../src-main/contract/messages.ts';
import { TASK_TYPES } from '../../../src-main/contract/schemas/task.ts';
import {
  BLOCKED_BY,
  type BlockableOperation,
  blockedMessage,
  blockingTask,
  type Holder,
} from '../../../src-main/core/tasks/conflicts.ts';
import type { LockMode } from '../../../src-main/core/tasks/task-row.ts';

const OPERATIONS = Object.keys(BLOCKED_BY) as BlockableOperation[];
const HOLDERS: readonly Holder[] = [...TASK_TYPES, 'SOURCE_MOVE'];
const MODES: readonly LockMode[] = ['exclusive', 'shared', 'kept'];

/** Tasks that replace or extend the dataset, or copy all of it. */
const CHANGING: readonly Holder[] = [
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
];
/** Operations that start such a task. */
const TO_CHANGE: readonly BlockableOperation[] = [
  'add_media',
  'reindex',
  'move_source',
  'add_meaning',
  'import_results',
  'enrich_dataset',
  'create_snapshot',
  'restore_snapshot',
];
/** Operations on rows that no other rows depend on. */
const SMALL: readonly BlockableOperation[] = ['edit', 'import_metadata'];
const BACKGROUND = HOLDERS.filter((holder) => !CHANGING.includes(holder));

/** Returns the tasks that block an operation when they lock the dataset in a mode, each one alone. */
function blockersOf(operation: BlockableOperation, mode: LockMode): Holder[] {
  return HOLDERS.filter((taskType) => blockingTask(operation, [{ task_type: taskType, mode }]) !== undefined);
}

const sorted = (holders: readonly Holder[]) => holders.toSorted();

describe('conflicts of operations', () => {
  it.each(TO_CHANGE)('%s waits for every task that changes the dataset, whether it writes or reads', (operation) => {
    expect(sorted(blockersOf(operation, 'exclusive'))).toEqual(sorted(CHANGING));
    expect(sorted(blockersOf(operation, 'shared'))).toEqual(sorted(CHANGING));
  });

  it('custom values wait for tasks that write the dataset, and edits for those that replace or copy it', () => {
    expect(sorted(blockersOf('import_metadata', 'exclusive'))).toEqual(sorted(CHANGING));
    const replacing = ['DATASET_CREATION', 'DATASET_RESTORE', 'ENRICHMENT', 'SNAPSHOT_CLONE', 'SNAPSHOT_RESTORE'];
    expect(sorted(blockersOf('edit', 'exclusive'))).toEqual(replacing);
  });

  it.each(SMALL)(
    '%s runs beside tasks that read, except an enrichment: its copy would lack the change',
    (operation) => {
      expect(blockersOf(operation, 'shared')).toEqual(['ENRICHMENT']);
    },
  );

  it('files are processed once the dataset is created', () => {
    expect(blockersOf('process_files', 'exclusive')).toEqual(['DATASET_CREATION']);
    expect(blockersOf('process_files', 'shared')).toEqual([]);
  });

  it.each(['lay_out_map', 'find_duplicates'] as const)('%s waits only for a restore', (operation) => {
    expect(blockersOf(operation, 'exclusive')).toEqual(['SNAPSHOT_RESTORE']);
    expect(blockersOf(operation, 'shared')).toEqual([]);
  });

  it('a snapshot that is restored or cloned is not deleted', () => {
    expect(sorted(blockersOf('delete_snapshot', 'exclusive'))).toEqual(['SNAPSHOT_CLONE', 'SNAPSHOT_RESTORE']);
    expect(blockersOf('delete_snapshot', 'shared')).toEqual([]);
  });

  it('a deletion stops tasks that write and waits for those that read, except imports of custom values', () => {
    expect(blockersOf('delete_dataset', 'exclusive')).toEqual([]);
    const readers = TASK_TYPES.filter((type) => type !== 'CUSTOM_METADATA');
    expect(sorted(blockersOf('delete_dataset', 'shared'))).toEqual(sorted(readers));
  });

  it('a dataset that a task needs to exist is not deleted, and no snapshot is restored while one is cloned', () => {
    for (const operation of OPERATIONS) {
      const expected: readonly Holder[] =
        operation === 'delete_dataset' ? TASK_TYPES : operation === 'restore_snapshot' ? ['SNAPSHOT_CLONE'] : [];
      expect(sorted(blockersOf(operation, 'kept')), operation).toEqual(sorted(expected));
    }
  });

  it('background work blocks only a deletion', () => {
    for (const mode of MODES) {
      const blocked = OPERATIONS.filter((operation) =>
        blockersOf(operation, mode).some((holder) => BACKGROUND.includes(holder)),
      );
      expect(blocked).toEqual(mode === 'exclusive' ? [] : ['delete_dataset']);
    }
  });

  it('the first of several blocking tasks is named', () => {
    const locks = [
      { task_type: 'EXPORT', mode: 'shared' },
      { task_type: 'REINDEX', mode: 'exclusive' },
      { task_type: 'MEDIA_ADDITION', mode: 'exclusive' },
    ] as const;
    expect(blockingTask('add_media', locks)).toBe('REINDEX');
    expect(blockingTask('add_media', [])).toBeUndefined();
  });

  it('the message is that of the interface', () => {
    expect(formatMessage(blockedMessage('add_media', 'MEDIA_ADDITION'))).toBe(
      "Operation 'add_media' is blocked while MEDIA_ADDITION task is running",
    );
  });
});
