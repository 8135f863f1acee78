import type Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import { type Message, message } from '../../../contract/messages.ts';
import type { ExifProperty } from '../../../contract/schemas/custom-metadata.ts';
import type { MetadataWrites, NewField, RowError, ValueSource } from '../../../core/ports/metadata.ts';
import { createFileIndex } from '../../annotations/file-index.ts';
import type { TableFile } from '../../annotations/read-table.ts';
import { systemClock } from '../../clock.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { Answered } from '../../threads/answered.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { CustomMetadataRepository, NumberedField } from './custom-metadata.repository.ts';
import { type StoredValue, toStored } from './metadata-value.ts';
import { readValueRows, type ValueRow } from './read-value-rows.ts';
import { readValueTable } from './read-value-table.ts';

/** Maximum number of fields per dataset. */
export const MAX_FIELDS = 200;
const MAX_SAMPLES = 20;
/**
 * Rows per transaction: takes some milliseconds. With rows in random order, each of a field's database pages is still written only a few
 * times.
 */
const PAGE_ROWS = 10_000;

interface Parts {
  db: Database.Database;
  rows: Pick<WriterRows, 'metadata' | 'annotationFiles'>;
  openParquet: OpenParquet;
}

interface Run {
  batches: AsyncGenerator<ValueRow[]>;
  /** Rows that were read from the file but not yet saved. */
  waiting: ValueRow[];
  /** Number of rows saved by an earlier run that still have to be skipped. */
  toSkip: number;
  /** Share of the source that was read, 0 to 1. */
  share: number;
  controller: AbortController;
  /** Returns the row of the item that a file name refers to, or why there is none. */
  rowOfFile: (fileKey: string) => { row: number } | { problem: Message };
}

/**
 * Imports custom metadata page by page. Each page is a transaction that also counts its rows, so an interrupted run continues with the
 * first uncounted row, and no value or error is stored twice.
 */
export class LocalMetadataWrites implements Answered<MetadataWrites> {
  readonly #db: Database.Database;
  readonly #parts: Parts;
  readonly #rows: CustomMetadataRepository;
  readonly #runs = new Map<string, Run>();

  constructor(parts: Parts) {
    this.#db = parts.db;
    this.#parts = parts;
    this.#rows = parts.rows.metadata;
  }

  get isReading(): boolean {
    return this.#runs.size > 0;
  }

  addFields(fields: readonly NewField[]): void {
    this.#db.transaction(() => {
      const taken = fields.find(({ field_name }) => this.#rows.findByName(field_name));
      if (taken) throw new AppError('conflict', message('field_name_taken', { field: taken.field_name }));
      if (this.#rows.list().length + fields.length > MAX_FIELDS) {
        throw new AppError('invalid_request', message('field_limit', { limit: MAX_FIELDS }));
      }
      for (const field of fields) this.#rows.add(field, systemClock.iso());
    })();
  }

  async beginValues(fieldId: string, source: ValueSource): Promise<void> {
    await this.endValues(fieldId);
    const field = this.#field(fieldId);
    const controller = new AbortController();
    const onShare = (share: number) => {
      run.share = share;
    };
    const run: Run = {
      batches: this.#read(field, source, onShare, controller.signal),
      controller,
      waiting: [],
      toSkip: field.n_read,
      share: 0,
      rowOfFile: lazily(() => this.#fileFinder()),
    };
    this.#runs.set(fieldId, run);
  }

  async readValues(fieldId: string): Promise<{ n_read: number; n_expected: number; finished: boolean }> {
    const field = this.#field(fieldId);
    const run = this.#runs.get(fieldId);
    if (!run) throw new Error('no values are being read');
    if (!field.is_complete) {
      const end = await fill(run);
      this.#save(field, run, run.waiting.splice(0, PAGE_ROWS), end);
    }
    const { n_read, is_complete } = field;
    const expected = run.share === 0 ? n_read : Math.round(n_read / run.share);
    return { n_read, n_expected: Math.max(n_read, expected), finished: is_complete };
  }

  async endValues(fieldId: string): Promise<void> {
    const run = this.#runs.get(fieldId);
    this.#runs.delete(fieldId);
    run?.controller.abort();
    await run?.batches.return(undefined);
  }

  #read(
    field: NumberedField,
    source: ValueSource,
    onShare: (share: number) => void,
    signal: AbortSignal,
  ): AsyncGenerator<ValueRow[]> {
    if (source.kind === 'exif') return this.#readExif(source.property, onShare);
    if (source.kind === 'json') return readValueRows(source.path, onShare);
    const { kind, path, column } = source;
    const file: TableFile =
      kind === 'csv' ? { path, format: kind } : { path, format: kind, open: this.#parts.openParquet };
    return readValueTable(file, column, field, signal);
  }

  #fileFinder(): Run['rowOfFile'] {
    const { annotationFiles } = this.#parts.rows;
    const index = createFileIndex(annotationFiles.mediaPaths());
    return (fileKey) => {
      const match = index.match(fileKey, '');
      if ('reason' in match) return { problem: match.reason };
      const row = annotationFiles.findMedia(match.path, '')?.row ?? null;
      return row === null
        ? { problem: message('value_file_not_image', { file: JSON.stringify(match.path) }) }
        : { row };
    };
  }

  async *#readExif(property: ExifProperty, onShare: (share: number) => void): AsyncGenerator<ValueRow[]> {
    const last = this.#rows.lastRow();
    for (let after = -1; ; ) {
      const page = this.#rows.listExif(property, after, PAGE_ROWS);
      after = page.at(-1)?.row ?? last;
      onShare(last <= 0 ? 1 : after / last);
      if (page.length === 0) return;
      yield page;
    }
  }

  /** @param end Whether these are the last rows, and why no further rows can be read. */
  #save(field: NumberedField, run: Run, rows: readonly ValueRow[], end: { isLast: boolean; failure?: Message }): void {
    const errors: RowError[] = [];
    const valid: { at: number; row: number; stored: StoredValue }[] = [];
    const add = this.#rows.adderOf(field);
    const findRow = this.#rows.rowFinder();
    const rowOf = ({ media_id, file_key }: ValueRow): { row: number } | { problem: Message } => {
      if (file_key !== undefined) return run.rowOfFile(file_key);
      if (typeof media_id !== 'string') return { problem: message('value_media_id_missing') };
      const row = findRow(media_id.toLowerCase());
      return row === undefined ? { problem: message('value_media_id_unknown') } : { row };
    };
    for (const [at, row] of rows.entries()) {
      if (row.is_empty) continue;
      const found = row.problem === undefined ? check(field, rowOf(row), row.value) : { problem: row.problem };
      if ('problem' in found) errors.push({ problem: found.problem, row_index: field.n_read + at });
      else valid.push({ at, ...found });
    }
    // Rows that are adjacent in the file may be far apart in the table.
    valid.sort((a, b) => a.row - b.row || a.at - b.at);
    this.#db.transaction(() => {
      for (const { at, row, stored } of valid) {
        if (add(row, stored)) field.inserted_rows += 1;
        else errors.push({ problem: message('value_exists'), row_index: field.n_read + at });
      }
      errors.sort((a, b) => a.row_index - b.row_index);
      field.n_read += rows.length;
      if (end.failure !== undefined) errors.push({ problem: end.failure, row_index: field.n_read });
      field.error_count += errors.length;
      field.sample_errors = [...field.sample_errors, ...errors].slice(0, MAX_SAMPLES);
      field.is_complete = end.isLast;
      this.#rows.saveProgress(field);
    })();
  }

  #field(fieldId: string): NumberedField {
    const field = this.#rows.find(fieldId);
    if (!field) throw new AppError('not_found', message('field_not_found'));
    return field;
  }
}

/** Reads rows until a page is complete or the file ends. */
async function fill(run: Run): Promise<{ isLast: boolean; failure?: Message }> {
  try {
    while (run.waiting.length < PAGE_ROWS) {
      const { done, value } = await run.batches.next();
      if (done === true) return { isLast: true };
      const nSkipped = Math.min(run.toSkip, value.length);
      run.toSkip -= nSkipped;
      for (const row of nSkipped === 0 ? value : value.slice(nSkipped)) run.waiting.push(row);
    }
    return { isLast: false };
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return { isLast: true, failure: error.reason };
    throw error;
  }
}

function check(
  field: NumberedField,
  item: { row: number } | { problem: Message },
  value: unknown,
): { row: number; stored: StoredValue } | { problem: Message } {
  if ('problem' in item) return item;
  const checked = toStored(field, value);
  return 'problem' in checked ? checked : { row: item.row, stored: checked.stored };
}

/** Returns a function that is created on its first call. */
function lazily<Argument, Result>(make: () => (argument: Argument) => Result): (argument: Argument) => Result {
  let made: ((argument: Argument) => Result) | undefined;
  return (argument) => {
    made ??= make();
    return made(argument);
  };
}
