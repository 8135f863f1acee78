import type { IntakeReads, IntakeWrites } from '../../../core/ports/intake.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';

export const intakeMethods: MethodTable<IntakeReads, IntakeWrites> = {
  listSources: READ,
  sampleLocations: READ,
  listBatches: READ,
  listFileErrors: READ,
  countUnfinished: READ,
  settle: WRITE,
  addSource: WRITE,
  ensureFolderSource: WRITE,
  moveSource: WRITE,
  addBatch: WRITE,
  discardBatch: WRITE,
  addFiles: WRITE,
  addUploads: WRITE,
  knownPaths: WRITE,
  listRemote: WRITE,
  saveFetched: WRITE,
  listPending: WRITE,
  saveVideo: WRITE,
  failFile: WRITE,
  saveResults: WRITE,
  retryFailed: WRITE,
};
