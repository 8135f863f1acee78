import type Database from 'better-sqlite3';
import { AppError, invalidField } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { SelectedRows, ValueChange } from '../../../core/ports/edits.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { CustomMetadataRepository } from '../metadata/custom-metadata.repository.ts';
import { type StoredValue, toStored } from '../metadata/metadata-value.ts';

/** Source of the captions that people give. */
export const BY_USER = 'User';

/** Where values are: the caption of people, or the custom field with a number. */
type Place = 'caption' | `field:${number}`;

interface Parts {
  db: Database.Database;
  metadata: CustomMetadataRepository;
  versions: DataVersions;
}

/**
 * Edits of values of items: captions that people give, and custom fields. The replaced values of an edit are stored with it (`edit_value`),
 * by the id of the item, because an item gets another row when its content is replaced. All writes join the caller's transaction.
 */
export class ValueEdits {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.db.exec(
      `CREATE TEMP TABLE changed_value (place TEXT, media_id TEXT, before ANY, after ANY, PRIMARY KEY (place, media_id)) STRICT`,
    );
  }

  /** Writes a value to items; the changed ones stay listed until {@link record}. @returns The number of changed items. */
  apply(change: ValueChange): number {
    const { db } = this.#parts;
    db.exec('DELETE FROM changed_value');
    const { place, after } = this.#stored(change);
    db.prepare<{ place: string; after: StoredValue | null; rows: string }>(
      `INSERT INTO changed_value SELECT :place, media_id, ${current(place)}, :after FROM media
       WHERE row IN (SELECT value FROM json_each(:rows)) AND ${current(place)} IS NOT :after`,
    ).run({ place, after, rows: JSON.stringify(rowsOf(change.rows)) });
    this.#write(place);
    return db.prepare<[], number>('SELECT count(*) FROM changed_value').pluck().get() ?? 0;
  }

  /** Stores the changes of {@link apply} with their edit. */
  record(editId: number): void {
    this.#parts.db
      .prepare<[number]>('INSERT INTO edit_value SELECT ?, place, media_id, before, after FROM changed_value')
      .run(editId);
  }

  /** Restores the values that an edit replaced. @throws AppError `conflict` if one of them changed since. */
  revert(editId: number): void {
    const { db } = this.#parts;
    db.exec('DELETE FROM changed_value');
    db.prepare<[number]>(
      `INSERT INTO changed_value SELECT place, media_id, after, before FROM edit_value WHERE edit_id = ?
       AND media_id IN (SELECT media_id FROM media)`,
    ).run(editId);
    for (const place of db.prepare<[], Place>('SELECT DISTINCT place FROM changed_value').pluck().all()) {
      const isChanged = db
        .prepare<[string], 0 | 1>(
          `SELECT EXISTS (SELECT 1 FROM changed_value JOIN media USING (media_id)
             WHERE place = ? AND before IS NOT ${current(place)})`,
        )
        .pluck();
      if (isChanged.get(place) === 1) throw new AppError('conflict', message('edit_superseded'));
      this.#write(place);
    }
  }

  /** Writes the listed values of a place. */
  #write(place: Place): void {
    const { db, versions } = this.#parts;
    const listed = `FROM changed_value JOIN media USING (media_id) WHERE place = :place`;
    const run = (sql: string) => db.prepare<{ place: string }>(sql).run({ place });
    if (place === 'caption') {
      run(`DELETE FROM caption WHERE source = '${BY_USER}' AND media_id IN (SELECT media_id ${listed})`);
      run(
        `INSERT INTO caption (media_id, caption, source) SELECT media_id, after, '${BY_USER}' ${listed} AND after IS NOT NULL`,
      );
      versions.noteAnnotations();
      return;
    }
    const field = numberOf(place);
    run(`DELETE FROM custom_value WHERE field_number = ${field} AND row IN (SELECT row ${listed})`);
    run(`INSERT INTO custom_value SELECT ${field}, row, after ${listed} AND after IS NOT NULL`);
    this.#parts.metadata.noteEdit(field);
  }

  /** @throws AppError `invalid_input` for an unknown field, or a value that the field cannot have. */
  #stored(change: ValueChange): { place: Place; after: StoredValue | null } {
    if (change.kind === 'caption') return { place: 'caption', after: change.caption };
    const field = this.#parts.metadata.findByName(change.field_name);
    if (!field) throw new AppError('invalid_input', message('field_unknown', { field: change.field_name }));
    const place: Place = `field:${field.field_number}`;
    if (change.value === null) return { place, after: null };
    const found = toStored(field, change.value);
    if ('problem' in found) throw invalidField('value', found.problem);
    return { place, after: found.stored };
  }
}

/** SQL for the present value of an item of `media`. */
function current(place: Place): string {
  return place === 'caption'
    ? `(SELECT caption FROM caption WHERE caption.media_id = media.media_id AND source = '${BY_USER}')`
    : `(SELECT value FROM custom_value WHERE field_number = ${numberOf(place)} AND custom_value.row = media.row)`;
}

function numberOf(place: Exclude<Place, 'caption'>): number {
  return Number(place.slice('field:'.length));
}

function rowsOf({ IMAGES }: SelectedRows): number[] {
  return IMAGES ? [...new RowSet(IMAGES.length * 32, new Uint32Array(IMAGES)).toRows()] : [];
}
