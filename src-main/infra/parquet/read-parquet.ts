import { type FileHandle, open } from 'node:fs/promises';
import {
  type AsyncBuffer,
  type DecodedArray,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type RowGroup,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { assertChecksum, type StatedChecksum } from '../files/file-checksum.ts';
import { type Lists, readLists } from './list-column.ts';

const BATCH_ROWS = 1000;
/** Maximum size of a batch of vectors. A batch takes two changes of threads, which take as long as a thousand short vectors. */
const VECTOR_BATCH = { rows: 8192, components: 2 ** 20 };
/** Maximum size of one row group in bytes: the requested columns of a group are in memory uncompressed. */
const MAX_GROUP_BYTES = 1024 ** 3;

export interface ParquetRows {
  /** Number of the batch's first row, from 1. */
  first_row: number;
  /** Values of each row in the order of the requested columns; null for missing values. */
  rows: unknown[][];
}

/** The vectors of a batch in one buffer, which another thread receives at once. */
export interface ParquetVectors extends Lists {
  /** Number of the batch's first row, from 1. */
  first_row: number;
  /** Values of the column that identifies the items. */
  ids: unknown[];
}

export interface ParquetTable {
  columns: string[];
  n_rows: number;
  /** Texts that the writer stored beside the rows. */
  key_values: Readonly<Record<string, string | undefined>>;
  /**
   * Yields the requested columns in batches of about a thousand rows; one row group is in memory at a time.
   * @throws AppError `invalid_request` when the content is damaged or a row group is too large; AbortError.
   */
  rows(columns: string[], signal: AbortSignal): AsyncGenerator<ParquetRows>;
  /** Yields a column of lists of numbers beside one of ids. @throws As {@link rows}. */
  vectors(idColumn: string, vectorColumn: string, signal: AbortSignal): AsyncGenerator<ParquetVectors>;
  close(): Promise<void>;
}

/**
 * Opens a Parquet file, with any compression of the format.
 * @param stated A checksum to compare first.
 * @throws AppError `invalid_request` when it is no Parquet file or has another checksum, `storage_failed` when it cannot be read.
 */
export async function openParquet(path: string, stated?: StatedChecksum): Promise<ParquetTable> {
  let file: FileHandle | undefined;
  try {
    if (stated) await assertChecksum(path, stated);
    file = await open(path);
    const bytes = await asBytes(file);
    const metadata = await parquetMetadataAsync(bytes, { geoparquet: false });
    const opened = file;
    return {
      columns: parquetSchema(metadata).children.map((column) => column.element.name),
      n_rows: Number(metadata.num_rows),
      key_values: Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value])),
      rows: (columns, signal) => readRows(bytes, metadata, columns, signal),
      vectors: (id, vector, signal) => readVectors(bytes, metadata, [id, vector], signal),
      close: () => opened.close(),
    };
  } catch (error) {
    await file?.close();
    throw parquetFailure(error);
  }
}

async function* readRows(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  signal: AbortSignal,
): AsyncGenerator<ParquetRows> {
  const groups = readGroups(file, metadata, columns, signal, (read) => Promise.all(columns.map((name) => read(name))));
  for await (const { first_row, n_rows, values } of groups) {
    for (const [from, to] of batchesOf(n_rows)) {
      signal.throwIfAborted();
      const batch = values.map((column) => column.slice(from, to));
      const rows = Array.from({ length: to - from }, (_, at) => batch.map((column) => column[at] ?? null));
      yield { first_row: first_row + from, rows };
    }
  }
}

async function* readVectors(
  file: AsyncBuffer,
  metadata: FileMetaData,
  [idColumn, vectorColumn]: [string, string],
  signal: AbortSignal,
): AsyncGenerator<ParquetVectors> {
  const groups = readGroups(file, metadata, [idColumn, vectorColumn], signal, async (read, group) => {
    const [ids, lists] = await Promise.all([read(idColumn), readLists(file, metadata, group, vectorColumn)]);
    const { components, ends } = lists ?? joined(await read(vectorColumn));
    return Object.assign([ids, ends] as const, { components });
  });
  for await (const { first_row, n_rows, values } of groups) {
    const [ids, ends] = values;
    const mostRows = Math.floor((VECTOR_BATCH.components * n_rows) / Math.max(1, values.components.length));
    for (const [from, to] of batchesOf(n_rows, Math.max(1, Math.min(VECTOR_BATCH.rows, mostRows)))) {
      signal.throwIfAborted();
      const start = ends[from - 1] ?? 0;
      yield {
        first_row: first_row + from,
        ids: Array.from(ids.slice(from, to)),
        components: values.components.slice(start, ends[to - 1]),
        ends: ends.slice(from, to).map((end) => end - start),
      };
    }
  }
}

/** Reads a column of a row group. */
type ReadColumn = (name: string) => Promise<DecodedArray>;

interface Group<Values> {
  /** Number of the group's first row, from 1. */
  first_row: number;
  n_rows: number;
  values: Values;
}

/**
 * Reads one row group after the other.
 * @param read Returns columns of a group.
 * @throws As {@link ParquetTable.rows}, also for a column that has not as many rows as the group.
 */
async function* readGroups<Values extends readonly { length: number }[]>(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  signal: AbortSignal,
  read: (read: ReadColumn, group: RowGroup) => Promise<Values>,
): AsyncGenerator<Group<Values>> {
  try {
    refuseLargeGroups(metadata, columns);
    const scan = await parquetScan({ file, metadata, columns, compressors, geoparquet: false });
    let rowEnd = 0;
    for (const group of metadata.row_groups) {
      signal.throwIfAborted();
      const rowStart = rowEnd;
      rowEnd += Number(group.num_rows);
      const values = await read((column) => scan.readColumn({ column, rowStart, rowEnd }), group);
      if (values.some((column) => column.length !== rowEnd - rowStart))
        throw new Error('a column has not as many rows as stated');
      yield { first_row: rowStart + 1, n_rows: rowEnd - rowStart, values };
    }
  } catch (error) {
    throw parquetFailure(error);
  }
}

/** Starts and ends of batches of rows. */
function* batchesOf(n: number, size = BATCH_ROWS): Generator<[from: number, to: number]> {
  for (let from = 0; from < n; from += size) yield [from, Math.min(n, from + size)];
}

/** Joins the lists among some values. */
function joined(values: ArrayLike<unknown>): Lists {
  const lists = Array.from(values, (value) => (Array.isArray(value) ? value : []));
  const ends = new Int32Array(lists.length);
  let end = 0;
  for (const [at, { length }] of lists.entries()) {
    end += length;
    ends[at] = end;
  }
  const components = Float32Array.from(lists.flat(), (value: unknown) =>
    typeof value === 'number' ? value : Number.NaN,
  );
  return { components, ends };
}

function refuseLargeGroups(metadata: FileMetaData, columns: string[]): void {
  for (const group of metadata.row_groups) {
    const bytes = group.columns
      .map((column) => column.meta_data)
      .filter((column) => columns.includes(column?.path_in_schema[0] ?? ''))
      .reduce((total, column) => total + Number(column?.total_uncompressed_size ?? 0), 0);
    if (bytes > MAX_GROUP_BYTES) {
      throw new AppError('invalid_request', message('parquet_row_group_too_large'));
    }
  }
}

async function asBytes(file: FileHandle): Promise<AsyncBuffer> {
  const { size } = await file.stat();
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const bytes = new ArrayBuffer(Math.max(0, Math.min(end, size) - start));
      const target = new Uint8Array(bytes);
      for (let done = 0; done < target.length; ) {
        const { bytesRead } = await file.read(target, done, target.length - done, start + done);
        if (bytesRead === 0) throw new Error('the file ends too early');
        done += bytesRead;
      }
      return bytes;
    },
  };
}

function parquetFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  if ('syscall' in error) return new AppError('storage_failed', message('parquet_unreadable'));
  return new AppError('invalid_request', message('parquet_invalid', { detail: error.message }));
}
