import type Database from 'better-sqlite3';
import { EXIF_PROPERTIES, type ExifProperty, type MetadataValue } from '../../../contract/schemas/custom-metadata.ts';
import type { FieldRow, NewField } from '../../../core/ports/metadata.ts';
import type { RowMove } from '../edits/row-set.repository.ts';
import { fromStored, type StoredValue } from './metadata-value.ts';

/** A field with the number under which its values are stored. */
export interface NumberedField extends FieldRow {
  field_number: number;
  /** Number of edits of its values by people. */
  n_edits: number;
}

type Stored = Omit<NumberedField, 'enum_options' | 'sample_errors' | 'is_multi' | 'is_complete'> &
  Record<'enum_options' | 'sample_errors', string> &
  Record<'is_multi' | 'is_complete', 0 | 1>;

const SELECT = 'SELECT * FROM custom_field';

/** Declared fields and their values, by rows of items. All writes join the caller's transaction. */
export class CustomMetadataRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  list(): NumberedField[] {
    return this.#db.prepare<[], Stored>(`${SELECT} ORDER BY field_number`).all().map(fieldOf);
  }

  find(fieldId: string): NumberedField | undefined {
    const found = this.#db.prepare<[string], Stored>(`${SELECT} WHERE field_id = ?`).get(fieldId);
    return found && fieldOf(found);
  }

  findByName(name: string): NumberedField | undefined {
    const found = this.#db.prepare<[string], Stored>(`${SELECT} WHERE field_name = ?`).get(name);
    return found && fieldOf(found);
  }

  add({ field_id, field_name, field_type, enum_options, is_multi }: NewField, at: string): void {
    this.#db
      .prepare<[string, string, string, string, number, string]>(
        `INSERT INTO custom_field (field_id, field_name, field_type, enum_options, is_multi, created_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(field_id, field_name, field_type, JSON.stringify(enum_options), Number(is_multi), at);
  }

  saveProgress({ field_number, sample_errors, is_complete, ...counts }: NumberedField): void {
    const { n_read, inserted_rows, error_count } = counts;
    this.#db
      .prepare<[number, number, number, string, number, number]>(
        `UPDATE custom_field SET n_read = ?, inserted_rows = ?, error_count = ?, sample_errors = ?, is_complete = ?
         WHERE field_number = ?`,
      )
      .run(n_read, inserted_rows, error_count, JSON.stringify(sample_errors), Number(is_complete), field_number);
  }

  /** Call when people edited values of the field. */
  noteEdit(fieldNumber: number): void {
    this.#db.prepare<[number]>('UPDATE custom_field SET n_edits = n_edits + 1 WHERE field_number = ?').run(fieldNumber);
  }

  countValues({ field_number }: NumberedField): number {
    return (
      this.#db
        .prepare<[number], number>('SELECT count(*) FROM custom_value WHERE field_number = ?')
        .pluck()
        .get(field_number) ?? 0
    );
  }

  /** Returns a function that adds a value of the field to a row; it returns false if the row already has one. */
  adderOf({ field_number }: NumberedField): (row: number, value: StoredValue) => boolean {
    const insert = this.#db.prepare<[number, number, StoredValue]>(
      'INSERT INTO custom_value VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    return (row, value) => insert.run(field_number, row, value).changes === 1;
  }

  /** Returns a function that finds the row of an item. */
  rowFinder(): (mediaId: string) => number | undefined {
    const find = this.#db.prepare<[string], number>('SELECT row FROM media WHERE media_id = ?').pluck();
    return (mediaId) => find.get(mediaId);
  }

  /** Yields the values of rows below `count`, in order of row. */
  iterate({ field_number }: NumberedField, count: number): IterableIterator<[number, string | number]> {
    return this.#db
      .prepare<[number, number], [number, string | number]>(
        'SELECT row, value FROM custom_value WHERE field_number = ? AND row < ?',
      )
      .raw()
      .iterate(field_number, count);
  }

  listOf(mediaIds: readonly string[]): Map<string, MetadataValue[]> {
    const fields = new Map(this.list().map((field) => [field.field_number, field]));
    const found = this.#db
      .prepare<[string], [string, number, string | number]>(
        `SELECT media_id, field_number, value FROM media CROSS JOIN custom_field CROSS JOIN custom_value USING (field_number, row)
         WHERE media_id IN (SELECT value FROM json_each(?)) ORDER BY media.row, field_number`,
      )
      .raw()
      .iterate(JSON.stringify(mediaIds));
    const values = new Map<string, MetadataValue[]>();
    for (const [mediaId, fieldNumber, stored] of found) {
      const field = fields.get(fieldNumber);
      if (!field) continue;
      const { field_name, field_type } = field;
      const of = values.get(mediaId) ?? [];
      of.push({ field_name, field_type, value: fromStored(field, stored) });
      values.set(mediaId, of);
    }
    return values;
  }

  listExifProperties(): ExifProperty[] {
    const isWritten = this.#db
      .prepare<[string], 0 | 1>('SELECT EXISTS (SELECT 1 FROM media WHERE exif IS NOT NULL AND exif ->> ? IS NOT NULL)')
      .pluck();
    return EXIF_PROPERTIES.filter((property) => isWritten.get(property) === 1);
  }

  /** Lists the camera metadata (EXIF) of the items after a row, for items that have the property. */
  listExif(property: ExifProperty, after: number, limit: number): { row: number; media_id: string; value: unknown }[] {
    return this.#db
      .prepare<[string, number, number], { row: number; media_id: string; value: unknown }>(
        `SELECT row, media_id, exif ->> ? AS value FROM media WHERE exif IS NOT NULL AND value IS NOT NULL AND row > ?
         ORDER BY row LIMIT ?`,
      )
      .all(property, after, limit);
  }

  lastRow(): number {
    return this.#db.prepare<[], number>('SELECT ifnull(max(row), -1) FROM media').pluck().get() ?? -1;
  }

  /** Moves the values of an item to its new row. */
  moveRow({ from, to }: RowMove): void {
    this.#db
      .prepare<[number, number]>(
        'UPDATE custom_value SET row = ? WHERE row = ? AND field_number IN (SELECT field_number FROM custom_field)',
      )
      .run(to, from);
  }

  /** Deletes the values of rows from `row` on, because these row numbers will be assigned to other items. */
  clearFrom(row: number): void {
    this.#db
      .prepare<[number]>(
        'DELETE FROM custom_value WHERE field_number IN (SELECT field_number FROM custom_field) AND row >= ?',
      )
      .run(row);
  }
}

function fieldOf({ enum_options, sample_errors, is_multi, is_complete, ...field }: Stored): NumberedField {
  return {
    ...field,
    enum_options: JSON.parse(enum_options) as string[],
    sample_errors: JSON.parse(sample_errors) as FieldRow['sample_errors'],
    is_multi: is_multi === 1,
    is_complete: is_complete === 1,
  };
}
