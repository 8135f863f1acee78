import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { Ids } from '../ports/clock.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';

interface Parts {
  datasets: DatasetCatalog;
  mediaFolders: MediaFolders;
  originals: StoredOriginals;
  ids: Ids;
  log: Log;
}

/** Batches whose files requests bring: each is discarded unless a task takes it over, also when the dataset is deleted meanwhile. */
export class ReceivingBatches {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Receives the files of a new batch.
   * @param work Ends the receiving of the batch with the transaction that starts its task.
   */
  async receive<Result>(datasetId: string, work: (batchId: string) => Promise<Result>): Promise<Result> {
    const { mediaFolders, ids } = this.#parts;
    const batchId = ids.uuid();
    mediaFolders.beginReceiving(datasetId, batchId);
    try {
      return await work(batchId);
    } catch (error) {
      await this.#discard(datasetId, batchId);
      throw error;
    }
  }

  /** Discards what requests left that a crash interrupted. Never rejects; a batch that cannot be discarded is tried again at the next start. */
  async discardInterrupted(): Promise<void> {
    const { mediaFolders, log } = this.#parts;
    for (const { dataset_id, batch_id } of mediaFolders.listReceiving()) {
      await this.#discard(dataset_id, batch_id).catch((error: unknown) =>
        log.warn({ err: error, dataset_id, batch_id }, 'interrupted uploads could not be discarded'),
      );
    }
  }

  async #discard(datasetId: string, batchId: string): Promise<void> {
    const { datasets, mediaFolders, originals } = this.#parts;
    // Delete files first: on a full disk this frees the space that the other steps need.
    await originals.remove(batchId);
    // The dataset may have been deleted meanwhile; then its store must not be opened again.
    const row = datasets.find(datasetId);
    if (row) await datasets.storeOf(row).intake.discardBatch(batchId, false);
    mediaFolders.release(batchId);
  }
}
