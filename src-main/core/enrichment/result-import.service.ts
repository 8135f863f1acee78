import type { Input, Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { Principal } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ResultLocation, ResultSources } from '../ports/results.ts';
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

  /**
   * Queues the import of results that a task made. Joins the caller's transaction.
   * @throws AppError `conflict` unless the dataset is READY or PARTIAL INDEX and free.
   */
  queue({ dataset_id }: Pick<DatasetRow, 'dataset_id'>, at: ResultLocation, requestedBy: string): void {
    const { tasks, events } = this.#parts;
    tasks.assertNotBlocked('import_results', dataset_id);
    this.#insert(dataset_id, at, requestedBy);
    tasks.wake();
    events.emit('dataset_changed', { dataset_id });
  }

  /** Whether another task works on the dataset or needs it unchanged, so that an import must wait. */
  isBlocked(datasetId: string): boolean {
    return this.#parts.tasks.isBlocked('import_results', datasetId);
  }

  #start(
    { dataset: { dataset_id }, principal }: DatasetContext,
    at: Omit<ImportResultsInput, 'status_before'>,
  ): string {
    const { catalog, tasks, events } = this.#parts;
    const taskId = catalog.transaction(() => this.#insert(dataset_id, at, principal));
    tasks.wake();
    events.emit('dataset_changed', { dataset_id });
    return taskId;
  }

  #insert(datasetId: string, at: ResultLocation, startedBy: Principal | string): string {
    const { datasets, enrichments, tasks, task } = this.#parts;
    const status = assertSettled(datasets.getRow(datasetId).status_new);
    enrichments.forgetRequest(datasetId);
    datasets.apply(datasetId, 'import_results');
    return tasks.start(task, datasetId, { ...at, status_before: status }, startedBy);
  }
}

function assertSettled(status: string): 'READY' | 'PARTIAL INDEX' {
  if (status === 'READY' || status === 'PARTIAL INDEX') return status;
  throw new AppError('conflict', message('results_need_ready', { status }));
}
