import { type Api, type ApiOptions, createApi, createTransport, type Transport } from './api.ts';
import type { Dataset, ExportTask, FilePart, Input, Notification, Task } from './api-types.ts';
import { readEvents, type StreamEvent } from './event-stream.ts';
import { type Entry, eachEntry, type PagedId } from './paging.ts';
import { type UploadOptions, type UploadOutcome, uploadFiles } from './uploads.ts';
import { VitrineError } from './vitrine-error.ts';
import { type WaitOptions, waitForDataset, waitForExport, waitForTask } from './waiting.ts';

/** A folder that the server can read, and the options of a new dataset. */
export type NewDataset = { name: string; path: string } & Pick<Input<'create_dataset'>, 'encoder' | 'labels_from'>;

/**
 * A Vitrine server. `api` has every operation; the other methods combine operations, wait for slow work, page through lists and read
 * streams.
 */
export class Vitrine {
  readonly api: Api;
  readonly #transport: Transport;

  constructor(options: ApiOptions = {}) {
    this.#transport = createTransport(options);
    this.api = createApi(this.#transport);
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** Creates a dataset from a folder of the server or of object storage, and waits until it is indexed. */
  async index({ name, path, ...rest }: NewDataset, options: WaitOptions<Dataset> = {}): Promise<Dataset> {
    const { dataset_id } = await this.api.create_dataset({ dataset_name: name, bucket_path: path, ...rest });
    return this.waitForDataset(dataset_id, options);
  }

  /** Creates a dataset from files of this computer. Resolves when they are sent and indexing has started. */
  async upload(
    name: string,
    files: Iterable<FilePart> | AsyncIterable<FilePart>,
    options: UploadOptions = {},
  ): Promise<UploadOutcome & { dataset_id: string; task_id: string }> {
    const { dataset_id } = await this.api.new_dataset({ dataset_name: name });
    const { trans_id } = await this.api.open_transaction({ dataset_id });
    const target = { dataset_id, transaction_id: trans_id };
    const outcome = await uploadFiles(this.api, target, files, options);
    return { ...outcome, ...(await this.api.process_files(target)) };
  }

  /** Finds a dataset by its id or its name. @throws VitrineError `not_found`, and `conflict` when several have the name. */
  async findDataset(named: string): Promise<Dataset> {
    const datasets = await this.api.list_datasets();
    const byId = datasets.find(({ id }) => id === named);
    if (byId) return byId;
    const [dataset, another] = datasets.filter(({ display_name }) => display_name === named);
    if (!dataset) throw new VitrineError('not_found', 404, `There is no dataset "${named}"`);
    if (another) throw new VitrineError('conflict', 409, `Several datasets are named "${named}"; use the id`);
    return dataset;
  }

  /** Waits until a dataset is neither indexed nor changed. @throws VitrineError `failed` when its status is ERROR. */
  waitForDataset(datasetId: string, options?: WaitOptions<Dataset>): Promise<Dataset> {
    return waitForDataset(this.api, datasetId, options);
  }

  /** Waits until a task has ended. @throws VitrineError `failed` or `aborted` when it did not complete. */
  waitForTask(taskId: string, options?: WaitOptions<Task>): Promise<Task> {
    return waitForTask(this.api, taskId, options);
  }

  /** Exports matching items or a selection, and waits until the file exists. @throws VitrineError `failed` or `rejected`. */
  async export(
    input: Input<'export_dataset_async'> | Input<'export_entities_async'>,
    options?: WaitOptions<ExportTask>,
  ): Promise<ExportTask> {
    const started =
      'media_selection' in input
        ? await this.api.export_entities_async(input)
        : await this.api.export_dataset_async(input);
    return waitForExport(this.api, started, options);
  }

  /** Fetches a URL that an answer has: an original, a thumbnail or an export. */
  download(url: string, signal?: AbortSignal): Promise<Response> {
    return this.#transport.send(url, signal === undefined ? {} : { signal });
  }

  /** Every entry of an operation that answers in pages, such as `each('list_items', { dataset_id })`. */
  each<Id extends PagedId>(
    id: Id,
    input: Omit<Input<Id>, 'page' | 'page_number' | 'page_size'>,
    signal?: AbortSignal,
  ): AsyncGenerator<Entry<Id>> {
    return eachEntry(this.api, id, input, signal);
  }

  /** Changes of datasets, tasks, views and models, until the signal fires. An event may be missed: read the state after it. */
  events(signal?: AbortSignal): AsyncGenerator<StreamEvent> {
    return readEvents(this.#transport, '/api/v1/events', signal);
  }

  /** New notifications, such as alerts of views, until the signal fires. Those missed by a broken connection follow. */
  async *notifications(signal?: AbortSignal): AsyncGenerator<Notification> {
    for await (const { name, data } of readEvents<Notification>(
      this.#transport,
      '/api/v1/notifications/stream',
      signal,
    ))
      if (name === 'notification') yield data;
  }
}
