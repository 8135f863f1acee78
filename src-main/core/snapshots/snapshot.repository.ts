import type { Catalog } from '../ports/catalog.ts';
import { mediaFoldersOf, type SnapshotListRow, type SnapshotRow } from './snapshot-row.ts';

const SELECT = `SELECT snapshot.*, dataset.display_name AS dataset_name
  FROM snapshot JOIN dataset USING (dataset_id) WHERE dataset_id = :dataset_id AND deleted_at IS NULL`;

/** Snapshot rows of the catalog. Rows of deleted snapshots stay and are never returned. */
export class SnapshotRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Lists snapshots, newest first. */
  list(datasetId: string): SnapshotListRow[] {
    return this.#catalog.all<SnapshotListRow>(`${SELECT} ORDER BY place DESC`, { dataset_id: datasetId });
  }

  find(datasetId: string, snapshotId: string): SnapshotListRow | undefined {
    return this.#catalog.find<SnapshotListRow>(`${SELECT} AND snapshot_id = :snapshot_id`, {
      dataset_id: datasetId,
      snapshot_id: snapshotId,
    });
  }

  findCurrent(datasetId: string): SnapshotListRow | undefined {
    return this.#catalog.find<SnapshotListRow>(`${SELECT} AND is_current = 1`, { dataset_id: datasetId });
  }

  /** Lists the media folders of each snapshot, of any dataset, that has at least one of the given folders. */
  listMediaFolders(batchIds: readonly string[]): string[][] {
    return this.#catalog
      .all<Pick<SnapshotRow, 'media_folders'>>(
        `SELECT media_folders FROM snapshot WHERE deleted_at IS NULL AND EXISTS (
           SELECT 1 FROM json_each(media_folders) WHERE value IN (SELECT value FROM json_each(:batch_ids)))`,
        { batch_ids: JSON.stringify(batchIds) },
      )
      .map(mediaFoldersOf);
  }

  /** Adds a snapshot, which becomes the current one. Joins the caller's transaction. */
  insert(row: Omit<SnapshotRow, 'is_current'>): void {
    this.#clearCurrent(row.dataset_id);
    this.#catalog.run(
      `INSERT INTO snapshot (snapshot_id, dataset_id, name, description, created_at, created_by, reason, n_images, n_videos, n_objects,
         n_file_errors, preview_media_ids, enrichment, media_folders, training_model_id, training_model_name, is_current, place)
       VALUES (:snapshot_id, :dataset_id, :name, :description, :created_at, :created_by, :reason, :n_images, :n_videos, :n_objects,
         :n_file_errors, :preview_media_ids, :enrichment, :media_folders, :training_model_id, :training_model_name, 1,
         (SELECT coalesce(max(place), 0) + 1 FROM snapshot))`,
      { ...row },
    );
  }

  /** Joins the caller's transaction. */
  setCurrent(datasetId: string, snapshotId: string): void {
    this.#clearCurrent(datasetId);
    this.#catalog.run('UPDATE snapshot SET is_current = 1 WHERE snapshot_id = :snapshot_id', {
      snapshot_id: snapshotId,
    });
  }

  describe(snapshotId: string, { name, description }: Pick<SnapshotRow, 'name' | 'description'>): void {
    this.#catalog.run('UPDATE snapshot SET name = :name, description = :description WHERE snapshot_id = :snapshot_id', {
      snapshot_id: snapshotId,
      name,
      description,
    });
  }

  /** Joins the caller's transaction. */
  markDeleted(snapshotId: string, at: string): void {
    this.#catalog.run('UPDATE snapshot SET deleted_at = :at WHERE snapshot_id = :snapshot_id', {
      snapshot_id: snapshotId,
      at,
    });
  }

  #clearCurrent(datasetId: string): void {
    this.#catalog.run('UPDATE snapshot SET is_current = 0 WHERE dataset_id = :dataset_id AND is_current = 1', {
      dataset_id: datasetId,
    });
  }
}
