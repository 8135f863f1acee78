import type { AnnotationReads, AnnotationWrites } from '../../../core/ports/annotations.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';

export const annotationMethods: MethodTable<AnnotationReads, AnnotationWrites> = {
  listProblems: READ,
  begin: WRITE,
  readNext: WRITE,
  listBoxes: WRITE,
  countBoxes: WRITE,
  saveBoxes: WRITE,
};
