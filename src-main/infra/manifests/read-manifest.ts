import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import { findLocationColumn, LOCATION_COLUMNS } from './location-column.ts';
import { readCsv } from './read-csv.ts';
import { readText } from './read-text.ts';

const BATCH = 1000;
/** Maximum length of a line of a list in characters. */
const MAX_LINE_CHARACTERS = 64 * 1024;
/** Maximum number of columns in the error for a table without an accepted column name. */
const SHOWN_COLUMNS = 20;

export type ManifestFormat = 'csv' | 'txt' | 'parquet';

/** One media file in a manifest. */
export interface ManifestEntry {
  /** The location as written, without surrounding spaces: a URL, an absolute path, or a path relative to the manifest's folder. */
  uri: string;
  /** Line number in a text, row number in a Parquet file; both from 1. */
  line: number;
}

/** A manifest on this machine, or one that is being uploaded; a Parquet file must be on this machine, because it is read from its end. */
export type ManifestSource =
  | { format: 'csv' | 'txt'; content: string | Readable }
  | { format: 'parquet'; content: string; open: OpenParquet };

/** Format of a manifest by its file name; null when the name is not that of a manifest. */
export function manifestFormat(name: string): ManifestFormat | null {
  const extension = /\.(csv|txt|parquet)$/i.exec(name)?.[1]?.toLowerCase();
  return extension === 'csv' || extension === 'txt' || extension === 'parquet' ? extension : null;
}

/**
 * Yields a manifest's entries, in order and in batches of about a thousand, with constant memory use (Parquet: one column of one row
 * group).
 *
 * - `txt`: one location per line; blank lines and lines that begin with `#` are skipped.
 * - `csv`: the column of {@link LOCATION_COLUMNS}; a table of one column needs no header.
 * - `parquet`: the same column.
 * @throws AppError `invalid_request` when there is no such column, a row cannot be read or has no location, or the manifest has no entries;
 * `storage_failed` when the file cannot be read; AbortError.
 */
export async function* readManifest(source: ManifestSource, signal: AbortSignal): AsyncGenerator<ManifestEntry[]> {
  signal.throwIfAborted();
  let nEntries = 0;
  try {
    for await (const batch of entriesOf(source, signal)) {
      nEntries += batch.length;
      yield batch;
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new AppError('storage_failed', message('manifest_unreadable'));
    }
    throw error;
  }
  if (nEntries === 0) throw new AppError('invalid_request', message('manifest_empty'));
}

function entriesOf(source: ManifestSource, signal: AbortSignal): AsyncIterable<ManifestEntry[]> {
  if (source.format === 'parquet') return fromParquet(source.content, source.open, signal);
  const bytes = typeof source.content === 'string' ? createReadStream(source.content) : source.content;
  const text = readText(bytes, 'manifest_not_text');
  return source.format === 'csv' ? fromCsv(text, signal) : fromList(text, signal);
}

async function* fromList(text: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<ManifestEntry[]> {
  let batch: ManifestEntry[] = [];
  let line = 0;
  const add = (written: string) => {
    line += 1;
    const uri = written.trim();
    if (uri !== '' && !uri.startsWith('#')) batch.push({ uri, line });
  };
  let rest = '';
  for await (const piece of text) {
    signal.throwIfAborted();
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) {
      throw new AppError('invalid_request', message('manifest_line_too_long', { line: line + lines.length + 1 }));
    }
    for (const written of lines) add(written);
    while (batch.length >= BATCH) {
      yield batch.slice(0, BATCH);
      batch = batch.slice(BATCH);
    }
  }
  add(rest);
  if (batch.length > 0) yield batch;
}

async function* fromCsv(text: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<ManifestEntry[]> {
  let column: number | undefined;
  let nColumns = 0;
  for await (const rows of readCsv(text, signal)) {
    let entries = rows;
    const [first] = rows;
    if (column === undefined && first) {
      column = findLocationColumn(first.values);
      nColumns = first.values.length;
      if (column >= 0) entries = rows.slice(1);
      else if (isLocation(first.values)) column = 0;
      else throw missingColumn(first.values);
    }
    const at = column ?? 0;
    yield entries.map(({ line, values }) => {
      if (values.length !== nColumns) {
        const detail = message('manifest_row_uneven', { line, n: values.length, columns: nColumns });
        throw new AppError('invalid_request', detail);
      }
      return toEntry(values[at], line, 'line');
    });
  }
}

async function* fromParquet(path: string, open: OpenParquet, signal: AbortSignal): AsyncGenerator<ManifestEntry[]> {
  const table = await open(path);
  try {
    const column = table.columns[findLocationColumn(table.columns)];
    if (column === undefined) throw missingColumn(table.columns);
    for await (const { first_row, rows } of table.rows([column], signal)) {
      yield rows.map(([value], at) => toEntry(value, first_row + at, 'row'));
    }
  } finally {
    await table.close();
  }
}

function toEntry(value: unknown, line: number, unit: 'line' | 'row'): ManifestEntry {
  const uri = typeof value === 'string' ? value.trim() : '';
  if (uri === '') throw new AppError('invalid_request', message('manifest_without_location', { unit, line }));
  return { uri, line };
}

/** Whether the first row of a one-column table is a location and not an unknown header. */
function isLocation(values: string[]): boolean {
  return values.length === 1 && /[./\\]/.test(values[0] ?? '');
}

function missingColumn(found: string[]): AppError {
  const shown = found.slice(0, SHOWN_COLUMNS).map((name) => name.trim().slice(0, 80));
  if (found.length > SHOWN_COLUMNS) shown.push('…');
  const names = { accepted: LOCATION_COLUMNS.join(', '), found: shown.join(', ') };
  return new AppError('invalid_request', message('manifest_column_missing', names));
}
