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

/** Takes in custom metadata. A value that is there stays. */
export interface MetadataWriter {
  /** All or none. @throws AppError `conflict` where a field has one of the names; `invalid_request` where there are too many fields. */
  addFields(fields: readonly NewField[]): Promise<void>;
  /** Makes ready to read the values of a field, from behind those that an earlier run has read. @throws AppError `not_found`. */
  beginValues(fieldId: string, source: ValueSource): Promise<void>;
  /**
   * Reads and saves the next page of what {@link beginValues} opened, as one transaction: a value for each good row, a count of the others.
   * A source that cannot be read any further ends with one more error.
   * @returns `n_read` rows up to now, and how many there may be.
   */
  readValues(fieldId: string): Promise<{ n_read: number; n_expected: number; finished: boolean }>;
  /** Lets go of what {@link beginValues} opened. */
  endValues(fieldId: string): Promise<void>;
}

/** The part of a reader that tells of custom metadata. */
export interface MetadataReader {
  /** In the order of their declaration. */
  listFields(): Promise<FieldRow[]>;
  findField(fieldId: string): Promise<FieldRow | undefined>;
  /** What cameras wrote into the file of at least one item. */
  listExifProperties(): Promise<ExifProperty[]>;
  /** The values of some items, in the order of the fields; items without any are left out. For pages: call it with some thousand ids at most. */
  listMetadata(mediaIds: readonly string[]): Promise<Map<string, MetadataValue[]>>;
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
