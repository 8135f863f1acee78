import { LRUCache } from 'lru-cache';
import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { CustomMetadataRepository, NumberedField } from './custom-metadata.repository.ts';

/** Maximum number of fields whose values are cached in memory: 4 or 8 bytes per item each. */
const MAX_CACHED = 12;
/** Maximum number of distinct texts of a cached field. Fields with more are read from the database each time. */
const MAX_TEXTS = 4096;

/** The values of a field, by row of items. */
export type ValueColumn =
  /** Floats, and datetimes in milliseconds since 1970; NaN for rows without a value. */
  | { kind: 'numbers'; values: Float64Array }
  /** One bit per option; 0 for rows without a value. */
  | { kind: 'options'; masks: Int32Array }
  /** Indexes into `texts`; -1 for rows without a value. */
  | { kind: 'texts'; codes: Int32Array; texts: string[] };

/** Custom metadata as columns that are cached until they change. */
export class CustomValues {
  readonly #rows: CustomMetadataRepository;
  readonly #versions: DataVersions;
  /** Cached columns by field number. Undefined for fields with too many distinct texts. */
  readonly #kept = new LRUCache<number, { state: string; count: number; column: ValueColumn | undefined }>({
    max: MAX_CACHED,
  });

  constructor(rows: CustomMetadataRepository, versions: DataVersions) {
    this.#rows = rows;
    this.#versions = versions;
  }

  fields(): NumberedField[] {
    return this.#rows.list();
  }

  /**
   * Returns a field.
   * @throws AppError `invalid_input` for an unknown field.
   */
  field(name: string): NumberedField {
    const field = this.#rows.findByName(name);
    if (!field) throw new AppError('invalid_input', message('field_unknown', { field: name }));
    return field;
  }

  /** Changes whenever a value of the field may have been added, removed or moved to another row. */
  stateOf(name: string): string {
    return this.#state(this.field(name));
  }

  /** Returns the values of rows below `count`; undefined if there are too many distinct texts to cache. */
  column(field: NumberedField, count: number): ValueColumn | undefined {
    const state = this.#state(field);
    const known = this.#kept.get(field.field_number);
    if (known?.state === state && known.count >= count) return known.column;
    const column = this.#load(field, count);
    this.#kept.set(field.field_number, { state, count, column });
    return column;
  }

  /** Yields the values of rows below `count` from the database. */
  iterate(field: NumberedField, count: number): IterableIterator<[number, string | number]> {
    return this.#rows.iterate(field, count);
  }

  #state({ inserted_rows, n_edits }: NumberedField): string {
    return `${this.#versions.rows} ${inserted_rows} ${n_edits}`;
  }

  #load(field: NumberedField, count: number): ValueColumn | undefined {
    const stored = this.#rows.iterate(field, count);
    if (field.field_type === 'enum') {
      const masks = new Int32Array(count);
      for (const [row, value] of stored) masks[row] = Number(value);
      return { kind: 'options', masks };
    }
    if (field.field_type === 'float' || field.field_type === 'datetime') {
      const values = new Float64Array(count).fill(Number.NaN);
      for (const [row, value] of stored) values[row] = Number(value);
      return { kind: 'numbers', values };
    }
    const codes = new Int32Array(count).fill(-1);
    const numbers = new Map<string, number>();
    for (const [row, value] of stored) {
      const text = String(value);
      const code = numbers.get(text) ?? numbers.size;
      if (code >= MAX_TEXTS) return undefined;
      numbers.set(text, code);
      codes[row] = code;
    }
    return { kind: 'texts', codes, texts: [...numbers.keys()] };
  }
}
