import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Ids } from '../ports/clock.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { OpenedFolders } from '../ports/opened-folders.ts';
import type { SeenChanges } from '../ports/watcher.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { AddMediaInput } from './add-media.task.ts';

export interface ChangeIntakeParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  mediaFolders: MediaFolders;
  opened: OpenedFolders;
  tasks: TaskService;
  addTask: TaskDefinition<AddMediaInput, never>;
  events: EventBus;
  ids: Ids;
}

/** Number of changes per call to the store. */
const CHUNK = 2000;

/** Turns changes reported by watched folders into batches. */
export class ChangeIntakeService {
  readonly #parts: ChangeIntakeParts;
  /** Last queued import of each dataset: imports of one dataset run one after another. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(parts: ChangeIntakeParts) {
    this.#parts = parts;
  }

  /**
   * Waits until the dataset is ready for a batch, then imports the changes as one batch. Resolves when all changes are recorded.
   * @throws AppError when the batch failed or the dataset was deleted; AbortError. After an error the same changes can be passed again.
   */
  takeIn(
    datasetId: string,
    source: { source_id: string; folder: string },
    changes: SeenChanges,
    signal: AbortSignal,
  ): Promise<void> {
    const before = this.#lines.get(datasetId) ?? Promise.resolve();
    const turn = before.then(() => this.#takeIn(datasetId, source, changes, signal));
    const line = turn.catch(() => undefined);
    this.#lines.set(datasetId, line);
    void line.then(() => this.#lines.get(datasetId) === line && this.#lines.delete(datasetId));
    return turn;
  }

  /** Whether the dataset is indexed and nothing runs on it. @throws AppError `not_found`. */
  isReady(datasetId: string): boolean {
    const { datasets, tasks } = this.#parts;
    const { status_new } = datasets.getRow(datasetId);
    return (status_new === 'READY' || status_new === 'PARTIAL INDEX') && !tasks.isBlocked('add_media', datasetId);
  }

  /** Resolves when the dataset is indexed and nothing runs on it. @throws AppError `not_found`; AbortError. */
  async whenReady(datasetId: string, signal: AbortSignal): Promise<void> {
    await this.#when(datasetId, signal, () => this.isReady(datasetId));
  }

  async #takeIn(
    datasetId: string,
    source: { source_id: string; folder: string },
    changes: SeenChanges,
    signal: AbortSignal,
  ): Promise<void> {
    const batchId = this.#parts.ids.uuid();
    const open = await this.#openOnes(source.folder, changes);
    for (;;) {
      await this.whenReady(datasetId, signal);
      if ((await this.#note(datasetId, batchId, source.source_id, open)) === 0) return;
      signal.throwIfAborted();
      // Another operation may have started meanwhile; if so, wait until it is finished.
      if (this.isReady(datasetId)) break;
    }
    const taskId = this.#start(datasetId, batchId, source.folder);
    const { tasks } = this.#parts;
    await this.#when(datasetId, signal, () => tasks.outcomeOf(taskId) !== 'open');
    if (tasks.outcomeOf(taskId) !== 'done') throw new Error('the batch of a watched folder failed');
  }

  /** Removes files that are not inside an opened folder after symbolic links are resolved. */
  async #openOnes(folder: string, { added_or_changed, removed }: SeenChanges): Promise<SeenChanges> {
    const { opened } = this.#parts;
    if (opened.list() === null) return { added_or_changed, removed };
    const isOpen = await Promise.all(added_or_changed.map(({ file_path }) => opened.isOpen(`${folder}/${file_path}`)));
    return { added_or_changed: added_or_changed.filter((_, at) => isOpen[at]), removed };
  }

  /** Records the changes in the store. @returns The number of changes to process. */
  async #note(datasetId: string, batchId: string, sourceId: string, changes: SeenChanges): Promise<number> {
    const { added_or_changed, removed } = changes;
    await this.#store(datasetId).changes.clear();
    let noted = 0;
    for (let at = 0; at < Math.max(added_or_changed.length, removed.length); at += CHUNK) {
      const chunk = {
        added_or_changed: added_or_changed.slice(at, at + CHUNK),
        removed: removed.slice(at, at + CHUNK),
      };
      noted += await this.#store(datasetId).changes.add(batchId, sourceId, chunk);
    }
    // A failed batch may have left items that are not visible yet.
    return noted > 0 ? noted : this.#store(datasetId).intake.countUnfinished();
  }

  #start(datasetId: string, batchId: string, folder: string): string {
    const { catalog, datasets, mediaFolders, tasks, addTask, events } = this.#parts;
    const taskId = catalog.transaction(() => {
      const { status_new, owner_email } = datasets.getRow(datasetId);
      const statusBefore = status_new === 'READY' ? ('READY' as const) : ('PARTIAL INDEX' as const);
      datasets.apply(datasetId, 'add_media');
      mediaFolders.hold(datasetId, batchId);
      const source = { kind: 'watch' as const, folder };
      return tasks.start(
        addTask,
        datasetId,
        { batch_id: batchId, source, auto_reindex: false, status_before: statusBefore },
        owner_email,
      );
    });
    events.emit('dataset_changed', { dataset_id: datasetId });
    tasks.wake();
    return taskId;
  }

  /** Returns the store of a dataset that is not being deleted. @throws AppError `not_found`. */
  #store(datasetId: string): DatasetStore {
    const { datasets } = this.#parts;
    return datasets.storeOf(datasets.getRow(datasetId));
  }

  /** Resolves when the test returns true. The test runs again on each event of the dataset. */
  #when(datasetId: string, signal: AbortSignal, test: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let unsubscribe: () => void = () => undefined;
      const settle = (act: () => void) => {
        unsubscribe();
        signal.removeEventListener('abort', onAbort);
        act();
      };
      const onAbort = () => settle(() => reject(signal.reason));
      const ask = () => {
        try {
          signal.throwIfAborted();
          if (test()) settle(resolve);
        } catch (error) {
          settle(() => reject(error));
        }
      };
      signal.addEventListener('abort', onAbort);
      unsubscribe = this.#parts.events.subscribe((event) => {
        if ('dataset_id' in event.data && event.data.dataset_id === datasetId) ask();
      });
      ask();
    });
  }
}
