import type { Input } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { MediaSelection } from '../../contract/schemas/media-selection.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SelectionService } from '../explore/selection.service.ts';
import { printChosen } from '../exports/chosen-text.ts';
import type { SomeHandlers } from '../handlers.ts';
import { readerIdOf } from '../media/media-urls.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { ExchangeFolders, RayJobs } from '../ports/ray.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { ComputeOnRayCheckpoint, ComputeOnRayInput } from './compute-on-ray.task.ts';
import { findRayModel, RAY_RESULTS } from './ray-model.ts';
import { assertResultsFit, type FitParts } from './results-fit.ts';

interface Parts extends FitParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  tasks: TaskService;
  task: TaskDefinition<ComputeOnRayInput, ComputeOnRayCheckpoint>;
  selections: SelectionService;
  stores: Pick<DatasetStores, 'whileReading'>;
  exchange: ExchangeFolders;
  ray: RayJobs;
}

/** Applies models on a Ray cluster. */
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
   * the cluster does not answer; `invalid_request` or `forbidden` for the location, the model and the selection.
   */
  async compute(
    context: DatasetContext,
    input: Omit<Input<'compute_on_ray'>, 'dataset_id'>,
  ): Promise<{ task_id: string }> {
    const { catalog, datasets, tasks, task, exchange, ray } = this.#parts;
    const { dataset, principal, baseUrl, signal } = context;
    const { location, model_id, use_gpu, media_selection } = input;
    const at = { location, assume_role: input.assume_role ?? null };
    if (dataset.status_new !== 'READY') {
      throw new AppError('conflict', message('ray_needs_ready', { status: dataset.status_new }));
    }
    await exchange.open(at);
    await this.#assertModel(context, model_id);
    const chosen = media_selection === undefined ? null : await this.#choose(context, media_selection);
    await ray.assertReachable(signal);
    const reader = { base_url: baseUrl, reader_id: readerIdOf(principal), requested_by: principal.email };
    const taskId = catalog.transaction(() => {
      datasets.getRow(dataset.dataset_id);
      return tasks.start(task, dataset.dataset_id, { ...at, model_id, use_gpu, chosen, ...reader }, principal);
    });
    tasks.wake();
    return { task_id: taskId };
  }

  async #choose(context: DatasetContext, selection: MediaSelection): Promise<ComputeOnRayInput['chosen']> {
    const { datasets, selections, stores } = this.#parts;
    const { dataset } = context;
    return stores.whileReading(dataset, async () => {
      const store = datasets.browsable(dataset);
      const chosen = await store.explore.chooseItems(await selections.plan(context, store, selection));
      if (chosen.n_items === 0) throw new AppError('invalid_request', message('ray_no_items'));
      return { rows: printChosen(chosen), generation: dataset.generation };
    });
  }

  async #assertModel({ dataset }: DatasetContext, modelId: string): Promise<void> {
    const { datasets, library } = this.#parts;
    const { runner } = await findRayModel(library, modelId);
    const dim = 'dim' in runner ? runner.dim : undefined;
    const expected = { kind: RAY_RESULTS[runner.kind], model: { id: modelId }, dim, parts: [] };
    await assertResultsFit(this.#parts, dataset.dataset_id, datasets.storeOf(dataset), expected);
  }
}
