import type { Input, Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ResultSources } from '../ports/results.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { ImportResultsCheckpoint, ImportResultsInput } from './import-results.task.ts';
import { assertResultsFit, type FitParts } from './results-fit.ts';

interface Parts extends FitParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  sources: ResultSources;
  tasks: TaskService;
  task: TaskDefinition<ImportResultsInput, ImportResultsCheckpoint>;
  events: EventBus;
}

/** Imports results that were computed elsewhere into datasets. */
export class ResultImportService {
  readonly #parts: Parts;

  readonly handlers = {
    import_results: (context, input) => this.importResults(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Starts an import. The manifest is read and compared with the dataset before; the results are checked by the task.
   * @throws AppError `conflict` unless the dataset is READY or PARTIAL INDEX, and for vectors of another model than the dataset's;
   * `invalid_request`, `forbidden` or `storage_failed` for the location.
   */
  async importResults(
    context: DatasetContext,
    input: Omit<Input<'import_results'>, 'dataset_id'>,
  ): Promise<Output<'import_results'>> {
    const { datasets, sources, tasks } = this.#parts;
    const { dataset } = context;
    const { dataset_id } = dataset;
    const at = { location: input.location, assume_role: input.assume_role ?? null };
    tasks.assertNotBlocked('import_results', dataset_id);
    assertSettled(dataset.status_new);
    const { manifest } = await sources.open(at, context.signal);
    await assertResultsFit(this.#parts, dataset_id, datasets.storeOf(dataset), manifest);
    return { task_id: this.#start(context, at) };
  }

  #start(
    { dataset: { dataset_id }, principal }: DatasetContext,
    at: Omit<ImportResultsInput, 'status_before'>,
  ): string {
    const { catalog, datasets, enrichments, tasks, task, events } = this.#parts;
    const taskId = catalog.transaction(() => {
      const status = assertSettled(datasets.getRow(dataset_id).status_new);
      enrichments.forgetRequest(dataset_id);
      datasets.apply(dataset_id, 'import_results');
      return tasks.start(task, dataset_id, { ...at, status_before: status }, principal);
    });
    tasks.wake();
    events.emit('dataset_changed', { dataset_id });
    return taskId;
  }
}

function assertSettled(status: string): 'READY' | 'PARTIAL INDEX' {
  if (status === 'READY' || status === 'PARTIAL INDEX') return status;
  throw new AppError('conflict', message('results_need_ready', { status }));
}
