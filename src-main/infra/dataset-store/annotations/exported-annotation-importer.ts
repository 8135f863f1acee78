import { randomUUID } from 'node:crypto';
import { type Message, message } from '../../../contract/messages.ts';
import type { MetadataField } from '../../annotations/annotation-row.ts';
import { systemClock } from '../../clock.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import { blocksOf } from '../edits/row-set.repository.ts';
import { parseTagTime } from '../edits/tag-time.ts';
import type { NumberedField } from '../metadata/custom-metadata.repository.ts';
import { MAX_FIELDS } from '../metadata/local-metadata-writes.ts';
import { toStored } from '../metadata/metadata-value.ts';
import type { WriterRows } from '../thread/writer-rows.ts';

type Rows = Pick<WriterRows, 'metadata' | 'rowSets' | 'tags'>;

/**
 * Imports users' edits of items from the dataset that an export came from: tags with their times, and values of custom fields. Existing
 * values are kept, so an interrupted run can start again. All writes join the caller's transaction.
 */
export class ExportedAnnotationImporter {
  readonly #rows: Rows;
  readonly #versions: DataVersions;
  /** Fields with imported values, and the number of values of each that could not be used. */
  readonly #fields = new Map<string, NumberedField>();
  /** Rows of the current page by tag and day, with their times in microseconds since the start of the day. */
  readonly #tagged = new Map<string, { tag_id: string; day: string; times: Map<number, number> }>();

  constructor({ rows, versions }: { rows: Rows; versions: DataVersions }) {
    this.#rows = rows;
    this.#versions = versions;
  }

  begin(): void {
    this.#fields.clear();
    this.#tagged.clear();
  }

  /**
   * Creates a field as declared, unless a field of that name exists.
   * @returns Why the field cannot be created; null if it was.
   */
  declare(declared: MetadataField): Message | null {
    const field = this.#fieldOf(declared);
    return 'reason' in field ? field.reason : null;
  }

  /** @returns Why the value cannot be used; null if it was added. */
  addValue(
    row: number,
    { value, ...of }: Pick<MetadataField, 'field_name' | 'field_type'> & { value: unknown },
  ): Message | null {
    const field = this.#fieldOf(of);
    if ('reason' in field) return field.reason;
    const checked = toStored(field, value);
    if ('problem' in checked) {
      field.error_count += 1;
      return message('field_value_unusable', { field: field.field_name, problem: checked.problem });
    }
    this.#rows.metadata.adderOf(field)(row, checked.stored);
    return null;
  }

  /** @param assignedAt When the tag was assigned; see {@link parseTagTime}. */
  addTag(row: number, name: string, assignedAt: string): void {
    const { tags } = this.#rows;
    let tag = tags.findByName(name);
    if (!tag) {
      tag = { tag_id: randomUUID(), name, created_at: systemClock.iso() };
      tags.insert(tag);
    }
    const { day, microseconds } = parseTagTime(assignedAt);
    const key = `${tag.tag_id} ${day}`;
    const tagged = this.#tagged.get(key) ?? { tag_id: tag.tag_id, day, times: new Map<number, number>() };
    tagged.times.set(row, microseconds);
    this.#tagged.set(key, tagged);
  }

  /** Assigns the tags of a page to its items. */
  endPage(): void {
    const { rowSets } = this.#rows;
    for (const { tag_id, day, times } of this.#tagged.values()) {
      const set = { entity_type: 'IMAGES', kind: 'tag', name: tag_id } as const;
      const known = rowSets.listOf(set);
      const rows = [...times.keys()];
      const size = rows.reduce((most, row) => Math.max(most, row), 0) + 1;
      for (const { block, words } of blocksOf(RowSet.of(size, rows).words)) {
        const before = known.map(({ set_id }) => rowSets.readBlock(set_id, block));
        const missing = words.map((word, at) => before.reduce((left, has) => left & ~(has[at] as number), word));
        const added = { set_id: rowSets.ensure(set, day), block, words: missing };
        rowSets.times.set(added, (row) => times.get(row) ?? 0);
        rowSets.flip(added);
      }
    }
    if (this.#tagged.size > 0) this.#versions.noteEdit();
    this.#tagged.clear();
  }

  /** Finishes the import after all rows were read. */
  finish(): void {
    const { metadata } = this.#rows;
    for (const field of this.#fields.values()) {
      const nValues = metadata.countValues(field);
      metadata.saveProgress({
        ...field,
        n_read: nValues + field.error_count,
        inserted_rows: nValues,
        is_complete: true,
      });
    }
  }

  #fieldOf({
    field_name,
    field_type,
    enum_options = [],
    is_multi = false,
  }: Pick<MetadataField, 'field_name' | 'field_type'> & Partial<MetadataField>): NumberedField | { reason: Message } {
    const { metadata } = this.#rows;
    const known = this.#fields.get(field_name) ?? metadata.findByName(field_name);
    if (known && known.field_type !== field_type)
      return { reason: message('field_of_other_type', { field: field_name }) };
    if (known) {
      this.#fields.set(field_name, known);
      return known;
    }
    if (field_type === 'enum' && enum_options.length === 0)
      return { reason: message('field_without_options', { field: field_name }) };
    if (metadata.list().length >= MAX_FIELDS) return { reason: message('too_many_fields', { limit: MAX_FIELDS }) };
    metadata.add({ field_id: randomUUID(), field_name, field_type, enum_options, is_multi }, systemClock.iso());
    const made = metadata.findByName(field_name);
    if (!made) throw new Error('a field that was added is not there');
    this.#fields.set(field_name, made);
    return made;
  }
}
