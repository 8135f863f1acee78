import type { Input, Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Placement } from '../../contract/schemas/vectors.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';

interface Parts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  settings: Pick<SettingsService, 'get' | 'engineConnection'>;
  tasks: TaskService;
  task: TaskDefinition<{ placement: Placement }, Record<string, never>>;
}

/** Where the vectors of a dataset are searched: in its files, or in an external engine that has a copy. */
export class VectorPlacementService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    get_vector_placement: (context) => this.get(context),
    place_vectors: (context, input) => this.place(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async get({ dataset }: DatasetContext): Promise<Output<'get_vector_placement'>> {
    const { datasets, settings } = this.#parts;
    const spaces = await datasets.storeOf(dataset).vectors.listCopies();
    const isExternal = spaces.some(({ n_copied }) => n_copied > 0);
    return {
      placement: isExternal ? 'external' : 'built-in',
      engine: (isExternal && settings.engineConnection()?.kind) || null,
      spaces,
    };
  }

  /**
   * Starts the placement of a dataset's vectors.
   * @throws AppError `invalid_request` for an external engine that is not configured; `conflict` before the dataset is indexed.
   */
  place({ dataset }: DatasetContext, { placement }: Input<'place_vectors'>): { task_id: string } {
    const { catalog, datasets, settings, tasks } = this.#parts;
    datasets.browsable(dataset);
    tasks.assertNotBlocked('place_vectors', dataset.dataset_id);
    if (placement === 'external' && !settings.engineConnection())
      throw new AppError('invalid_request', message('no_vector_engine'));
    const taskId = catalog.transaction(() => this.#start(dataset.dataset_id, placement));
    tasks.wake();
    return { task_id: taskId };
  }

  /** Queues the copy of new vectors of a dataset if the settings say that datasets are searched externally. Joins the caller's transaction. */
  queue(datasetId: string): void {
    const { settings } = this.#parts;
    if (settings.get('VECTOR_ENGINE') === 'external' && settings.engineConnection()) this.#start(datasetId, 'external');
  }

  #start(datasetId: string, placement: Placement): string {
    const { datasets, tasks, task } = this.#parts;
    const { owner_email } = datasets.getRow(datasetId);
    return tasks.findWaiting(task.type, datasetId) ?? tasks.start(task, datasetId, { placement }, owner_email);
  }
}
