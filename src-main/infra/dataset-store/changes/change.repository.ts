import type Database from 'better-sqlite3';
import type { ChangedFile, SeenFile } from '../../../core/ports/changes.ts';
import type { FileCursor, PendingFile } from '../../../core/ports/dataset-files.ts';
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

/** Changes reported by watched folders that are not yet imported. */
export class ChangeRepository {
  readonly #db: Database.Database;
  readonly #dataFolder: string;

  constructor(db: Database.Database, dataFolder: string) {
    this.#db = db;
    this.#dataFolder = dataFolder;
  }

  clear(): void {
    this.#db.prepare('DELETE FROM change').run();
  }

  add(batchId: string, sourceId: string, seen: SeenFile): void {
    this.#insert(batchId, sourceId, fileKindOf(seen.file_path) ?? 'image', seen);
  }

  addRemoved(batchId: string, sourceId: string, filePath: string): void {
    this.#insert(batchId, sourceId, 'removed', { file_path: filePath, size_bytes: 0, mtime_ms: 0 });
  }

  count(batchId: string): number {
    return (
      this.#db.prepare<[string], number>('SELECT count(*) FROM change WHERE batch_id = ?').pluck().get(batchId) ?? 0
    );
  }

  list(batchId: string, kind: 'video' | 'annotation' | 'removed'): ChangeRow[] {
    return this.#db
      .prepare<[string, string], ChangeRow>('SELECT * FROM change WHERE batch_id = ? AND kind = ? ORDER BY file_path')
      .all(batchId, kind);
  }

  /** Returns an image's change that is not yet imported. */
  find(batchId: string, changeId: number): ChangeRow | undefined {
    return this.#db
      .prepare<[number, string], ChangeRow>(
        `SELECT * FROM change WHERE change_id = ? AND batch_id = ? AND kind = 'image'`,
      )
      .get(changeId, batchId);
  }

  listSameSize(batchId: string, after: number, limit: number): ChangedFile[] {
    return this.#db
      .prepare<[string, number, number], ChangeAtRoot>(
        `SELECT change_id, file_path, root FROM change JOIN source USING (source_id)
         WHERE batch_id = ? AND change.kind = 'image' AND change_id > ? AND EXISTS (
           SELECT 1 FROM file JOIN media USING (file_id) WHERE file.size_bytes = change.size_bytes AND file.video_id IS NULL)
         ORDER BY change_id LIMIT ?`,
      )
      .all(batchId, after, limit)
      .map((row) => ({ change_id: row.change_id, path: this.#path(row) }));
  }

  listImages(batchId: string, after: FileCursor, limit: number): PendingFile[] {
    return this.#db
      .prepare<Record<string, string | number>, ChangeAtRoot>(
        `SELECT change_id, file_path, root FROM change JOIN source USING (source_id)
         WHERE batch_id = :batch_id AND change.kind = 'image' AND (file_path, change_id) > (:file_path, :change_id)
         ORDER BY file_path, change_id LIMIT :limit`,
      )
      .all({ batch_id: batchId, file_path: after?.file_path ?? '', change_id: after?.file_id ?? -1, limit })
      .map((row) => ({ file_id: row.change_id, file_path: row.file_path, path: this.#path(row) }));
  }

  delete(changeId: number): void {
    this.#db.prepare<[number]>('DELETE FROM change WHERE change_id = ?').run(changeId);
  }

  deleteBatch(batchId: string): void {
    this.#db.prepare<[string]>('DELETE FROM change WHERE batch_id = ?').run(batchId);
  }

  /** Deletes a batch that added no files. */
  deleteEmptyBatch(batchId: string): void {
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM batch WHERE batch_id = :batch_id AND kind = 'watch' AND NOT EXISTS (SELECT 1 FROM file WHERE batch_id = :batch_id)`,
      )
      .run({ batch_id: batchId });
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM source WHERE source_id = :batch_id AND NOT EXISTS (SELECT 1 FROM batch WHERE batch_id = :batch_id)
           AND NOT EXISTS (SELECT 1 FROM file WHERE source_id = :batch_id)`,
      )
      .run({ batch_id: batchId });
  }

  #insert(batchId: string, sourceId: string, kind: string, { file_path, size_bytes, mtime_ms }: SeenFile): void {
    this.#db
      .prepare<Record<string, string | number>>(
        `INSERT INTO change (batch_id, source_id, file_path, kind, size_bytes, mtime_ms)
         VALUES (:batch_id, :source_id, :file_path, :kind, :size_bytes, :mtime_ms)`,
      )
      .run({ batch_id: batchId, source_id: sourceId, file_path, kind, size_bytes, mtime_ms });
  }

  #path({ root, file_path }: ChangeAtRoot): string {
    return resolveLocation(this.#dataFolder, { kind: 'folder', root }, file_path);
  }
}
