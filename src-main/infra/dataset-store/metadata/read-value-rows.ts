import { type Message, message } from '../../../contract/messages.ts';
import { readJsonArray } from '../../annotations/read-json-array.ts';

/** An uploaded row. */
export interface ValueRow {
  media_id?: unknown;
  /** Name of the file, as annotations spell it; replaces the id. */
  file_key?: string;
  value: unknown;
  /** The row has no value, which is not an error. */
  is_empty?: true;
  /** Why the row cannot be used. */
  problem?: Message;
}

/**
 * Yields the rows of a JSON array of `{media_id, value}` in batches, with constant memory.
 * @param onShare Receives the share of the file that was read, 0 to 1.
 * @throws AppError `invalid_request` where the file stops being such an array; errors of the file system.
 */
export async function* readValueRows(path: string, onShare: (share: number) => void): AsyncGenerator<ValueRow[]> {
  for await (const items of readJsonArray(path, onShare)) yield items.map(asRow);
}

function asRow(item: unknown): ValueRow {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { media_id: undefined, value: undefined, problem: message('value_row_incomplete') };
  }
  const { media_id, value } = item as Partial<ValueRow>;
  return { media_id, value };
}
