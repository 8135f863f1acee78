import type { FieldType } from '../../../contract/schemas/custom-metadata.ts';
import { parseLabels, plainText } from '../../annotations/parse-labels.ts';
import { readTable, type TableFile } from '../../annotations/read-table.ts';
import type { ValueRow } from './read-value-rows.ts';

/** Returns the columns of a table that are read: the values of a field, and the columns that identify their items. */
export function valueColumns(column: string): { columns: string[]; required: string[][] } {
  const values = column.trim().toLowerCase();
  return { columns: ['media_id', 'filename', values], required: [['media_id', 'filename'], [values]] };
}

/**
 * Yields the rows of a column of a CSV or Parquet file, each identified by its `media_id`, or else by its `filename`. Empty cells are not
 * values.
 * @throws AppError `invalid_request` if the file lacks a column, or where it cannot be read as a table; AbortError.
 */
export async function* readValueTable(
  file: TableFile,
  column: string,
  field: { field_type: FieldType; is_multi: boolean },
  signal: AbortSignal,
): AsyncGenerator<ValueRow[]> {
  const { columns, required } = valueColumns(column);
  for await (const rows of readTable(file, columns, required, signal)) {
    yield rows.map(({ values: [mediaId, fileName, cell], problem }): ValueRow => {
      const value = valueOfCell(field, cell);
      const [id, name] = [plainText(mediaId).trim(), plainText(fileName).trim()];
      if (problem !== undefined) return { value, problem };
      if (value === null) return { value, is_empty: true };
      return id === '' && name !== '' ? { file_key: name, value } : { media_id: id, value };
    });
  }
}

/** Converts a cell. Tables may also have numbers as text, and lists as `["a", "b"]`. Returns null for an empty cell. */
function valueOfCell({ field_type, is_multi }: { field_type: FieldType; is_multi: boolean }, cell: unknown): unknown {
  if (cell instanceof Date) return cell.toISOString();
  if (is_multi) {
    const options = parseLabels(cell);
    return options.length === 0 ? null : options;
  }
  const text = plainText(cell).trim();
  if (text === '') return null;
  const number = Number(text);
  return field_type === 'float' && !Number.isNaN(number) ? number : text;
}
