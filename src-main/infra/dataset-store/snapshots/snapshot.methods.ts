import type { SnapshotWrites } from '../../../core/ports/snapshots.ts';
import { type MethodTable, WRITE } from '../thread/method-table.ts';

export const snapshotMethods: MethodTable<object, SnapshotWrites> = {
  copyTo: WRITE,
  takeState: WRITE,
  create: WRITE,
};
