import type { DuplicateReads, DuplicateWrites } from '../../../core/ports/duplicates.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';
import { needsOfConditions } from '../thread/needs.ts';

export const duplicateMethods: MethodTable<DuplicateReads, DuplicateWrites> = {
  list: { ...READ, needs: ({ conditions }) => needsOfConditions('IMAGES', conditions) },
  prepareCandidates: WRITE,
  beginComparisons: WRITE,
  listComparisons: WRITE,
  saveComparisons: WRITE,
};
