import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { ResultKind } from '../../../contract/schemas/results.ts';
import { readJsonArray } from '../../annotations/read-json-array.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';

/** A row of results; the values are not checked. */
export interface ResultRow {
  media_id: unknown;
  /** Embedding, label or caption. */
  value: unknown;
  confidence: unknown;
  box: unknown;
}

/** Name of the column with the embedding, label or caption. */
export const VALUE_COLUMNS = {
  embeddings: 'embedding',
  labels: 'label',
  boxes: 'label',
  captions: 'caption',
} as const satisfies Record<ResultKind, string>;

const ABSENT = -1;

export interface OpenRows {
  /** Undefined if it is known only at the end. */
  n_rows: number | undefined;
  batches: AsyncGenerator<ResultRow[]>;
  close(): Promise<void>;
}

/**
 * Opens the rows of a Parquet file.
 * @throws AppError `invalid_request` if a column is missing or the file is no Parquet file; `storage_failed`.
 */
export async function openTable(path: string, file: string, kind: ResultKind, open: OpenParquet): Promise<OpenRows> {
  const table = await open(path);
  const valueColumn = VALUE_COLUMNS[kind];
  const required = ['media_id', valueColumn, ...(kind === 'boxes' ? ['box'] : [])];
  const missing = required.find((column) => !table.columns.includes(column));
  if (missing !== undefined) {
    await table.close();
    throw new AppError('invalid_request', message('results_part_column_missing', { file, column: missing }));
  }
  const hasConfidence = (kind === 'labels' || kind === 'boxes') && table.columns.includes('confidence');
  const columns = [...required, ...(hasConfidence ? ['confidence'] : [])];
  const [box, confidence] = [columns.indexOf('box'), columns.indexOf('confidence')];
  const vectorColumn = kind === 'embeddings' ? valueColumn : undefined;
  const batches = async function* (): AsyncGenerator<ResultRow[]> {
    for await (const { rows } of table.rows(columns, new AbortController().signal, vectorColumn)) {
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

/** Opens COCO results: `image_id` is the media id, `category_id` a key of `categories` or the label itself. */
export function openCocoResults(path: string, categories: Readonly<Record<string, string>>): OpenRows {
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
