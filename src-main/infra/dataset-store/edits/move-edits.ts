import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { RowMove } from './row-set.repository.ts';

/**
 * Moves users' edits of items or objects to the new rows that these got, including edits that can be undone and custom metadata of items.
 * Joins the caller's transaction.
 */
export function moveEdits({ rowSets, edits, metadata }: WriterRows, entityType: EntityType, move: RowMove): void {
  rowSets.moveRows(entityType, [move]);
  edits.moveRows(entityType, [move]);
  if (entityType === 'IMAGES') metadata.moveRow(move);
}
