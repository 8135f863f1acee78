import { setTimeout as rest } from 'node:timers/promises';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { Log } from '../ports/log.ts';
import type { DatasetCatalog } from './dataset-catalog.ts';

/** Changes within this time are counted together: every edit of a dataset is a change. */
const DELAY_MS = 5000;

interface DatasetSizesParts {
  datasets: Pick<DatasetCatalog, 'find' | 'listAll' | 'storeOf' | 'saveSizes'>;
  folders: Pick<DatasetFolders, 'countBytes'>;
  tasks: { isRunning(datasetId: string): boolean };
  log: Log;
}

/**
 * Records how much disk space datasets occupy, and how many frames their videos have. Counts in the background after changes, so that no
 * request waits for it.
 */
export class DatasetSizes {
  readonly #parts: DatasetSizesParts;
  readonly #delayMs: number;
  readonly #changed = new Set<string>();
  readonly #closing = new AbortController();
  #counting: Promise<void> | undefined;

  constructor(parts: DatasetSizesParts, delayMs = DELAY_MS) {
    this.#parts = parts;
    this.#delayMs = delayMs;
  }

  /** Counts the datasets that were never counted. */
  countUnknown(): void {
    for (const { dataset_id, disk_bytes, n_frames } of this.#parts.datasets.listAll()) {
      if (disk_bytes === null || n_frames === null) this.noteChange(dataset_id);
    }
  }

  /** Counts a dataset soon. */
  noteChange(datasetId: string): void {
    if (this.#closing.signal.aborted) return;
    this.#changed.add(datasetId);
    this.#counting ??= this.#countChanged().finally(() => {
      this.#counting = undefined;
    });
  }

  /** Stops counting. Call before the stores and the catalog are closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#counting;
  }

  /** Never rejects. */
  async #countChanged(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#changed.size > 0 && !signal.aborted) {
      await rest(this.#delayMs, undefined, { ref: false, signal }).catch(() => undefined);
      const ids = [...this.#changed];
      this.#changed.clear();
      for (const datasetId of ids) {
        if (!signal.aborted) await this.#count(datasetId);
      }
    }
  }

  async #count(datasetId: string): Promise<void> {
    const { datasets, folders, tasks, log } = this.#parts;
    const dataset = datasets.find(datasetId);
    // The end of a running task is a change, too.
    if (dataset === undefined || tasks.isRunning(datasetId)) return;
    try {
      const ofFolder = await folders.countBytes(datasetId);
      const store = datasets.storeOf(dataset);
      const stored = await store.intake.countStoredBytes();
      const { n_frames } = await store.items.counts();
      // No event: pages would load all that they show again after every edit. Those that show the size ask for it from time to time.
      datasets.saveSizes(datasetId, { disk_bytes: ofFolder + stored, n_frames });
    } catch (error) {
      log.debug({ dataset_id: datasetId, err: error }, 'the size of a dataset could not be counted');
    }
  }
}
