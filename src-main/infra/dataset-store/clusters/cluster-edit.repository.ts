import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { ClusterEditKind, NewClusterEdit } from '../../../core/ports/edits.ts';

/** What people did to clusters of a level. */
export interface ClusterEditRow {
  cluster_edit_id: number;
  name: string;
  /** Rows of some items of the cluster, or of each of the merged clusters, at the time of the edit. */
  parts: Int32Array[];
}

/** Names, hidden clusters and merged clusters: [Note: Edits of clusters]. All writes join the caller's transaction. */
export class ClusterEditRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Lists the edits that hold. */
  list(kind: ClusterEditKind, entityType: EntityType, level: number): ClusterEditRow[] {
    return this.#db
      .prepare<[string, string, number], { cluster_edit_id: number; name: string; members: Buffer; ends: string }>(
        `SELECT cluster_edit_id, name, members, ends FROM cluster_edit
         WHERE kind = ? AND entity_type = ? AND level = ? AND holds = 1 ORDER BY cluster_edit_id`,
      )
      .all(kind, entityType, level)
      .map(({ members, ends, ...row }) => {
        const all = new Int32Array(new Uint8Array(members).buffer);
        const bounds = JSON.parse(ends) as number[];
        return { ...row, parts: bounds.map((end, at) => all.subarray(bounds[at - 1] ?? 0, end)) };
      });
  }

  /** Adds edits and ends others, as one edit of the history. */
  apply(editId: number, { added, ended }: { added: readonly NewClusterEdit[]; ended: readonly number[] }): void {
    const insert = this.#db.prepare(
      'INSERT INTO cluster_edit (kind, entity_type, level, name, members, ends, holds) VALUES (?, ?, ?, ?, ?, ?, 1)',
    );
    const note = this.#db.prepare<[number, number]>('INSERT OR IGNORE INTO edit_cluster VALUES (?, ?)');
    const end = this.#db.prepare<[number]>('UPDATE cluster_edit SET holds = 0 WHERE cluster_edit_id = ?');
    for (const { kind, entity_type, level, name, parts } of added) {
      const members = Int32Array.from(parts.flatMap((part) => [...part]));
      let last = 0;
      const ends = parts.map(({ length }) => {
        last += length;
        return last;
      });
      const bytes = new Uint8Array(members.buffer);
      const { lastInsertRowid } = insert.run(kind, entity_type, level, name, bytes, JSON.stringify(ends));
      note.run(editId, Number(lastInsertRowid));
    }
    for (const id of ended) {
      end.run(id);
      note.run(editId, id);
    }
    // Edits that no undo can bring back.
    this.#db.exec(
      'DELETE FROM cluster_edit WHERE holds = 0 AND cluster_edit_id NOT IN (SELECT cluster_edit_id FROM edit_cluster)',
    );
  }

  /** Whether an edit after this one changed one of the same names, hidden or merged clusters. */
  isChangedSince(editId: number): boolean {
    return (
      this.#db
        .prepare<[number, number], 0 | 1>(
          `SELECT EXISTS (SELECT 1 FROM edit_cluster WHERE edit_id = ? AND cluster_edit_id IN
             (SELECT cluster_edit_id FROM edit_cluster WHERE edit_id > ?))`,
        )
        .pluck()
        .get(editId, editId) === 1
    );
  }

  /** Takes an edit back: what it added ends, and what it ended holds again. @returns Whether it was an edit of clusters. */
  revert(editId: number): boolean {
    const { changes } = this.#db
      .prepare<[number]>(
        `UPDATE cluster_edit SET holds = 1 - holds
         WHERE cluster_edit_id IN (SELECT cluster_edit_id FROM edit_cluster WHERE edit_id = ?)`,
      )
      .run(editId);
    return changes > 0;
  }
}
