import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

const ITEM_COLUMNS = ['media_id', 'filename'];
const VECTOR_COLUMNS = ['vector', 'embedding', 'embeddings'];

/**
 * Returns the names of the columns that identify the item and hold the vector in a table of embeddings.
 * @throws AppError `invalid_request` with the missing column.
 */
export function embeddingColumns(columns: readonly string[]): { item: string; vector: string } {
  const item = ITEM_COLUMNS.find((name) => columns.includes(name));
  if (item === undefined) throw new AppError('invalid_request', message('embedding_item_column_missing'));
  const others = columns.filter((name) => !ITEM_COLUMNS.includes(name));
  const vector = VECTOR_COLUMNS.find((name) => others.includes(name)) ?? (others.length === 1 ? others[0] : undefined);
  if (vector === undefined) throw new AppError('invalid_request', message('embedding_vector_column_missing'));
  return { item, vector };
}
