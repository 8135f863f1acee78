import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { ResultKind } from '../../../contract/schemas/results.ts';
import { readJsonArray } from '../../annotations/read-json-array.ts';
import { assertChecksum, type StatedChecksum } from '../../files/file-checksum.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { ParquetTable, ParquetVectors } from '../../parquet/read-parquet.ts';

/** A row of results; the values are not checked. */
export interface ResultRow {
  media_id: unknown;
  /** Label or caption. */
  value: unknown;
  confidence: unknown;
  box: unknown;
}

/** Kinds of results that are rows of texts. */
type TextKind = Exclude<ResultKind, 'embeddings'>;

const ID_COLUMN = 'media_id';
const VECTOR_COLUMN = 'embedding';
/** Name of the column with the label or caption. */
const TEXT_COLUMNS = { labels: 'label', boxes: 'label', captions: 'caption' } as const satisfies Record<
  TextKind,
  string
>;

const ABSENT = -1;

/** A file of results. */
export interface ResultFile {
  path: string;
  /** Its name in the manifest. */
  file: string;
  stated: StatedChecksum;
}

export interface OpenResults<Batch> {
  /** Undefined if it is known only at the end. */
  n_rows: number | undefined;
  batches: AsyncGenerator<Batch>;
  close(): Promise<void>;
}

/** Opens the embeddings of a Parquet file. @throws As {@link openTable}. */
export async function openVectors(
  { path, file, stated }: ResultFile,
  open: OpenParquet,
): Promise<OpenResults<ParquetVectors>> {
  const table = await open(path, stated);
  await requireColumns(table, file, [ID_COLUMN, VECTOR_COLUMN]);
  const batches = table.vectors(ID_COLUMN, VECTOR_COLUMN, new AbortController().signal);
  return { n_rows: table.n_rows, batches, close: () => table.close() };
}

/**
 * Opens the rows of a Parquet file.
 * @throws AppError `invalid_request` if a column is missing, the file is no Parquet file or has another checksum; `storage_failed`.
 */
export async function openTable(
  { path, file, stated }: ResultFile,
  kind: TextKind,
  open: OpenParquet,
): Promise<OpenResults<ResultRow[]>> {
  const table = await open(path, stated);
  const required = [ID_COLUMN, TEXT_COLUMNS[kind], ...(kind === 'boxes' ? ['box'] : [])];
  await requireColumns(table, file, required);
  const hasConfidence = kind !== 'captions' && table.columns.includes('confidence');
  const columns = [...required, ...(hasConfidence ? ['confidence'] : [])];
  const [box, confidence] = [columns.indexOf('box'), columns.indexOf('confidence')];
  const batches = async function* (): AsyncGenerator<ResultRow[]> {
    for await (const { rows } of table.rows(columns, new AbortController().signal)) {
      yield rows.map((values) => ({
        media_id: values[0],
        value: values[1],
        box: box === ABSENT ? null : values[box],
        confidence: confidence === ABSENT ? null : values[confidence],
      }));
    }
  };
  return { n_rows: table.n_rows, batches: batches(), close: () => table.close() };
}

async function requireColumns(table: ParquetTable, file: string, required: readonly string[]): Promise<void> {
  const missing = required.find((column) => !table.columns.includes(column));
  if (missing === undefined) return;
  await table.close();
  throw new AppError('invalid_request', message('results_part_column_missing', { file, column: missing }));
}

/**
 * Opens COCO results: `image_id` is the media id, `category_id` a key of `categories` or the label itself.
 * @throws AppError `invalid_request` if the file has another checksum.
 */
export async function openCocoResults(
  { path, stated }: ResultFile,
  categories: Readonly<Record<string, string>>,
): Promise<OpenResults<ResultRow[]>> {
  await assertChecksum(path, stated);
  const batches = async function* (): AsyncGenerator<ResultRow[]> {
    for await (const items of readJsonArray(path)) {
      yield items.map((item) => {
        const { image_id, category_id, bbox, score } = (item ?? {}) as Record<string, unknown>;
        const label = Object.hasOwn(categories, String(category_id)) ? categories[String(category_id)] : category_id;
        return { media_id: image_id, value: label, box: bbox, confidence: score ?? null };
      });
    }
  };
  return { n_rows: undefined, batches: batches(), close: () => Promise.resolve() };
}
