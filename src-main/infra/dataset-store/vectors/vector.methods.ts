import type { VectorReads, VectorWrites } from '../../../core/ports/vectors.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';

export const vectorMethods: MethodTable<VectorReads, VectorWrites> = {
  findSpace: READ,
  sample: { ...READ, asksEngine: true },
  countIndexed: READ,
  countUnindexed: READ,
  listCopies: READ,
  openSpace: WRITE,
  prepareIndex: WRITE,
  prepareCopies: WRITE,
  deleteCopies: WRITE,
  publishIndex: WRITE,
};
