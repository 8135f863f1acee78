import type { Input } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SomeHandlers } from '../handlers.ts';
import { readerIdOf } from '../media/media-urls.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ExchangeFolders, RayJobs } from '../ports/ray.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { ComputeOnRayCheckpoint, ComputeOnRayInput } from './compute-on-ray.task.ts';
import { assertResultsFit, type FitParts } from './results-fit.ts';

interface Parts extends FitParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  tasks: TaskService;
  task: TaskDefinition<ComputeOnRayInput, ComputeOnRayCheckpoint>;
  exchange: ExchangeFolders;
  ray: RayJobs;
}

/** Computes embeddings on a Ray cluster. */
export class RayService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    compute_on_ray: (context, input) => this.compute(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Starts a run on the cluster.
   * @throws AppError `conflict` unless the dataset is READY, and for another model than that of the dataset's vectors; `unavailable` while
   * the cluster does not answer; `invalid_request` or `forbidden` for the location and the model.
   */
  async compute(
    context: DatasetContext,
    input: Omit<Input<'compute_on_ray'>, 'dataset_id'>,
  ): Promise<{ task_id: string }> {
    const { catalog, datasets, tasks, task, exchange, ray } = this.#parts;
    const { dataset, principal, baseUrl, signal } = context;
    const { location, model_id, use_gpu } = input;
    const at = { location, assume_role: input.assume_role ?? null };
    if (dataset.status_new !== 'READY') {
      throw new AppError('conflict', message('ray_needs_ready', { status: dataset.status_new }));
    }
    await exchange.open(at);
    await this.#assertModel(context, model_id);
    await ray.assertReachable(signal);
    const reader = { base_url: baseUrl, reader_id: readerIdOf(principal), requested_by: principal.email };
    const taskId = catalog.transaction(() => {
      datasets.getRow(dataset.dataset_id);
      return tasks.start(task, dataset.dataset_id, { ...at, model_id, use_gpu, ...reader }, principal);
    });
    tasks.wake();
    return { task_id: taskId };
  }

  async #assertModel({ dataset }: DatasetContext, modelId: string): Promise<void> {
    const { datasets, library } = this.#parts;
    const known = await library.find(modelId);
    const runner = known?.definition.runner;
    if (!known?.installed || runner?.kind !== 'image_encoder') {
      throw new AppError('invalid_request', message('ray_needs_encoder', { model: modelId }));
    }
    const expected = { kind: 'embeddings', model: { id: modelId }, dim: runner.dim, parts: [] } as const;
    await assertResultsFit(this.#parts, dataset.dataset_id, datasets.storeOf(dataset), { ...expected, parts: [] });
  }
}
