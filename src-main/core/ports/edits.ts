import type { FieldValue } from '../../contract/schemas/custom-metadata.ts';
import type { EditKind } from '../../contract/schemas/edit.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { Verdict } from '../../contract/schemas/review.ts';
import type { StoreMethods } from './store-methods.ts';

/** A set of rows as a bitmap: row `r` is bit `r & 31` of word `r >>> 5`. */
export type RowBits = Uint32Array;

/** Rows that an edit applies to, by entity type. */
export type SelectedRows = Partial<Record<EntityType, RowBits>>;

export interface TagRow {
  tag_id: string;
  name: string;
  created_at: string;
}

/** A tag and the number of living items and objects with this tag. */
export interface CountedTag extends TagRow {
  n_images: number;
  n_objects: number;
}

/** A change of rows: a label, tag or exclusion that is set or removed. */
export type RowChange =
  | { kind: 'tag'; tag_id: string; holds: boolean; rows: SelectedRows }
  /** Labels set by users override labels from annotation files and models. */
  | { kind: 'label'; label: string; holds: boolean; rows: SelectedRows }
  | { kind: 'excluded'; holds: boolean; rows: SelectedRows }
  /** Replaces earlier verdicts of these rows in the queue. */
  | { kind: 'verdict'; queue_id: string; verdict: Verdict; user: string; rows: SelectedRows }
  | ValueChange;

/** A change of a value of items, which replaces what they had; null removes it. Objects have no such values. */
export type ValueChange =
  /** The caption that people give, beside those of files and models. */
  | { kind: 'caption'; caption: string | null; rows: SelectedRows }
  | { kind: 'field'; field_name: string; value: FieldValue | null; rows: SelectedRows };

/** An edit that can be undone. */
export interface EditRow {
  edit_id: number;
  kind: EditKind;
  details: {
    /** Names of added tags or labels. */
    added: string[];
    /** Names of removed tags or labels. */
    removed: string[];
    /** The tag that was deleted with its assignments. */
    tag?: TagRow;
  };
  /** Number of changed items and objects. */
  n_changed: number;
  created_by: string;
  created_at: string;
}

export interface NewEdit extends Pick<EditRow, 'kind' | 'details' | 'created_by'> {
  changes: RowChange[];
}

export type ClusterEditKind = 'name' | 'hidden' | 'merged';

/** An edit of clusters to add: [Note: Edits of clusters]. `parts`: some rows of the cluster, or of each cluster that is merged. */
export interface NewClusterEdit {
  kind: ClusterEditKind;
  entity_type: EntityType;
  level: number;
  name: string;
  parts: Int32Array[];
}

/** A cluster to edit: some of its rows, and the ids of the edits that it has. */
export interface EditableCluster {
  entity_type: EntityType;
  level: number;
  members: Int32Array;
  name: string | null;
  edits: Record<ClusterEditKind, number[]>;
}

export interface EditReads {
  /**
   * Lists edits, the latest first. @param mediaId Only edits that changed this item, its objects, or this object.
   * @returns Undefined if there is no such item or object.
   */
  list(mediaId?: string): Promise<EditRow[] | undefined>;
  /** Lists tags by name. */
  listTags(): Promise<CountedTag[]>;
  /** Finds a cluster to edit. @returns Undefined for groups of duplicates, and for clusters that do not exist. */
  findCluster(clusterId: string): Promise<EditableCluster | undefined>;
}

/** Applies users' edits of labels, tags and exclusion. Each edit is one transaction. */
export interface EditWrites {
  /** Adds a tag. @throws AppError `conflict` if another tag has the name. */
  addTag(name: string): Promise<TagRow>;
  /** Renames a tag. @throws AppError `not_found`; `conflict` if another tag has the name. */
  renameTag(tagId: string, name: string): Promise<TagRow>;
  /** Deletes a tag and removes it from all rows. @throws AppError `not_found`. */
  deleteTag(tagId: string, createdBy: string): Promise<EditRow>;
  /** Adds edits of clusters and ends others, as one edit. @returns Undefined if nothing changes. */
  editClusters(
    edit: Omit<NewEdit, 'changes'>,
    change: { added: readonly NewClusterEdit[]; ended: readonly number[] },
  ): Promise<EditRow | undefined>;
  /**
   * Applies an edit. An edit of values has one change.
   * @returns Undefined if the edit changes nothing.
   * @throws AppError `invalid_input` for an unknown custom field, or a value that it cannot have.
   */
  apply(edit: NewEdit): Promise<EditRow | undefined>;
  /**
   * Reverts an edit.
   * @param editId Default: the last edit.
   * @throws AppError `not_found`; `conflict` if a later edit changed the same again, or the name of a deleted tag is taken.
   */
  undo(editId: number | undefined): Promise<EditRow>;
}

export const editMethods: StoreMethods<EditReads, EditWrites> = {
  list: 'read',
  listTags: 'read',
  findCluster: 'read',
  addTag: 'write',
  renameTag: 'write',
  deleteTag: 'write',
  editClusters: 'write',
  apply: 'write',
  undo: 'write',
};
