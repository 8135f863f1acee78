import { AppError } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/fields.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { Clock, Ids } from '../clock.port.ts';
import type { CallContext } from '../core.ts';
import type { NewFile } from '../dataset-store.port.ts';
import type { DatasetRepository } from '../datasets/dataset.repository.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import type { EventBus } from '../events.ts';
import type { KeptOriginals, LocalFolders, MediaNames } from '../files.port.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { CreateDatasetInput } from './create-dataset.task.ts';
import { uploadPath } from './upload-path.ts';
import type { UploadTransactionRepository, UploadTransactionRow } from './upload-transaction.repository.ts';

export interface IngestionParts {
  catalog: Catalog;
  datasets: DatasetRepository;
  dataset_service: DatasetService;
  transactions: UploadTransactionRepository;
  folders: LocalFolders;
  originals: KeptOriginals;
  names: MediaNames;
  tasks: TaskService;
  create_task: TaskDefinition<CreateDatasetInput, never>;
  events: EventBus;
  clock: Clock;
  ids: Ids;
}

/** How datasets begin: from a folder referenced in place, or from uploaded files. */
export class IngestionService {
  readonly #parts: IngestionParts;

  constructor(parts: IngestionParts) {
    this.#parts = parts;
  }

  /** `POST /dataset`. */
  async createDataset(context: CallContext, input: { dataset_name: string; bucket_path: string }) {
    const dataset_id =
      input.bucket_path === ''
        ? await this.#draft(context, input.dataset_name)
        : await this.#fromFolder(context, input.dataset_name, input.bucket_path);
    const message =
      input.bucket_path === '' ? 'Dataset created; upload its media' : 'Dataset created; indexing has started';
    return { status: 'success' as const, message, id: dataset_id, dataset_id, name: input.dataset_name };
  }

  /** `GET /process`. */
  async processPath(context: CallContext, input: { path: string; name: string }) {
    const dataset_id = await this.#fromFolder(context, input.name, input.path);
    return {
      status: 'success' as const,
      message: 'Dataset created; indexing has started',
      dataset_id,
      name: input.name,
    };
  }

  async newDataset(context: CallContext, input: { dataset_name: string }): Promise<{ dataset_id: string }> {
    return { dataset_id: await this.#draft(context, input.dataset_name) };
  }

  listFolder(_context: CallContext, input: { path?: string | undefined }) {
    return this.#parts.folders.list(input.path || undefined);
  }

  /** @throws AppError `conflict` unless the dataset is a draft. */
  async openTransaction(context: CallContext, input: { dataset_id: string }): Promise<{ trans_id: number }> {
    const { catalog, datasets, transactions, originals, clock, ids } = this.#parts;
    const { row, store } = this.#parts.dataset_service.openStore(context, input.dataset_id);
    assertDraft(row.status_new);
    const batch_id = ids.uuid();
    await store.addSource({ source_id: batch_id, kind: 'stored', root: originals.root(batch_id) });
    await store.addBatch({ batch_id, source_id: batch_id, kind: 'upload' });
    const trans_id = catalog.transaction(() => {
      datasets.holdMediaFolder(row.dataset_id, batch_id);
      return transactions.insert(row.dataset_id, batch_id, clock.iso());
    });
    return { trans_id };
  }

  /** Takes files into an open transaction. Sending a request again changes nothing; files that are no media are refused one by one. */
  async uploadFiles(
    context: CallContext,
    input: { dataset_id: string; transaction_id: number; files: UploadedFile[] },
  ) {
    const { catalog, datasets, originals, names, clock, events } = this.#parts;
    const { row, store } = this.#parts.dataset_service.openStore(context, input.dataset_id);
    const { batch_id } = this.#openTransactionRow(input);
    const kept: NewFile[] = [];
    const refused: { file_name: string; reason: string }[] = [];
    for (const file of input.files) {
      const file_path = uploadPath(file.file_name);
      if (!names.isImage(file_path) && !names.isVideo(file_path)) {
        refused.push({ file_name: file_path, reason: 'Not an image or video of a known format' });
        continue;
      }
      kept.push({ file_path, ...(await originals.keep(batch_id, file)) });
    }
    // The transaction may have been closed while the bytes came in.
    this.#openTransactionRow(input);
    await store.addUploads(batch_id, kept);
    if (row.status === 'NEW') {
      catalog.transaction(() => datasets.apply(row.dataset_id, 'files_uploaded', clock.iso()));
      events.emit('dataset_changed', { dataset_id: row.dataset_id });
    }
    return { trans_id: input.transaction_id, accepted: kept.length, refused };
  }

  /**
   * Closes the draft and indexes all that was uploaded to it.
   * @throws AppError `invalid_request` without uploads, `conflict` when processing has started.
   */
  async processFiles(context: CallContext, input: { dataset_id: string; transaction_id: number }) {
    const { catalog, datasets, transactions, tasks, create_task, clock, events } = this.#parts;
    const { row, store } = this.#parts.dataset_service.openStore(context, input.dataset_id);
    const { batch_id } = this.#openTransactionRow(input);
    const { n_files } = await store.counts();
    if (n_files === 0)
      throw new AppError('invalid_request', 'No files were uploaded; upload files before processing them');
    tasks.assertNotBlocked('process_files', row.dataset_id);
    const task_id = catalog.transaction(() => {
      datasets.apply(row.dataset_id, 'process_files', clock.iso());
      transactions.closeAll(row.dataset_id);
      return tasks.start(create_task, row.dataset_id, { batch_id, folder: null }, context.principal.email);
    });
    events.emit('dataset_changed', { dataset_id: row.dataset_id });
    tasks.wake();
    return { dataset_id: row.dataset_id, task_id };
  }

  async #draft(context: CallContext, name: string): Promise<string> {
    const row = await this.#parts.dataset_service.createDraft(
      context,
      { name, source_type: 'UPLOAD', source_uri: '' },
      () => undefined,
    );
    return row.dataset_id;
  }

  async #fromFolder(context: CallContext, name: string, location: string): Promise<string> {
    const { dataset_service, datasets, folders, tasks, create_task, clock, ids } = this.#parts;
    if (/^s3:\/\//i.test(location)) {
      throw new AppError('not_implemented', 'Object storage is not available in this version; give a local folder');
    }
    dataset_service.assertNameFree(context, name);
    const folder = await folders.inspect(location);
    const batch_id = ids.uuid();
    const row = await dataset_service.createDraft(
      context,
      { name, source_type: 'FOLDER', source_uri: folder },
      (draft) => {
        datasets.apply(draft.dataset_id, 'process_files', clock.iso());
        tasks.start(create_task, draft.dataset_id, { batch_id, folder }, context.principal.email);
      },
    );
    tasks.wake();
    return row.dataset_id;
  }

  #openTransactionRow(input: { dataset_id: string; transaction_id: number }): UploadTransactionRow {
    const row = this.#parts.transactions.find(input.dataset_id, input.transaction_id);
    if (!row) throw new AppError('not_found', 'Transaction not found');
    if (row.state !== 'open')
      throw new AppError('conflict', 'The transaction is finished; its files are being processed');
    return row;
  }
}

function assertDraft(status: string): void {
  if (status !== 'DRAFT')
    throw new AppError('conflict', `The dataset is ${status}; files can only be uploaded to a draft`);
}
