import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { Catalog } from '../ports/catalog.ts';

/** Which datasets use which folders of stored originals. A folder has the originals of one batch; copies of a dataset use the same folders. */
export class MediaFolders {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Records that a dataset uses originals in the folder of a batch. */
  hold(datasetId: string, batchId: string): void {
    this.#catalog.run('INSERT INTO media_folder VALUES (:batch_id, :dataset_id) ON CONFLICT DO NOTHING', {
      batch_id: batchId,
      dataset_id: datasetId,
    });
  }

  /** As {@link hold}, for a batch that a request is adding. Until {@link endReceiving}, the batch counts as interrupted at the next start. */
  beginReceiving(datasetId: string, batchId: string): void {
    this.#catalog.transaction(() => {
      this.hold(datasetId, batchId);
      this.#catalog.run('INSERT INTO receiving_batch VALUES (:batch_id, :dataset_id)', {
        batch_id: batchId,
        dataset_id: datasetId,
      });
    });
  }

  /** Joins the caller's transaction. */
  endReceiving(batchId: string): void {
    this.#catalog.run('DELETE FROM receiving_batch WHERE batch_id = :batch_id', { batch_id: batchId });
  }

  listReceiving(): { batch_id: string; dataset_id: string }[] {
    return this.#catalog.all('SELECT batch_id, dataset_id FROM receiving_batch');
  }

  /** Records that a copy uses the folders of its source dataset. */
  holdAllOf(datasetId: string, sourceDatasetId: string): void {
    this.#catalog.run(
      `INSERT INTO media_folder SELECT batch_id, :dataset_id FROM media_folder WHERE dataset_id = :source_dataset_id
       ON CONFLICT DO NOTHING`,
      { dataset_id: datasetId, source_dataset_id: sourceDatasetId },
    );
  }

  /** Releases the folder of a batch that added nothing, so that the folder can be deleted. */
  release(batchId: string): void {
    this.#catalog.transaction(() => {
      this.endReceiving(batchId);
      this.#catalog.run('DELETE FROM media_folder WHERE batch_id = :batch_id', { batch_id: batchId });
    });
  }

  /** Lists the datasets that use any of the folders. */
  listHolders(batchIds: readonly string[]): Pick<DatasetRow, 'dataset_id' | 'generation' | 'status_new'>[] {
    return this.#catalog.all(
      `SELECT dataset_id, generation, status_new FROM dataset WHERE dataset_id IN (
         SELECT dataset_id FROM media_folder WHERE batch_id IN (SELECT value FROM json_each(:batch_ids)))`,
      { batch_ids: JSON.stringify(batchIds) },
    );
  }

  /** Lists the batches whose folders no other dataset uses. */
  listOwn(datasetId: string): string[] {
    return this.#catalog
      .all<{ batch_id: string }>(
        'SELECT batch_id FROM media_folder GROUP BY batch_id HAVING count(*) = 1 AND max(dataset_id) = :dataset_id',
        { dataset_id: datasetId },
      )
      .map((row) => row.batch_id);
  }
}
