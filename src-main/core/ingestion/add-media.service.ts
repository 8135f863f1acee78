import { AppError } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/fields.ts';
import { hasCode, message } from '../../contract/messages.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { CallContext } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { type DatasetListRow, isNeverIndexed } from '../datasets/dataset-row.ts';
import type { DatasetModelsService } from '../enrichment/dataset-models.service.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { BatchSource, MediaSources } from '../ports/media-sources.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { AddMediaInput } from './add-media.task.ts';
import { openBatch } from './ingest-batch.ts';
import type { ReceivingBatches } from './receiving-batches.ts';
import { NOTHING_KNOWN, type UploadKeeper } from './upload-keeper.ts';

export interface AddMediaParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  mediaFolders: MediaFolders;
  receiving: ReceivingBatches;
  sources: MediaSources;
  keeper: UploadKeeper;
  models: DatasetModelsService;
  originals: StoredOriginals;
  tasks: TaskService;
  addTask: TaskDefinition<AddMediaInput, never>;
  reindexTask: TaskDefinition<Record<string, never>, never>;
  events: EventBus;
}

export interface AddMediaRequest {
  s3_uri?: string | undefined;
  files?: UploadedFile[] | undefined;
  archive?: UploadedFile | undefined;
  auto_reindex: boolean;
  assume_role?: string | undefined;
}

/** Adds later batches to datasets, and starts reindexing: interface 4.3. */
export class AddMediaService {
  readonly #parts: AddMediaParts;

  /** The operations that this service handles. */
  readonly handlers = {
    add_media: (context, input) => this.addMedia(context, input),
    process_add_media: (context, input) => this.processAddMedia(context, input),
    reindex: (context) => this.reindex(context),
    list_batches: (context) => this.listBatches(context),
  } satisfies SomeHandlers;

  constructor(parts: AddMediaParts) {
    this.#parts = parts;
  }

  /**
   * @throws AppError `invalid_request` (not exactly one source, nothing at the location, dataset never indexed), `conflict` (wrong status,
   * or another operation is running).
   */
  async addMedia(context: DatasetContext, input: AddMediaRequest): Promise<undefined> {
    const { datasets, receiving, models } = this.#parts;
    const { dataset: row } = context;
    const store = datasets.storeOf(row);
    assertOneSource(input);
    this.#assertReady(row);
    await models.assertCanAdd(row.dataset_id, store);
    await receiving.receive(row.dataset_id, async (batchId) => {
      const source = await this.#receive(context, store, batchId, input);
      this.#start(context, row, { batch_id: batchId, source, auto_reindex: input.auto_reindex });
    });
    return undefined;
  }

  /** `GET /process/add_media`: adds media from a local folder or list. */
  async processAddMedia(context: DatasetContext, input: { path: string }) {
    await this.addMedia(context, { s3_uri: input.path, auto_reindex: false });
    return { status: 'success' as const, message: 'Media are being added', dataset_id: context.dataset.dataset_id };
  }

  /** Starts a reindex. @throws AppError `conflict` unless the dataset is PARTIAL INDEX. */
  reindex(context: DatasetContext): undefined {
    const { catalog, datasets, tasks, reindexTask, events } = this.#parts;
    const { dataset: row } = context;
    tasks.assertNotBlocked('reindex', row.dataset_id);
    catalog.transaction(() => {
      datasets.apply(row.dataset_id, 'reindex');
      tasks.start(reindexTask, row.dataset_id, {}, context.principal);
    });
    events.emit('dataset_changed', { dataset_id: row.dataset_id });
    tasks.wake();
    return undefined;
  }

  async listBatches({ dataset }: DatasetContext) {
    const batches = await this.#parts.datasets.storeOf(dataset).intake.listBatches();
    return { batches: batches.map(({ source_id: _source_id, ...batch }) => batch) };
  }

  #assertReady(row: DatasetListRow): void {
    const { tasks } = this.#parts;
    tasks.assertNotBlocked('add_media', row.dataset_id);
    if (isNeverIndexed(row)) {
      throw new AppError('invalid_request', message('dataset_never_indexed'));
    }
    if (row.status_new !== 'READY' && row.status_new !== 'PARTIAL INDEX') {
      throw new AppError('conflict', message('adding_media_needs_ready', { status: row.status_new }));
    }
  }

  /** Moves the files of the request to the folder from which the batch reads them. */
  async #receive(
    context: CallContext,
    store: DatasetStore,
    batchId: string,
    input: AddMediaRequest,
  ): Promise<BatchSource> {
    const { sources, keeper, originals } = this.#parts;
    if (input.s3_uri !== undefined) {
      return sources.resolve(input.s3_uri, input.assume_role ?? null, context.signal).catch(asBadPath);
    }
    if (input.archive) {
      await sources.takeArchive(batchId, input.archive, context.signal);
      return { kind: 'archive', file_name: input.archive.file_name };
    }
    const { files, n_kept } = await keeper.keep(batchId, input.files ?? []);
    if (n_kept === 0) throw new AppError('invalid_request', NOTHING_KNOWN);
    const source = { kind: 'uploads' as const };
    await openBatch(store, originals, batchId, source);
    await store.intake.addUploads(batchId, files);
    return source;
  }

  #start(context: CallContext, begun: DatasetListRow, input: Omit<AddMediaInput, 'status_before'>): void {
    const { catalog, datasets, mediaFolders, tasks, addTask, events } = this.#parts;
    const datasetId = begun.dataset_id;
    catalog.transaction(() => {
      // Another operation may have started while the request was being received.
      const row = datasets.getRow(datasetId);
      this.#assertReady(row);
      if (row.generation !== begun.generation) {
        throw new AppError('conflict', message('snapshot_restored_during_upload'));
      }
      const statusBefore = row.status_new === 'READY' ? ('READY' as const) : ('PARTIAL INDEX' as const);
      datasets.apply(datasetId, 'add_media');
      mediaFolders.endReceiving(input.batch_id);
      tasks.start(addTask, datasetId, { ...input, status_before: statusBefore }, context.principal);
    });
    events.emit('dataset_changed', { dataset_id: datasetId });
    tasks.wake();
  }
}

/** The API specifies one sentence for all invalid storage paths; the actual problem is appended to it. */
function asBadPath(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
  if (hasCode(error.reason, 'bad_storage_path')) throw error;
  throw new AppError('invalid_request', message('bad_storage_path_because', { problem: error.reason }));
}

function assertOneSource(input: AddMediaRequest): void {
  const given = [input.s3_uri, input.files?.length ? input.files : undefined, input.archive].filter(
    (source) => source !== undefined,
  );
  if (given.length !== 1) {
    throw new AppError('invalid_request', message('media_source_count'));
  }
}
