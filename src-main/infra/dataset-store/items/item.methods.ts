import type { ItemReads } from '../../../core/ports/items.ts';
import { type MethodTable, READ } from '../thread/method-table.ts';

export const itemMethods: MethodTable<ItemReads, object> = {
  find: READ,
  locateOriginal: READ,
  locateThumbnail: READ,
  locateThumbnails: READ,
  listArrivals: READ,
  counts: READ,
};
