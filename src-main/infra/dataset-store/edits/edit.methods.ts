import type { EditReads, EditWrites } from '../../../core/ports/edits.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';

export const editMethods: MethodTable<EditReads, EditWrites> = {
  list: READ,
  listTags: READ,
  findNameable: READ,
  addTag: WRITE,
  renameTag: WRITE,
  deleteTag: WRITE,
  nameCluster: WRITE,
  apply: WRITE,
  undo: WRITE,
};
