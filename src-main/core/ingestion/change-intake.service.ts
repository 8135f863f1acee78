import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { DatasetRepository } from '../datasets/dataset.repository.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import type { EventBus } from '../events.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { SeenChanges } from '../ports/watcher.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { AddMediaInput } from './add-media.task.ts';

export interface ChangeIntakeParts {
  catalog: Catalog;
  datasets: DatasetRepository;
  dataset_service: DatasetService;
  stores: DatasetStores;
  tasks: TaskService;
  add_task: TaskDefinition<AddMediaInput, never>;
  events: EventBus;
  clock: Clock;
  ids: Ids;
}

/** Changes handed to the store at a time. */
const CHUNK = 2000;

/** Turns what watched folders tell of into batches. */
export class ChangeIntakeService {
  readonly #parts: ChangeIntakeParts;
  /** The end of the line of each dataset: one watched folder's changes after another's. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(parts: ChangeIntakeParts) {
    this.#parts = parts;
  }

  /**
   * Waits until the dataset can take a batch, then takes the changes in as one; resolves when all of it is recorded.
   * @throws AppError when the batch failed or the dataset is gone; AbortError. Then the same changes can be given again.
   */
  takeIn(
    dataset_id: string,
    source: { source_id: string; folder: string },
    changes: SeenChanges,
    signal: AbortSignal,
  ): Promise<void> {
    const before = this.#lines.get(dataset_id) ?? Promise.resolve();
    const turn = before.then(() => this.#takeIn(dataset_id, source, changes, signal));
    const line = turn.catch(() => undefined);
    this.#lines.set(dataset_id, line);
    void line.then(() => this.#lines.get(dataset_id) === line && this.#lines.delete(dataset_id));
    return turn;
  }

  /** Whether the dataset is indexed and nothing runs on it. @throws AppError `not_found`. */
  isReady(dataset_id: string): boolean {
    const { dataset_service, tasks } = this.#parts;
    const { status_new } = dataset_service.getRow(dataset_id);
    return (status_new === 'READY' || status_new === 'PARTIAL INDEX') && !tasks.isBlocked('add_media', dataset_id);
  }

  /** Resolves when the dataset is indexed and nothing runs on it. @throws AppError `not_found`; AbortError. */
  async whenReady(dataset_id: string, signal: AbortSignal): Promise<void> {
    await this.#when(dataset_id, signal, () => this.isReady(dataset_id));
  }

  async #takeIn(
    dataset_id: string,
    source: { source_id: string; folder: string },
    changes: SeenChanges,
    signal: AbortSignal,
  ): Promise<void> {
    const batch_id = this.#parts.ids.uuid();
    for (;;) {
      await this.whenReady(dataset_id, signal);
      if ((await this.#note(dataset_id, batch_id, source.source_id, changes)) === 0) return;
      signal.throwIfAborted();
      // Another operation may have begun meanwhile; then its end is waited for.
      if (this.isReady(dataset_id)) break;
    }
    const task_id = this.#start(dataset_id, batch_id, source.folder);
    const { tasks } = this.#parts;
    await this.#when(dataset_id, signal, () => tasks.outcomeOf(task_id) !== 'open');
    if (tasks.outcomeOf(task_id) !== 'done') throw new Error('the batch of a watched folder failed');
  }

  /** Tells the store of the changes; returns how much there is to do. */
  async #note(dataset_id: string, batch_id: string, source_id: string, changes: SeenChanges): Promise<number> {
    const { added_or_changed, removed } = changes;
    await this.#store(dataset_id).clearChanges();
    let noted = 0;
    for (let at = 0; at < Math.max(added_or_changed.length, removed.length); at += CHUNK) {
      const chunk = {
        added_or_changed: added_or_changed.slice(at, at + CHUNK),
        removed: removed.slice(at, at + CHUNK),
      };
      noted += await this.#store(dataset_id).addChanges(batch_id, source_id, chunk);
    }
    // A batch that failed may have left items that nothing shows yet.
    return noted > 0 ? noted : this.#store(dataset_id).countUnfinished();
  }

  #start(dataset_id: string, batch_id: string, folder: string): string {
    const { catalog, datasets, dataset_service, tasks, add_task, events, clock } = this.#parts;
    const task_id = catalog.transaction(() => {
      const { status_new, owner_email } = dataset_service.getRow(dataset_id);
      const status_before = status_new === 'READY' ? ('READY' as const) : ('PARTIAL INDEX' as const);
      datasets.apply(dataset_id, 'add_media', clock.iso());
      datasets.holdMediaFolder(dataset_id, batch_id);
      const source = { kind: 'watch' as const, folder };
      return tasks.start(add_task, dataset_id, { batch_id, source, auto_reindex: false, status_before }, owner_email);
    });
    events.emit('dataset_changed', { dataset_id });
    tasks.wake();
    return task_id;
  }

  /** The store of a dataset that is not being deleted. @throws AppError `not_found`. */
  #store(dataset_id: string) {
    const { dataset_service, stores } = this.#parts;
    return stores.open(dataset_id, dataset_service.getRow(dataset_id).generation);
  }

  /** Asks again whenever something happens to the dataset. */
  #when(dataset_id: string, signal: AbortSignal, test: () => boolean): Promise<void> {
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
        if ('dataset_id' in event.data && event.data.dataset_id === dataset_id) ask();
      });
      ask();
    });
  }
}
