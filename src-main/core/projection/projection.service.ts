import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';

interface Parts {
  catalog: Catalog;
  datasets: DatasetService;
  tasks: TaskService;
  task: TaskDefinition<Record<string, never>, Record<string, never>>;
}

/** Sees to it that what is indexed is on the map. */
export class ProjectionService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Queues the projection of what is new in a dataset, unless it waits already. Joins the caller's transaction. */
  queue(datasetId: string): string {
    const { datasets, tasks, task } = this.#parts;
    const { owner_email } = datasets.getRow(datasetId);
    return tasks.findWaiting(task.type, datasetId) ?? tasks.start(task, datasetId, {}, owner_email);
  }

  /** Lays out what is not on the map yet, such as all of a dataset of a former version. @throws AppError `conflict` before it is indexed. */
  layOut({ dataset }: DatasetContext): { task_id: string } {
    const { catalog, datasets, tasks } = this.#parts;
    datasets.browsable(dataset);
    tasks.assertNotBlocked('lay_out_map', dataset.dataset_id);
    const taskId = catalog.transaction(() => this.queue(dataset.dataset_id));
    tasks.wake();
    return { task_id: taskId };
  }
}
