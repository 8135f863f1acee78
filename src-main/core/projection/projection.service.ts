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

/** Starts the projection of indexed items to the map. */
export class ProjectionService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    lay_out_map: (context) => this.layOut(context),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Queues the projection of new items of a dataset, unless one is already queued. Joins the caller's transaction. */
  queue(datasetId: string): string {
    const { datasets, tasks, task } = this.#parts;
    const { owner_email } = datasets.getRow(datasetId);
    return tasks.findWaiting(task.type, datasetId) ?? tasks.start(task, datasetId, {}, owner_email);
  }

  /**
   * Starts the projection of items that have no position yet.
   * @throws AppError `conflict` before the dataset is indexed.
   */
  layOut({ dataset }: DatasetContext): { task_id: string } {
    const { catalog, datasets, tasks } = this.#parts;
    datasets.browsable(dataset);
    tasks.assertNotBlocked('lay_out_map', dataset.dataset_id);
    const taskId = catalog.transaction(() => this.queue(dataset.dataset_id));
    tasks.wake();
    return { task_id: taskId };
  }
}
