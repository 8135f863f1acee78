import type { Input } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/fields.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetContext, WorkspaceContext } from '../access/contexts.ts';
import type { CallContext } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetDrafts } from '../datasets/dataset-drafts.ts';
import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { EncoderChoice, EncoderChoiceService } from '../enrichment/encoder-choice.service.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { LocalFolders, StoredOriginals } from '../ports/files.ts';
import type { MediaPreviews } from '../ports/media-previews.ts';
import type { MediaSources } from '../ports/media-sources.ts';
import type { SampleMedia } from '../ports/sample-media.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import { type BatchInput, openBatch } from './ingest-batch.ts';
import type { ReceivingBatches } from './receiving-batches.ts';
import { NOTHING_KNOWN, type UploadKeeper } from './upload-keeper.ts';
import { uploadPath } from './upload-path.ts';
import type { UploadTransactionRepository, UploadTransactionRow } from './upload-transaction.repository.ts';

export interface IngestionParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  drafts: DatasetDrafts;
  mediaFolders: MediaFolders;
  receiving: ReceivingBatches;
  encoders: EncoderChoiceService;
  transactions: UploadTransactionRepository;
  folders: LocalFolders;
  sources: MediaSources;
  previews: MediaPreviews;
  sampleMedia: SampleMedia;
  keeper: UploadKeeper;
  originals: StoredOriginals;
  tasks: TaskService;
  createTask: TaskDefinition<BatchInput, never>;
  events: EventBus;
  clock: Clock;
  ids: Ids;
}

interface LabelChoice {
  labels_from?: 'folders' | undefined;
}

/** Creates datasets from a folder or object storage, from uploaded files, or from an archive. */
export class IngestionService {
  readonly #parts: IngestionParts;

  /** The operations that this service handles. */
  readonly handlers = {
    create_dataset: (context, input) => this.createDataset(context, input),
    list_sample_datasets: () => [],
    create_sample_dataset: (context, input) => this.createSample(context, input),
    new_dataset: (context, input) => this.newDataset(context, input),
    open_transaction: (context) => this.openTransaction(context),
    upload_files: (context, input) => this.uploadFiles(context, input),
    process_files: (context, input) => this.processFiles(context, input),
    process_path: (context, input) => this.processPath(context, input),
    preview_folder: (context, input) => this.previewFolder(context, input),
    preview_upload: (context, input) => this.previewUpload(context, input),
    list_folder: (context, input) => this.listFolder(context, input),
    upload_archive: (context, input) => this.uploadArchive(context, input),
  } satisfies SomeHandlers;

  constructor(parts: IngestionParts) {
    this.#parts = parts;
  }

  /** `POST /dataset`. */
  async createDataset(context: WorkspaceContext, input: Input<'create_dataset'>) {
    const { dataset_name: name, bucket_path: location, labels_from } = input;
    const encoder = await this.#parts.encoders.resolve(input.encoder);
    const datasetId = location
      ? await this.#fromLocation(context, { name, location, labels_from }, encoder)
      : await this.#draft(context, name, encoder);
    const message = location ? 'Dataset created; indexing has started' : 'Dataset created; upload its media';
    return { status: 'success' as const, message, id: datasetId, dataset_id: datasetId, name };
  }

  /** `GET /process`. */
  async processPath(context: WorkspaceContext, input: { path: string; name: string }) {
    const encoder = await this.#parts.encoders.resolve(undefined);
    const datasetId = await this.#fromLocation(
      context,
      { name: input.name, location: input.path, labels_from: undefined },
      encoder,
    );
    return {
      status: 'success' as const,
      message: 'Dataset created; indexing has started',
      dataset_id: datasetId,
      name: input.name,
    };
  }

  async newDataset(context: WorkspaceContext, input: Input<'new_dataset'>): Promise<{ dataset_id: string }> {
    const encoder = await this.#parts.encoders.resolve(input.encoder);
    return { dataset_id: await this.#draft(context, input.dataset_name, encoder) };
  }

  /** Draws the sample and indexes it, as if its files had been uploaded. Its source files are deleted with the dataset. */
  async createSample(context: WorkspaceContext, input: Input<'create_sample_dataset'>) {
    const { datasets, drafts, keeper, receiving, originals, sampleMedia } = this.#parts;
    const name = drafts.freeName(context, input.dataset_name);
    const datasetId = await sampleMedia.draw(async (drawn) => {
      const draftId = await this.#draft(context, name, await this.#parts.encoders.resolve(undefined));
      const row = datasets.getRow(draftId);
      const store = datasets.storeOf(row);
      const source = { kind: 'uploads' as const };
      await receiving.receive(draftId, async (batchId) => {
        await openBatch(store, originals, batchId, source);
        const { files } = await keeper.keep(batchId, drawn);
        await store.intake.addUploads(batchId, files);
        this.#startDraft(context, draftId, { batch_id: batchId, source });
      });
      return draftId;
    });
    return { dataset_id: datasetId, name };
  }

  previewFolder({ signal }: CallContext, input: { path: string }) {
    return this.#parts.previews.inspect(input.path, signal);
  }

  /** Reads an archive, or annotation files that belong to files with the given paths. */
  previewUpload({ signal }: CallContext, { paths, files }: { paths: string[]; files: UploadedFile[] }) {
    const named = files.map((file) => ({ ...file, file_name: uploadPath(file.file_name) }));
    return this.#parts.previews.inspectUpload(paths.map(uploadPath), named, signal);
  }

  listFolder(_context: CallContext, input: { path?: string | undefined }) {
    return this.#parts.folders.list(input.path || undefined);
  }

  /** Opens an upload transaction. @throws AppError `conflict` unless the dataset is a draft. */
  async openTransaction({ dataset: row }: DatasetContext): Promise<{ trans_id: number }> {
    const { catalog, datasets, mediaFolders, transactions, originals, clock, ids } = this.#parts;
    const store = datasets.storeOf(row);
    assertDraft(row.status_new);
    // All transactions of a draft add to one batch, so that processing one of them also imports the files of the others.
    const batchId = transactions.findBatch(row.dataset_id) ?? ids.uuid();
    await openBatch(store, originals, batchId, { kind: 'uploads' });
    const transId = catalog.transaction(() => {
      mediaFolders.hold(row.dataset_id, batchId);
      return transactions.insert(row.dataset_id, batchId, clock.iso());
    });
    return { trans_id: transId };
  }

  /**
   * Adds files to an open transaction. Repeating a request changes nothing. Files that are not media are rejected individually and recorded
   * as file errors.
   * @throws AppError `invalid_request` when no file is media.
   */
  async uploadFiles({ dataset: row }: DatasetContext, input: { transaction_id: number; files: UploadedFile[] }) {
    const { catalog, datasets, keeper, events } = this.#parts;
    const store = datasets.storeOf(row);
    const { batch_id } = this.#openTransactionRow(row, input);
    const { files, n_kept, refused } = await keeper.keep(batch_id, input.files);
    // The transaction may have been closed while the files were being received.
    this.#openTransactionRow(row, input);
    await store.intake.addUploads(batch_id, files);
    if (n_kept === 0) throw new AppError('invalid_request', NOTHING_KNOWN);
    if (row.status === 'NEW') {
      catalog.transaction(() => datasets.apply(row.dataset_id, 'files_uploaded'));
      events.emit('dataset_changed', { dataset_id: row.dataset_id });
    }
    return { trans_id: input.transaction_id, accepted: n_kept, refused };
  }

  /**
   * Closes the draft and indexes all uploaded files.
   * @throws AppError `invalid_request` without uploads, `conflict` when processing has started.
   */
  async processFiles(context: DatasetContext, input: { transaction_id: number } & LabelChoice) {
    const { dataset: row } = context;
    const store = this.#parts.datasets.storeOf(row);
    const { batch_id } = this.#openTransactionRow(row, input);
    const { n_files, n_file_errors } = await store.items.counts(batch_id);
    if (n_files === 0) throw new AppError('invalid_request', message('no_files_uploaded'));
    if (n_files === n_file_errors) throw new AppError('invalid_request', message('no_uploaded_file_known'));
    const taskId = this.#startDraft(context, row.dataset_id, {
      batch_id,
      source: { kind: 'uploads' },
      ...labelling(input.labels_from),
    });
    return { dataset_id: row.dataset_id, task_id: taskId };
  }

  /** `POST /dataset/{id}/upload`: indexes a draft from one archive that contains all of its media. */
  async uploadArchive(context: DatasetContext, input: { file: UploadedFile } & LabelChoice) {
    const { datasets, receiving, sources, originals } = this.#parts;
    const { dataset: row } = context;
    const store = datasets.storeOf(row);
    assertDraft(row.status_new);
    const source = { kind: 'archive' as const, file_name: input.file.file_name };
    const taskId = await receiving.receive(row.dataset_id, async (batchId) => {
      await sources.takeArchive(batchId, input.file, context.signal);
      // The dataset may have been deleted meanwhile; then its store must not be opened again.
      assertDraft(datasets.getRow(row.dataset_id).status_new);
      await openBatch(store, originals, batchId, source);
      return this.#startDraft(context, row.dataset_id, {
        batch_id: batchId,
        source,
        ...labelling(input.labels_from),
      });
    });
    return {
      status: 'success' as const,
      message: 'Upload received; indexing has started',
      dataset_id: row.dataset_id,
      task_id: taskId,
    };
  }

  #startDraft(context: CallContext, datasetId: string, input: BatchInput): string {
    const { catalog, datasets, mediaFolders, transactions, tasks, createTask, events } = this.#parts;
    tasks.assertNotBlocked('process_files', datasetId);
    const taskId = catalog.transaction(() => {
      datasets.apply(datasetId, 'process_files');
      transactions.closeAll(datasetId);
      mediaFolders.endReceiving(input.batch_id);
      return tasks.start(createTask, datasetId, input, context.principal);
    });
    events.emit('dataset_changed', { dataset_id: datasetId });
    tasks.wake();
    return taskId;
  }

  async #draft(context: WorkspaceContext, name: string, encoder: EncoderChoice | undefined): Promise<string> {
    const { workspace_id } = context.workspace;
    const draft = { name, source_type: 'UPLOAD' as const, source_uri: '', workspace_id };
    const row = await this.#parts.drafts.create(context, draft, ({ dataset_id }) =>
      this.#parts.encoders.assign(dataset_id, encoder),
    );
    return row.dataset_id;
  }

  async #fromLocation(
    context: WorkspaceContext,
    { name, location, labels_from }: { name: string; location: string } & LabelChoice,
    encoder: EncoderChoice | undefined,
  ): Promise<string> {
    const { datasets, drafts, mediaFolders, encoders, sources, tasks, createTask, ids } = this.#parts;
    const source = await sources.resolve(location, null, context.signal);
    const batchId = ids.uuid();
    const sourceUri = source.kind === 'folder' ? source.folder : source.uri;
    const { workspace_id } = context.workspace;
    const sourceType = /^s3:/i.test(sourceUri) ? ('BUCKET' as const) : ('FOLDER' as const);
    const row = await drafts.create(
      context,
      { name, source_type: sourceType, source_uri: sourceUri, workspace_id },
      (draft) => {
        encoders.assign(draft.dataset_id, encoder);
        datasets.apply(draft.dataset_id, 'process_files');
        mediaFolders.hold(draft.dataset_id, batchId);
        const batch = { batch_id: batchId, source, ...labelling(labels_from) };
        tasks.start(createTask, draft.dataset_id, batch, context.principal);
      },
    );
    tasks.wake();
    return row.dataset_id;
  }

  #openTransactionRow(
    { dataset_id }: Pick<DatasetRow, 'dataset_id'>,
    input: { transaction_id: number },
  ): UploadTransactionRow {
    const row = this.#parts.transactions.find(dataset_id, input.transaction_id);
    if (!row) throw new AppError('not_found', message('upload_not_found'));
    if (row.state !== 'open') throw new AppError('conflict', message('upload_finished'));
    return row;
  }
}

function assertDraft(status: string): void {
  if (status !== 'DRAFT') throw new AppError('conflict', message('upload_needs_draft', { status }));
}

function labelling(labelsFrom: LabelChoice['labels_from']): Pick<BatchInput, 'folder_labels'> {
  return { folder_labels: labelsFrom === 'folders' };
}
