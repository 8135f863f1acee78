import type { EditKind } from '../../contract/schemas/edit.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';

/** Some rows, a bit each: row `r` is bit `r & 31` of word `r >>> 5`. */
export type RowBits = Uint32Array;

/** Items and objects that an edit is about. */
export type SelectedRows = Partial<Record<EntityType, RowBits>>;

export interface TagRow {
  tag_id: string;
  name: string;
  created_at: string;
}

/** A tag, and how many living items and objects have it. */
export interface CountedTag extends TagRow {
  n_images: number;
  n_objects: number;
}

/** What is said, or not said any more, of rows. */
export type RowChange =
  | { kind: 'tag'; tag_id: string; holds: boolean; rows: SelectedRows }
  /** A person's word on a label prevails over those of files and models. */
  | { kind: 'label'; label: string; holds: boolean; rows: SelectedRows }
  | { kind: 'excluded'; holds: boolean; rows: SelectedRows };

/** An edit that can be taken back. */
export interface EditRow {
  edit_id: number;
  kind: EditKind;
  details: {
    /** Names of tags or labels that were put on. */
    added: string[];
    /** Those that were taken off. */
    removed: string[];
    /** Was deleted with its assignments. */
    tag?: TagRow;
  };
  /** Items and objects of which something has changed. */
  n_changed: number;
  created_by: string;
  created_at: string;
}

export interface NewEdit extends Pick<EditRow, 'kind' | 'details' | 'created_by'> {
  changes: RowChange[];
}

export interface EditReads {
  /** Lists edits, the last first. */
  list(): Promise<EditRow[]>;
  /** Lists tags by name. */
  listTags(): Promise<CountedTag[]>;
}

/** Changes labels, tags and exclusion as users ask. An edit is one transaction. */
export interface EditWrites {
  /** @throws AppError `conflict` where another tag has the name. */
  addTag(name: string): Promise<TagRow>;
  /** @throws AppError `not_found`; `conflict` where another tag has the name. */
  renameTag(tagId: string, name: string): Promise<TagRow>;
  /** Deletes a tag and removes it from all rows. @throws AppError `not_found`. */
  deleteTag(tagId: string, createdBy: string): Promise<EditRow>;
  /** @returns Undefined when the edit changes nothing. */
  apply(edit: NewEdit): Promise<EditRow | undefined>;
  /**
   * Reverts the last edit.
   * @param editId The edit that the caller expects to be the last one.
   * @throws AppError `not_found` without any edit; `conflict` if a later edit exists, or the name of a deleted tag is taken.
   */
  undo(editId: number | undefined): Promise<EditRow>;
}
