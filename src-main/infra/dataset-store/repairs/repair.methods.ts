import type { RepairWrites } from '../../../core/ports/repairs.ts';
import { type MethodTable, WRITE } from '../thread/method-table.ts';

export const repairMethods: MethodTable<object, RepairWrites> = {
  findDamage: WRITE,
  countLost: WRITE,
  listLostItems: WRITE,
  saveItems: WRITE,
  listLostObjects: WRITE,
  saveObjects: WRITE,
};
