import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';

interface Parts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  tasks: TaskService;
  task: TaskDefinition<Record<string, never>, Record<string, never>>;
}

/** Starts the comparison of indexed items for near-duplicates. */
export class DuplicatesService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    find_duplicates: (context) => this.find(context),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Queues the comparison of new items of a dataset, unless one is already queued. Joins the caller's transaction. */
  queue(datasetId: string): void {
    const { datasets, tasks, task } = this.#parts;
    const { n_images, n_videos, owner_email } = datasets.getRow(datasetId);
    if (n_images + n_videos < 2 || tasks.findWaiting(task.type, datasetId) !== undefined) return;
    tasks.start(task, datasetId, {}, owner_email);
  }

  /**
   * Starts the comparison of items not compared yet.
   * @throws AppError `conflict` before the dataset is indexed.
   */
  find({ dataset, principal }: DatasetContext): { task_id: string } {
    const { catalog, datasets, tasks, task } = this.#parts;
    datasets.browsable(dataset);
    tasks.assertNotBlocked('find_duplicates', dataset.dataset_id);
    const taskId = catalog.transaction(
      () => tasks.findWaiting(task.type, dataset.dataset_id) ?? tasks.start(task, dataset.dataset_id, {}, principal),
    );
    tasks.wake();
    return { task_id: taskId };
  }
}
