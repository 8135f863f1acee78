import type { ExifProperty, FieldType, MetadataValue } from '../../contract/schemas/custom-metadata.ts';

/** Why a row of uploaded values was left out; rows count from 0. */
export interface RowError {
  reason: string;
  row_index: number;
}

export interface NewField {
  /** The task that takes in its values. */
  field_id: string;
  field_name: string;
  field_type: FieldType;
  /** Empty but for enums. */
  enum_options: string[];
  is_multi: boolean;
}

/** A declared field, and how far its values are in. */
export interface FieldRow extends NewField {
  created_at: string;
  /** Rows that were read, good or bad. */
  n_read: number;
  inserted_rows: number;
  error_count: number;
  /** The first of them. */
  sample_errors: RowError[];
  /** All rows were read. */
  is_complete: boolean;
}

/** What an uploaded file holds: a JSON array of rows, or a table of which a column has the values. */
export type ValueFormat = { kind: 'json' } | { kind: 'csv' | 'parquet'; column: string };

/** Where values come from: an uploaded file, or what cameras wrote into the media. */
export type ValueSource = (ValueFormat & { path: string }) | { kind: 'exif'; property: ExifProperty };

export interface MetadataReads {
  /** Lists the fields in the order in which they were declared. */
  listFields(): Promise<FieldRow[]>;
  findField(fieldId: string): Promise<FieldRow | undefined>;
  /** Lists the EXIF properties that the file of at least one item has. */
  listExifProperties(): Promise<ExifProperty[]>;
  /**
   * The values of some items, in the order of the fields; items without values are left out.
   * @param mediaIds At most some thousand ids.
   */
  listValues(mediaIds: readonly string[]): Promise<Map<string, MetadataValue[]>>;
}

/** Imports custom metadata. An existing value is never replaced. */
export interface MetadataWrites {
  /** Adds all fields or none. @throws AppError `conflict` for a name that is taken; `invalid_request` for too many fields. */
  addFields(fields: readonly NewField[]): Promise<void>;
  /** Opens the source of a field's values, behind the rows that an earlier run has read. @throws AppError `not_found`. */
  beginValues(fieldId: string, source: ValueSource): Promise<void>;
  /**
   * Reads and saves the next page of the source that {@link beginValues} opened, in one transaction: a value for each valid row, and
   * the number of the other rows. A source that cannot be read any further ends with one more error.
   * @returns The number of rows read so far, and the expected total.
   */
  readValues(fieldId: string): Promise<{ n_read: number; n_expected: number; finished: boolean }>;
  /** Closes the source that {@link beginValues} opened. */
  endValues(fieldId: string): Promise<void>;
}

/** Files of values that wait to be taken in, or are. */
export interface ValueFiles {
  /**
   * Keeps an uploaded file until {@link remove}. @returns Its name.
   * @throws AppError `invalid_input` for what is plainly no JSON array, `invalid_request` for a table without the column; `disk_full`.
   */
  keep(
    datasetId: string,
    file: { path: string; size_bytes: number; owned: boolean },
    format: ValueFormat,
  ): Promise<string>;
  path(datasetId: string, name: string): string;
  remove(datasetId: string, name: string): Promise<void>;
  /** Removes all but some. */
  sweep(kept: ReadonlySet<string>): Promise<void>;
}
