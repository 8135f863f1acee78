import { type FileHandle, open } from 'node:fs/promises';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetScan, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

const BATCH_ROWS = 1000;
/** Maximum size of one row group in bytes: the requested columns of a group are in memory uncompressed. */
const MAX_GROUP_BYTES = 1024 ** 3;

export interface ParquetRows {
  /** Number of the batch's first row, from 1. */
  first_row: number;
  /** Values of each row in the order of the requested columns; null for missing values. */
  rows: unknown[][];
}

/** The vectors of a batch in one buffer, which another thread receives at once. */
export interface ParquetVectors {
  /** Number of the batch's first row, from 1. */
  first_row: number;
  /** Values of the column that identifies the items. */
  ids: unknown[];
  /** Components of all vectors, one vector after the other. A component that is no number is NaN. */
  components: Float32Array;
  /** For each row, the number of components up to the end of its vector. A row without a list has no components. */
  ends: Int32Array;
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
 * @throws AppError `invalid_request` when it is no Parquet file, `storage_failed` when it cannot be read.
 */
export async function openParquet(path: string): Promise<ParquetTable> {
  let file: FileHandle | undefined;
  try {
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

async function* readRows(...args: Parameters<typeof readBatches>): AsyncGenerator<ParquetRows> {
  for await (const { first_row, n_rows, columns } of readBatches(...args)) {
    yield { first_row, rows: Array.from({ length: n_rows }, (_, at) => columns.map((column) => column[at] ?? null)) };
  }
}

async function* readVectors(...args: Parameters<typeof readBatches>): AsyncGenerator<ParquetVectors> {
  for await (const { first_row, columns } of readBatches(...args)) {
    const [ids = [], lists = []] = columns;
    yield { first_row, ids: Array.from(ids), ...joined(lists) };
  }
}

/** The next rows of some columns. */
interface Batch {
  first_row: number;
  n_rows: number;
  columns: ArrayLike<unknown>[];
}

async function* readBatches(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  try {
    refuseLargeGroups(metadata, columns);
    const scan = await parquetScan({ file, metadata, columns, compressors, geoparquet: false });
    for (const { rowStart, rowEnd } of scan.ranges) {
      signal.throwIfAborted();
      const values = await Promise.all(columns.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
      if (values.some((column) => column.length !== rowEnd - rowStart))
        throw new Error('a column has not as many rows as stated');
      for (let start = rowStart; start < rowEnd; start += BATCH_ROWS) {
        signal.throwIfAborted();
        const nRows = Math.min(BATCH_ROWS, rowEnd - start);
        const from = start - rowStart;
        const batch = values.map((column) => column.slice(from, from + nRows));
        yield { first_row: start + 1, n_rows: nRows, columns: batch };
      }
    }
  } catch (error) {
    throw parquetFailure(error);
  }
}

/** Joins the lists among some values. */
function joined(values: ArrayLike<unknown>): Pick<ParquetVectors, 'components' | 'ends'> {
  const lists = Array.from(values, (value) => (Array.isArray(value) ? value : []));
  const ends = new Int32Array(lists.length);
  const components = new Float32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const [at, list] of lists.entries()) {
    // By index: an iterator takes twice as long.
    for (let nth = 0; nth < list.length; nth += 1) {
      const component: unknown = list[nth];
      components[end + nth] = typeof component === 'number' ? component : Number.NaN;
    }
    end += list.length;
    ends[at] = end;
  }
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
