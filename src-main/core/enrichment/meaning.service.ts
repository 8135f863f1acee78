import type { Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { Principal } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Log } from '../ports/log.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { AddMeaningInput } from './add-meaning.task.ts';
import type { EncoderChoiceService } from './encoder-choice.service.ts';
import type { EnrichmentRepository, RequestedEncoder } from './enrichment.repository.ts';

export interface MeaningServiceParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  enrichments: EnrichmentRepository;
  encoders: EncoderChoiceService;
  library: ModelLibrary;
  tasks: TaskService;
  task: TaskDefinition<AddMeaningInput, never>;
  events: EventBus;
  log: Log;
}

/** Adds a `meaning` space to datasets without one, in place: on request, or when the requested encoder becomes installed. */
export class MeaningService {
  readonly #parts: MeaningServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    add_meaning: (context, input) => this.addMeaning(context, input),
  } satisfies SomeHandlers;

  constructor(parts: MeaningServiceParts) {
    this.#parts = parts;
  }

  /**
   * @throws AppError `conflict` unless the dataset is READY or PARTIAL INDEX and has no encoder; `invalid_request` if no encoder is
   * installed.
   */
  async addMeaning(context: DatasetContext, input: { encoder?: string | undefined }): Promise<Output<'add_meaning'>> {
    const { encoders, tasks } = this.#parts;
    const { dataset_id } = context.dataset;
    const encoder = await encoders.resolveHere(input.encoder);
    if (encoder === undefined) {
      throw new AppError('invalid_request', message('no_encoder_installed'));
    }
    tasks.assertNotBlocked('add_meaning', dataset_id);
    return { task_id: this.#start(dataset_id, encoder, context.principal), encoder };
  }

  /**
   * Starts tasks for the requested encoders that are now installed. A request is deleted when its task starts. The task continues after a
   * restart like others; a failed or aborted one is not started again.
   */
  async startRequested(): Promise<void> {
    const { enrichments, library, log } = this.#parts;
    try {
      for (const requested of enrichments.listRequested()) {
        if ((await library.find(requested.encoder_id))?.installed) this.#startIfRequested(requested);
      }
    } catch (error) {
      log.error({ err: error }, 'adding semantic embeddings could not be started');
    }
  }

  #startIfRequested({ dataset_id, encoder_id, owner_email }: RequestedEncoder): void {
    const { enrichments, tasks } = this.#parts;
    // The request may have been fulfilled or withdrawn while the model was looked up.
    const isStillRequested = enrichments.listRequested().some((requested) => requested.dataset_id === dataset_id);
    if (!isStillRequested || tasks.isBlocked('add_meaning', dataset_id)) return;
    this.#start(dataset_id, encoder_id, owner_email);
  }

  #start(datasetId: string, encoder: string, startedBy: Principal | string): string {
    const { catalog, datasets, enrichments, tasks, task, events } = this.#parts;
    const taskId = catalog.transaction(() => {
      const { status_new } = datasets.getRow(datasetId);
      if (status_new !== 'READY' && status_new !== 'PARTIAL INDEX') {
        throw new AppError('conflict', message('meaning_needs_ready', { status: status_new }));
      }
      if (enrichments.modelsOf(datasetId).MULTIMODEL_IMAGE_ENCODING !== undefined) {
        throw new AppError('conflict', message('dataset_has_encoder'));
      }
      enrichments.forgetRequest(datasetId);
      datasets.apply(datasetId, 'add_meaning');
      return tasks.start(task, datasetId, { encoder, status_before: status_new }, startedBy);
    });
    tasks.wake();
    events.emit('dataset_changed', { dataset_id: datasetId });
    return taskId;
  }
}
