import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import { type AnnotationItem, detected } from './annotation-row.ts';
import { declaredField, itemsOfMedia } from './exported-media.ts';
import { itemsOfMetadata } from './hugging-face-row.ts';
import { readJsonLists } from './json-lists.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Columns of `metadata.parquet` of an export that are read. */
const EXPORT_COLUMNS = ['image_filename', 'file_path', 'file_name', 'metadata_items'];

/**
 * Reads the `metadata.json` of an export, which is beside its folder `images` or in the folder from which the dataset was created.
 * @throws AppError `invalid_request` when the file is damaged; AbortError.
 */
export async function* readMetadata(
  source: string,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const items of readJsonLists(stream, new Set(['custom_fields', 'media_items']), new Set())) {
    signal.throwIfAborted();
    yield items.flatMap(({ list, place, value }): AnnotationItem[] =>
      list === 'custom_fields' ? [declaredField(source, place, value)] : itemsOfMedia(source, place, value),
    );
  }
}

/**
 * Reads a `metadata.parquet`: of an export, or of an image folder of Hugging Face.
 * @throws AppError `invalid_request` when the file is damaged or is neither; AbortError.
 */
export async function* readMetadataTable(
  source: string,
  path: string,
  open: OpenParquet,
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  const table = await open(path);
  try {
    const isExport = table.columns.includes('metadata_items');
    if (!isExport && !table.columns.includes('file_name')) {
      throw new AppError('invalid_request', message('metadata_columns_missing'));
    }
    yield [detected(source, isExport ? 'Export' : 'Hugging Face metadata')];
    const fields = parse(table.key_values.custom_fields ?? '');
    if (isExport && Array.isArray(fields)) yield fields.map((field, at) => declaredField(source, at + 1, field));
    const columns = isExport ? EXPORT_COLUMNS.filter((name) => table.columns.includes(name)) : table.columns;
    for await (const { first_row, rows } of table.rows(columns, signal)) {
      yield rows.flatMap((values, at): AnnotationItem[] => {
        const entries = columns.map((name, place) => [name, values[place] ?? undefined] as const);
        const row: Record<string, unknown> = Object.fromEntries(entries);
        if (!isExport) return itemsOfMetadata(source, first_row + at, row);
        return itemsOfMedia(source, first_row + at, { ...row, metadata_items: parse(row.metadata_items) });
      });
    }
  } finally {
    await table.close();
  }
}

function parse(json: unknown): unknown {
  const text = z.string().safeParse(json);
  try {
    return text.success ? JSON.parse(text.data) : json;
  } catch {
    return undefined;
  }
}
