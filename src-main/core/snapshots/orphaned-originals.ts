import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';

/**
 * Deletes originals that neither a dataset nor any of its snapshots uses any more. They are added to a list in the transaction that ends
 * their use, and removed from it after deletion, so a crash in between only delays the deletion.
 */
export class OrphanedOriginals {
  readonly #catalog: Catalog;
  readonly #originals: Pick<StoredOriginals, 'remove'>;
  readonly #log: Log;

  constructor({ catalog, originals, log }: { catalog: Catalog; originals: Pick<StoredOriginals, 'remove'>; log: Log }) {
    this.#catalog = catalog;
    this.#originals = originals;
    this.#log = log;
  }

  /**
   * Adds to the list the media folders that neither the dataset nor a snapshot uses. Joins the caller's transaction.
   * @param live Media folders that the dataset uses from now on.
   * @param candidates Media folders to consider; all of the dataset's folders by default.
   */
  note({ dataset_id }: Pick<DatasetRow, 'dataset_id'>, live: readonly string[], candidates?: readonly string[]): void {
    this.#catalog.run(
      `INSERT OR IGNORE INTO orphaned_media SELECT batch_id, dataset_id FROM media_folder
       WHERE dataset_id = :dataset_id AND batch_id NOT IN (SELECT value FROM json_each(:live))
         AND (:candidates IS NULL OR batch_id IN (SELECT value FROM json_each(:candidates)))
         AND batch_id NOT IN (SELECT value FROM snapshot, json_each(media_folders)
           WHERE snapshot.dataset_id = :dataset_id AND deleted_at IS NULL)`,
      {
        dataset_id,
        live: JSON.stringify(live),
        candidates: candidates === undefined ? null : JSON.stringify(candidates),
      },
    );
  }

  /** Deletes the listed originals. Never rejects. A failed deletion is tried again at the next start. */
  async remove(): Promise<void> {
    try {
      for (const orphaned of this.#list()) {
        const { batch_id, n_holders } = orphaned;
        if (n_holders === 1) await this.#originals.remove(batch_id);
        this.#forget(orphaned);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'orphaned originals could not be deleted');
    }
  }

  #list(): { batch_id: string; dataset_id: string; n_holders: number }[] {
    return this.#catalog.all(
      `SELECT batch_id, dataset_id,
         (SELECT count(*) FROM media_folder WHERE media_folder.batch_id = orphaned_media.batch_id) AS n_holders
       FROM orphaned_media`,
    );
  }

  #forget({ batch_id, dataset_id }: { batch_id: string; dataset_id: string }): void {
    this.#catalog.transaction(() => {
      for (const table of ['media_folder', 'orphaned_media']) {
        this.#catalog.run(`DELETE FROM ${table} WHERE batch_id = :batch_id AND dataset_id = :dataset_id`, {
          batch_id,
          dataset_id,
        });
      }
    });
  }
}
