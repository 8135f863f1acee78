import type { Catalog } from '../ports/catalog.ts';

export interface WatchedFolderRow {
  watch_id: string;
  dataset_id: string;
  /** The source that the folder's files belong to. It has the authoritative path; `path` is the last one that was read from it. */
  source_id: string;
  path: string;
  /** JSON array of patterns. */
  exclude: string;
  paused: number;
  last_scan_at: string | null;
  created_at: string;
}

/** Watched folders of the catalog. */
export class WatchedFolderRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  insert(row: WatchedFolderRow): void {
    this.#catalog.run(
      `INSERT INTO watched_folder VALUES (:watch_id, :dataset_id, :source_id, :path, :exclude, :paused, :last_scan_at, :created_at)`,
      { ...row },
    );
  }

  find(datasetId: string, watchId: string): WatchedFolderRow | undefined {
    return this.#catalog.find<WatchedFolderRow>(
      'SELECT * FROM watched_folder WHERE dataset_id = :dataset_id AND watch_id = :watch_id',
      { dataset_id: datasetId, watch_id: watchId },
    );
  }

  list(datasetId: string): WatchedFolderRow[] {
    return this.#catalog.all<WatchedFolderRow>(
      'SELECT * FROM watched_folder WHERE dataset_id = :dataset_id ORDER BY created_at, rowid',
      { dataset_id: datasetId },
    );
  }

  listAll(): WatchedFolderRow[] {
    return this.#catalog.all<WatchedFolderRow>('SELECT * FROM watched_folder ORDER BY rowid');
  }

  update(watchId: string, change: Pick<WatchedFolderRow, 'exclude' | 'paused'>): void {
    this.#catalog.run('UPDATE watched_folder SET exclude = :exclude, paused = :paused WHERE watch_id = :watch_id', {
      watch_id: watchId,
      exclude: change.exclude,
      paused: change.paused,
    });
  }

  setPath(watchId: string, path: string): void {
    this.#catalog.run('UPDATE watched_folder SET path = :path WHERE watch_id = :watch_id', { watch_id: watchId, path });
  }

  noteScan(watchId: string, at: string): void {
    this.#catalog.run('UPDATE watched_folder SET last_scan_at = :at WHERE watch_id = :watch_id', {
      watch_id: watchId,
      at,
    });
  }

  delete(watchId: string): void {
    this.#catalog.run('DELETE FROM watched_folder WHERE watch_id = :watch_id', { watch_id: watchId });
  }
}
