import { setTimeout as rest } from 'node:timers/promises';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { TaskService } from '../tasks/task.service.ts';

/** Maximum time that {@link DatasetRemover.close} waits. */
const CLOSE_WAIT_MS = 5000;

/**
 * Deletes the files of datasets whose rows are deleted. Their folders are marked as deleted, so the next start completes a removal that did
 * not finish.
 */
export class DatasetRemover {
  readonly #tasks: TaskService;
  readonly #stores: Pick<DatasetStores, 'remove'>;
  readonly #originals: Pick<StoredOriginals, 'remove'>;
  readonly #log: Log;
  readonly #removals = new Set<Promise<void>>();

  constructor(parts: {
    tasks: TaskService;
    stores: Pick<DatasetStores, 'remove'>;
    originals: Pick<StoredOriginals, 'remove'>;
    log: Log;
  }) {
    this.#tasks = parts.tasks;
    this.#stores = parts.stores;
    this.#originals = parts.originals;
    this.#log = parts.log;
  }

  /**
   * Interrupts the tasks of a dataset, then deletes its files and the given originals. Resolves when they are deleted, or at once if a task
   * must end first: an index that is being built takes its time to stop. Never rejects.
   */
  async remove(datasetId: string, batchIds: readonly string[]): Promise<void> {
    const hasTasks = this.#tasks.isRunning(datasetId);
    const removal = this.#remove(datasetId, batchIds).finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
    if (!hasTasks) await removal;
  }

  /** Waits for removals. Call after all tasks were interrupted. */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.#removals), rest(CLOSE_WAIT_MS, undefined, { ref: false })]);
  }

  async #remove(datasetId: string, batchIds: readonly string[]): Promise<void> {
    try {
      await this.#tasks.stopDataset(datasetId);
      for (const batchId of batchIds) await this.#originals.remove(batchId);
      await this.#stores.remove(datasetId);
    } catch (error) {
      this.#log.error(
        { err: error, dataset_id: datasetId },
        'files of a deleted dataset could not be deleted; the next start deletes them',
      );
    }
  }
}
