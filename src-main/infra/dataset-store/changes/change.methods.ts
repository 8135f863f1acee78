import type { ChangeReads, ChangeWrites } from '../../../core/ports/changes.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';

export const changeMethods: MethodTable<ChangeReads, ChangeWrites> = {
  listKnownFiles: READ,
  listUsedFrames: READ,
  clear: WRITE,
  add: WRITE,
  takeVideos: WRITE,
  listSameSize: WRITE,
  takeKnownContent: WRITE,
  listImages: WRITE,
  saveResults: WRITE,
  count: WRITE,
  takeAnnotations: WRITE,
  finish: WRITE,
  listOrphanedFrames: WRITE,
  forgetOrphanedFrames: WRITE,
};
