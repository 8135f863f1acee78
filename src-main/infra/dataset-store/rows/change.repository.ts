import type Database from 'better-sqlite3';
import type { ChangedFile, FileCursor, PendingFile, SeenFile } from '../../../core/ports/dataset-store.ts';
import { fileKindOf } from '../../files/file-kinds.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { Place } from './watched-files.repository.ts';

export interface ChangeRow extends Place {
  change_id: number;
}

interface ChangeAtRoot {
  change_id: number;
  file_path: string;
  root: string;
}

/** What watched folders told of, until it is taken in. */
export class ChangeRepository {
  readonly #db: Database.Database;
  readonly #data_folder: string;

  constructor(db: Database.Database, data_folder: string) {
    this.#db = db;
    this.#data_folder = data_folder;
  }

  clear(): void {
    this.#db.prepare('DELETE FROM change').run();
  }

  add(batch_id: string, source_id: string, seen: SeenFile): void {
    this.#insert(batch_id, source_id, fileKindOf(seen.file_path) ?? 'image', seen);
  }

  addRemoved(batch_id: string, source_id: string, file_path: string): void {
    this.#insert(batch_id, source_id, 'removed', { file_path, size_bytes: 0, mtime_ms: 0 });
  }

  count(batch_id: string): number {
    return (
      this.#db.prepare<[string], number>('SELECT count(*) FROM change WHERE batch_id = ?').pluck().get(batch_id) ?? 0
    );
  }

  list(batch_id: string, kind: 'video' | 'annotation' | 'removed'): ChangeRow[] {
    return this.#db
      .prepare<[string, string], ChangeRow>('SELECT * FROM change WHERE batch_id = ? AND kind = ? ORDER BY file_path')
      .all(batch_id, kind);
  }

  /** A picture's change that is still to be taken in. */
  find(batch_id: string, change_id: number): ChangeRow | undefined {
    return this.#db
      .prepare<[number, string], ChangeRow>(
        `SELECT * FROM change WHERE change_id = ? AND batch_id = ? AND kind = 'image'`,
      )
      .get(change_id, batch_id);
  }

  listSameSize(batch_id: string, after: number, limit: number): ChangedFile[] {
    return this.#db
      .prepare<[string, number, number], ChangeAtRoot>(
        `SELECT change_id, file_path, root FROM change JOIN source USING (source_id)
         WHERE batch_id = ? AND change.kind = 'image' AND change_id > ? AND EXISTS (
           SELECT 1 FROM file JOIN media USING (file_id) WHERE file.size_bytes = change.size_bytes AND file.video_id IS NULL)
         ORDER BY change_id LIMIT ?`,
      )
      .all(batch_id, after, limit)
      .map((row) => ({ change_id: row.change_id, path: this.#path(row) }));
  }

  listPictures(batch_id: string, after: FileCursor, limit: number): PendingFile[] {
    return this.#db
      .prepare<Record<string, string | number>, ChangeAtRoot>(
        `SELECT change_id, file_path, root FROM change JOIN source USING (source_id)
         WHERE batch_id = :batch_id AND change.kind = 'image' AND (file_path, change_id) > (:file_path, :change_id)
         ORDER BY file_path, change_id LIMIT :limit`,
      )
      .all({ batch_id, file_path: after?.file_path ?? '', change_id: after?.file_id ?? -1, limit })
      .map((row) => ({ file_id: row.change_id, file_path: row.file_path, path: this.#path(row) }));
  }

  delete(change_id: number): void {
    this.#db.prepare<[number]>('DELETE FROM change WHERE change_id = ?').run(change_id);
  }

  deleteBatch(batch_id: string): void {
    this.#db.prepare<[string]>('DELETE FROM change WHERE batch_id = ?').run(batch_id);
  }

  /** Forgets a batch that brought no file of its own. */
  deleteEmptyBatch(batch_id: string): void {
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM batch WHERE batch_id = :batch_id AND kind = 'watch' AND NOT EXISTS (SELECT 1 FROM file WHERE batch_id = :batch_id)`,
      )
      .run({ batch_id });
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM source WHERE source_id = :batch_id AND NOT EXISTS (SELECT 1 FROM batch WHERE batch_id = :batch_id)
           AND NOT EXISTS (SELECT 1 FROM file WHERE source_id = :batch_id)`,
      )
      .run({ batch_id });
  }

  #insert(batch_id: string, source_id: string, kind: string, { file_path, size_bytes, mtime_ms }: SeenFile): void {
    this.#db
      .prepare<Record<string, string | number>>(
        `INSERT INTO change (batch_id, source_id, file_path, kind, size_bytes, mtime_ms)
         VALUES (:batch_id, :source_id, :file_path, :kind, :size_bytes, :mtime_ms)`,
      )
      .run({ batch_id, source_id, file_path, kind, size_bytes, mtime_ms });
  }

  #path({ root, file_path }: ChangeAtRoot): string {
    return resolveLocation(this.#data_folder, { kind: 'folder', root }, file_path);
  }
}
