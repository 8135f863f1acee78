import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import { ENTITY_TYPES } from '../../../contract/schemas/explore.ts';
import type {
  EditRow,
  EditWrites,
  NewClusterEdit,
  NewEdit,
  RowChange,
  SelectedRows,
  TagRow,
  ValueChange,
} from '../../../core/ports/edits.ts';
import { systemClock } from '../../clock.ts';
import type { Answered } from '../../threads/answered.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { ClusterEditRepository } from '../clusters/cluster-edit.repository.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import { blocksOf, emptyBlock, type SetKind, type SetName } from './row-set.repository.ts';
import type { SetBlock } from './set-block.ts';
import { parseTagTime } from './tag-time.ts';
import { ValueEdits } from './value-edits.ts';
import { parseVerdict, printVerdict } from './verdict-name.ts';

interface Parts {
  db: Database.Database;
  rows: Pick<WriterRows, 'rowSets' | 'tags' | 'edits' | 'metadata' | 'texts'>;
  versions: DataVersions;
}

/** Writes users' edits, each in one transaction, whatever the number of rows: [Note: Sets of rows]. */
export class LocalEditWrites implements Answered<EditWrites> {
  readonly #parts: Parts;
  readonly #values: ValueEdits;
  readonly #clusters: ClusterEditRepository;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#clusters = new ClusterEditRepository(parts.db);
    this.#values = new ValueEdits({ ...parts, metadata: parts.rows.metadata });
  }

  addTag(name: string): TagRow {
    const { tags } = this.#parts.rows;
    return this.#write(() => {
      this.#assertFree(name);
      const tag = { tag_id: randomUUID(), name, created_at: systemClock.iso() };
      tags.insert(tag);
      return tag;
    });
  }

  renameTag(tagId: string, name: string): TagRow {
    const { tags } = this.#parts.rows;
    return this.#write(() => {
      const tag = this.#tag(tagId);
      this.#assertFree(name, tagId);
      tags.rename(tagId, name);
      return { ...tag, name };
    });
  }

  deleteTag(tagId: string, createdBy: string): EditRow {
    const { rows } = this.#parts;
    return this.#write(() => {
      const tag = this.#tag(tagId);
      const flips = new Flips(rows.rowSets);
      for (const entityType of ENTITY_TYPES) {
        for (const { set_id } of rows.rowSets.listOf({ entity_type: entityType, kind: 'tag', name: tagId })) {
          for (const block of rows.rowSets.listBlocks(set_id))
            flips.add({ entity_type: entityType, kind: 'tag' }, block);
        }
      }
      rows.tags.delete(tagId);
      const details = { added: [], removed: [tag.name], tag };
      return this.#record({ kind: 'TAG_DELETION', details, created_by: createdBy }, flips);
    });
  }

  editClusters(
    edit: Omit<NewEdit, 'changes'>,
    change: { added: readonly NewClusterEdit[]; ended: readonly number[] },
  ): EditRow | undefined {
    const nChanged = Math.max(change.added.length, change.ended.length);
    if (nChanged === 0) return undefined;
    return this.#write(() => {
      const { edits } = this.#parts.rows;
      const made = edits.insert({ ...edit, n_changed: nChanged, created_at: systemClock.iso() }, []);
      this.#clusters.apply(made.edit_id, change);
      this.#parts.versions.noteClusterEdits();
      return made;
    });
  }

  apply({ changes, ...edit }: NewEdit): EditRow | undefined {
    return this.#write(() => {
      const [value] = changes.filter((change) => change.kind === 'caption' || change.kind === 'field');
      if (value) return this.#applyValue(value, edit);
      const flips = new Flips(this.#parts.rows.rowSets);
      for (const change of changes)
        if (change.kind !== 'caption' && change.kind !== 'field') this.#apply(change, flips);
      return flips.isEmpty ? undefined : this.#record(edit, flips);
    });
  }

  undo(editId: number | undefined): EditRow {
    const { rowSets, tags, edits, texts } = this.#parts.rows;
    return this.#write(() => {
      const edit = editId === undefined ? edits.last() : edits.find(editId);
      if (!edit) throw new AppError('not_found', message('edit_not_found'));
      const flipped = edits.listFlipped(edit.edit_id);
      if (edits.isChangedSince(edit.edit_id, flipped) || this.#clusters.isChangedSince(edit.edit_id)) {
        throw new AppError('conflict', message('edit_superseded'));
      }
      const { tag } = edit.details;
      if (tag) {
        this.#assertFree(tag.name);
        tags.insert(tag);
      }
      for (const block of flipped) rowSets.flip(block);
      this.#values.revert(edit.edit_id);
      if (this.#clusters.revert(edit.edit_id)) this.#parts.versions.noteClusterEdits();
      texts.refresh();
      edits.delete(edit.edit_id);
      return edit;
    });
  }

  #applyValue(change: ValueChange, edit: Omit<NewEdit, 'changes'>): EditRow | undefined {
    const { edits, texts } = this.#parts.rows;
    const nChanged = this.#values.apply(change);
    if (nChanged === 0) return undefined;
    texts.refresh();
    const made = edits.insert({ ...edit, n_changed: nChanged, created_at: systemClock.iso() }, []);
    this.#values.record(made.edit_id);
    return made;
  }

  #apply(change: Exclude<RowChange, ValueChange>, flips: Flips): void {
    if (change.kind === 'tag') {
      this.#tag(change.tag_id);
      this.#set(change.rows, 'tag', change.tag_id, change.holds, flips);
    } else if (change.kind === 'label') {
      this.#set(change.rows, 'label', change.label, change.holds, flips);
      this.#set(change.rows, 'not_label', change.label, !change.holds, flips);
    } else if (change.kind === 'verdict') {
      this.#decide(change, flips);
    } else {
      this.#set(change.rows, 'excluded', '', change.holds, flips);
    }
  }

  /** Sets a verdict, and removes the others of these rows in the queue. */
  #decide({ rows, ...verdict }: RowChange & { kind: 'verdict' }, flips: Flips): void {
    const name = printVerdict(verdict);
    for (const set of this.#parts.rows.rowSets.list()) {
      const bits = rows[set.entity_type];
      const isOther = set.kind === 'verdict' && set.name !== name;
      if (bits && isOther && parseVerdict(set.name).queue_id === verdict.queue_id)
        this.#change(set, bits, false, flips);
    }
    this.#set(rows, 'verdict', name, true, flips);
  }

  #set(rows: SelectedRows, kind: SetKind, name: string, holds: boolean, flips: Flips): void {
    for (const entityType of ENTITY_TYPES) {
      const bits = rows[entityType];
      if (bits) this.#change({ entity_type: entityType, kind, name }, bits, holds, flips);
    }
  }

  #change(set: SetName, rows: Uint32Array, holds: boolean, flips: Flips): void {
    const { rowSets } = this.#parts.rows;
    const known = rowSets.listOf(set);
    for (const { block, words } of blocksOf(rows)) {
      const parts = known.map(({ set_id }) => ({ set_id, words: rowSets.readBlock(set_id, block) }));
      if (!holds) {
        for (const part of parts) {
          flips.add(set, {
            set_id: part.set_id,
            block,
            words: words.map((word, at) => word & (part.words[at] as number)),
          });
        }
        continue;
      }
      const missing = words.map((word, at) => parts.reduce((left, part) => left & ~(part.words[at] as number), word));
      const now = set.kind === 'tag' ? parseTagTime(systemClock.iso()) : undefined;
      const added = { set_id: rowSets.ensure(set, now?.day ?? ''), block, words: missing };
      if (now) rowSets.times.set(added, () => now.microseconds);
      flips.add(set, added);
    }
  }

  #record(edit: Omit<NewEdit, 'changes'>, flips: Flips): EditRow {
    const { edits } = this.#parts.rows;
    const { blocks, nChanged } = flips;
    return edits.insert({ ...edit, n_changed: nChanged, created_at: systemClock.iso() }, blocks);
  }

  /** Runs `work` in a transaction. If it fails, nothing is written. */
  #write<Result>(work: () => Result): Result {
    const { db, versions } = this.#parts;
    return db.transaction(() => {
      const result = work();
      versions.noteEdit();
      return result;
    })();
  }

  #tag(tagId: string): TagRow {
    const tag = this.#parts.rows.tags.find(tagId);
    if (!tag) throw new AppError('not_found', message('tag_not_found'));
    return tag;
  }

  #assertFree(name: string, tagId?: string): void {
    const other = this.#parts.rows.tags.findByName(name);
    if (other && other.tag_id !== tagId)
      throw new AppError('conflict', message('tag_name_taken', { name: other.name }));
  }
}

type SetOfFlips = Pick<SetName, 'entity_type' | 'kind'>;

/** The bits that an edit flips. Each block is written when it is added; blocks of one place are combined. */
class Flips {
  readonly #blocks = new Map<string, SetBlock & SetOfFlips>();
  readonly #rowSets: Pick<WriterRows['rowSets'], 'flip'>;

  constructor(rowSets: Pick<WriterRows['rowSets'], 'flip'>) {
    this.#rowSets = rowSets;
  }

  get blocks(): SetBlock[] {
    return [...this.#blocks.values()].filter(({ words }) => words.some((word) => word !== 0));
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  /** Number of rows with a flipped bit. Verdicts count only if they are all that changed. */
  get nChanged(): number {
    const changed = new Map<string, Uint32Array<ArrayBuffer>>();
    const all = [...this.#blocks.values()];
    const others = all.filter(({ kind }) => kind !== 'verdict');
    for (const { entity_type, block, words } of others.length > 0 ? others : all) {
      const key = `${entity_type} ${block}`;
      const known = changed.get(key) ?? emptyBlock();
      changed.set(
        key,
        known.map((word, at) => word | (words[at] as number)),
      );
    }
    return [...changed.values()].reduce((sum, words) => sum + new RowSet(words.length * 32, words).count, 0);
  }

  add({ entity_type, kind }: SetOfFlips, block: SetBlock): void {
    if (block.words.every((word) => word === 0)) return;
    this.#rowSets.flip(block);
    const key = `${block.set_id} ${block.block}`;
    const words = this.#blocks.get(key)?.words ?? emptyBlock();
    this.#blocks.set(key, {
      ...block,
      entity_type,
      kind,
      words: words.map((word, at) => word ^ (block.words[at] as number)),
    });
  }
}
