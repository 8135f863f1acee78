import { createReadStream } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { readCsv } from '../manifests/read-csv.ts';
import { readText } from '../manifests/read-text.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';

/** A table on this machine. */
export type TableFile = { path: string; format: 'csv' } | { path: string; format: 'parquet'; open: OpenParquet };

export interface TableRow {
  line: number;
  /** The values of the requested columns in their order; null where the table lacks the column or the value. */
  values: unknown[];
  /** Reason why the row cannot be used. */
  problem?: Message;
}

/**
 * Reads the requested columns of a CSV or Parquet file in batches. Columns are identified by name, ignoring upper and lower case.
 * @param required Groups of columns; the file must have one column of each group.
 * @throws AppError `invalid_request` when a column is missing, or at the first row that cannot be read; AbortError.
 */
export async function* readTable(
  file: TableFile,
  requested: string[],
  required: string[][],
  signal: AbortSignal,
): AsyncGenerator<TableRow[]> {
  if (file.format === 'csv') yield* readCsvTable(file.path, requested, required, signal);
  else yield* readParquetTable(file.path, file.open, requested, required, signal);
}

async function* readCsvTable(
  path: string,
  requested: string[],
  required: string[][],
  signal: AbortSignal,
): AsyncGenerator<TableRow[]> {
  const text = readText(createReadStream(path), 'table_not_text');
  let places: number[] | undefined;
  let nColumns = 0;
  for await (const rows of readCsv(text, signal)) {
    let body = rows;
    const [first] = rows;
    if (places === undefined && first) {
      nColumns = first.values.length;
      places = placesOf(first.values, requested, required);
      body = rows.slice(1);
    }
    const at = places ?? [];
    yield body.map(({ line, values }) => toRow(line, values, at, nColumns));
  }
  if (places === undefined) throw new AppError('invalid_request', message('annotation_file_empty'));
}

function toRow(line: number, values: string[], places: number[], nColumns: number): TableRow {
  // Spreadsheets append empty cells to some rows and omit trailing ones from others.
  const nValues = values.findLastIndex((value) => value.trim() !== '') + 1;
  if (nValues > nColumns) {
    return { line, values: [], problem: message('row_too_long', { n: nValues, columns: nColumns }) };
  }
  return { line, values: places.map((place) => values[place] ?? null) };
}

async function* readParquetTable(
  path: string,
  open: OpenParquet,
  requested: string[],
  required: string[][],
  signal: AbortSignal,
): AsyncGenerator<TableRow[]> {
  const table = await open(path);
  try {
    const places = placesOf(table.columns, requested, required);
    const present = places.filter((place) => place >= 0).map((place) => table.columns[place] ?? '');
    const order = requested.map((_, at) => present.indexOf(table.columns[places[at] ?? -1] ?? ''));
    for await (const { first_row, rows } of table.rows(present, signal)) {
      yield rows.map((values, at) => ({ line: first_row + at, values: order.map((place) => values[place] ?? null) }));
    }
  } finally {
    await table.close();
  }
}

function placesOf(found: string[], requested: string[], required: string[][]): number[] {
  const names = found.map((name) => name.trim().toLowerCase());
  const missing = required.filter((group) => !group.some((name) => names.includes(name)));
  if (missing.length > 0) {
    const columns = missing.map((group) => group.join(' or ')).join(', ');
    const detail = message('columns_missing', { columns, found: found.slice(0, 20).join(', ') });
    throw new AppError('invalid_request', detail);
  }
  return requested.map((name) => names.indexOf(name));
}
