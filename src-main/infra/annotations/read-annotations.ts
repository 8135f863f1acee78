import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import type { AnnotationItem } from './annotation-row.ts';
import type { AnnotationSource } from './find-annotation-files.ts';
import { readImageTable, readObjectTable } from './read-annotation-table.ts';
import { readJson } from './read-json.ts';
import { readMetadataTable } from './read-metadata.ts';
import { readRows } from './read-rows.ts';
import type { TableFile } from './read-table.ts';
import { readYolo } from './read-yolo.ts';

/**
 * Reads a set of annotations in batches, with constant memory use. Nothing is dropped silently: a row that cannot be used is returned as a
 * problem, and so is a file in an unknown format or one that cannot be read to its end.
 * @param locate Returns the local path of a relative path in the source.
 * @throws AbortError.
 */
export async function* readAnnotations(
  source: AnnotationSource,
  locate: (path: string) => string,
  openParquet: OpenParquet,
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  let isRecognised = false;
  let hasStarted = false;
  try {
    for await (const items of await open(source, locate, openParquet, signal)) {
      isRecognised ||= items.length > 0;
      hasStarted ||= items.some(({ kind }) => kind !== 'format');
      yield items;
    }
    // Each reader yields the format that it recognised. Label files of YOLO are reported one by one.
    if (!isRecognised && source.kind !== 'yolo') {
      yield [{ kind: 'problem', source: source.path, line: null, reason: message('text_format_unsupported') }];
    }
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    const whole = hasStarted ? message('annotations_partly_read', { problem: reason }) : reason;
    yield [{ kind: 'problem', source: source.path, line: null, reason: whole }];
  }
}

/** Loads the parsers of XML and YAML only when they are needed: every thread that writes a dataset could read annotations, few do. */
async function open(
  source: AnnotationSource,
  locate: (path: string) => string,
  openParquet: OpenParquet,
  signal: AbortSignal,
): Promise<AsyncGenerator<AnnotationItem[]>> {
  if (source.kind === 'json') {
    return readJson(source, locate(source.path), source.others.map(locate), signal);
  }
  if (source.kind === 'xml') {
    const { readXml } = await import('./read-xml.ts');
    return readXml(source.path, locate(source.path));
  }
  if (source.kind === 'rows') return readRows(source, locate(source.path), source.others.map(locate), signal);
  if (source.kind === 'yolo') return readYolo(source, locate, signal);
  const path = locate(source.path);
  if (source.kind === 'metadata_table') return readMetadataTable(source.path, path, openParquet, signal);
  const file: TableFile =
    source.format === 'csv' ? { path, format: 'csv' } : { path, format: 'parquet', open: openParquet };
  return source.kind === 'image_table'
    ? readImageTable(source.path, file, signal)
    : readObjectTable(source.path, file, signal);
}

/** Returns the reason of an error in the annotations; null for an error with another cause. */
function reasonOf(error: unknown): Message | null {
  if (error instanceof AppError) return error.reason;
  return error instanceof Error && 'syscall' in error ? message('annotation_file_not_read') : null;
}
