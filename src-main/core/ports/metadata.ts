import type { Message } from '../../contract/messages.ts';
import type { ExifProperty, FieldType, MetadataValue } from '../../contract/schemas/custom-metadata.ts';
import type { StoreMethods } from './store-methods.ts';

/** The reason why a row of uploaded values was skipped. Rows are numbered from 0. */
export interface RowError {
  problem: Message;
  row_index: number;
}

export interface NewField {
  /** The task that imports the field's values. */
  field_id: string;
  field_name: string;
  field_type: FieldType;
  /** Allowed values of an enum; empty for other types. */
  enum_options: string[];
  is_multi: boolean;
}

/** A declared field and the progress of the import of its values. */
export interface FieldRow extends NewField {
  created_at: string;
  /** Number of rows read, valid or not. */
  n_read: number;
  inserted_rows: number;
  error_count: number;
  /** The first errors. */
  sample_errors: RowError[];
  /** Whether all rows were read. */
  is_complete: boolean;
}

/** Format of an uploaded file: a JSON array of rows, or a table with the column that contains the values. */
export type ValueFormat = { kind: 'json' } | { kind: 'csv' | 'parquet'; column: string };

/** Source of values: an uploaded file, or an EXIF property of the media. */
export type ValueSource = (ValueFormat & { path: string }) | { kind: 'exif'; property: ExifProperty };

export interface MetadataReads {
  /** Lists the fields in the order in which they were declared. */
  listFields(): Promise<FieldRow[]>;
  findField(fieldId: string): Promise<FieldRow | undefined>;
  /** Lists the EXIF properties that at least one item's file contains. */
  listExifProperties(): Promise<ExifProperty[]>;
  /**
   * Lists the values of the given items, in the order of the fields; items without values are omitted.
   * @param mediaIds Not more than a few thousand ids.
   */
  listValues(mediaIds: readonly string[]): Promise<Map<string, MetadataValue[]>>;
}

/** Imports custom metadata. An existing value is never replaced. */
export interface MetadataWrites {
  /** Adds all fields or none. @throws AppError `conflict` for a name that already exists; `invalid_request` for too many fields. */
  addFields(fields: readonly NewField[]): Promise<void>;
  /** Opens the source of a field's values and skips the rows that an earlier run has read. @throws AppError `not_found`. */
  beginValues(fieldId: string, source: ValueSource): Promise<void>;
  /**
   * Reads and saves the next page of the source that {@link beginValues} opened, in one transaction: a value for each valid row, and the
   * number of each invalid row. If the source becomes unreadable, reading finishes with one more error.
   * @returns The number of rows read so far, and the expected total.
   */
  readValues(fieldId: string): Promise<{ n_read: number; n_expected: number; finished: boolean }>;
  /** Closes the source that {@link beginValues} opened. */
  endValues(fieldId: string): Promise<void>;
}

export const metadataMethods: StoreMethods<MetadataReads, MetadataWrites> = {
  listFields: 'read',
  findField: 'read',
  listExifProperties: 'read',
  listValues: 'read',
  addFields: 'write',
  beginValues: 'write',
  readValues: 'write',
  endValues: 'write',
};

/** Stores uploaded files of values until their import is finished. */
export interface ValueFiles {
  /**
   * Stores an uploaded file until {@link remove}.
   * @returns The file's name.
   * @throws AppError `invalid_input` for content that is obviously not a JSON array, `invalid_request` for a table without the column;
   * `disk_full`.
   */
  keep(
    datasetId: string,
    file: { path: string; size_bytes: number; owned: boolean },
    format: ValueFormat,
  ): Promise<string>;
  path(datasetId: string, name: string): string;
  remove(datasetId: string, name: string): Promise<void>;
  /** Deletes all files except the given ones. */
  sweep(kept: ReadonlySet<string>): Promise<void>;
}
