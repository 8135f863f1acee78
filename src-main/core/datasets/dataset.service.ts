import { AppError, isDiskFull } from '../../contract/errors.ts';
import { formatMessage, type Message, readMessage } from '../../contract/messages.ts';
import type { DatasetRole } from '../../contract/permissions.ts';
import type { Dataset, SOURCE_TYPES } from '../../contract/schemas/dataset.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetRoles } from '../access/dataset-roles.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { CallContext } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { DatasetStore, DatasetStores, StoreReads } from '../ports/dataset-store.ts';
import type { Log } from '../ports/log.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { DatasetRepository } from './dataset.repository.ts';
import type { DatasetRemover } from './dataset-remover.ts';
import { type DatasetListRow, type DatasetRow, isNeverIndexed } from './dataset-row.ts';
import type { DatasetEvent } from './dataset-status.ts';

export interface DatasetCounts {
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_file_errors: number;
}

export interface DatasetServiceParts {
  catalog: Catalog;
  audit: AuditService;
  datasets: DatasetRepository;
  roles: DatasetRoles;
  stores: DatasetStores;
  folders: DatasetFolders;
  remover: Pick<DatasetRemover, 'remove'>;
  mediaFolders: MediaFolders;
  tasks: TaskService;
  urls: MediaUrls;
  events: EventBus;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Datasets as a whole, and the only access to their rows: reading, status and counts, creating an empty dataset, deleting. */
export class DatasetService {
  readonly #parts: DatasetServiceParts;

  constructor(parts: DatasetServiceParts) {
    this.#parts = parts;
  }

  /** @throws AppError `not_found`. */
  getRow(datasetId: string): DatasetListRow {
    const row = this.#parts.datasets.find(datasetId);
    if (!row) throw new AppError('not_found', 'Dataset not found');
    return row;
  }

  listAll(): DatasetListRow[] {
    return this.#parts.datasets.listAll();
  }

  find(datasetId: string): DatasetListRow | undefined {
    return this.#parts.datasets.find(datasetId);
  }

  /** The copy of a dataset that was started last. */
  findNewestCopy(sourceDatasetId: string): DatasetRow | undefined {
    return this.#parts.datasets.findNewestCopy(sourceDatasetId);
  }

  /** Datasets that may contain an item with this id, of those that the caller may see, newest first ([Note: Ids of items]). */
  listByItemId(context: CallContext, itemId: string): DatasetListRow[] {
    return this.#parts.datasets.listByItemId(itemId, context.principal);
  }

  /** @throws AppError `not_found` for a dataset that the caller may not see. */
  getVisible({ principal }: CallContext, datasetId: string): DatasetListRow {
    const row = this.#parts.datasets.findVisible(datasetId, principal);
    if (!row) throw new AppError('not_found', 'Dataset not found');
    return row;
  }

  /** The open store of the generation that reads of a dataset use. */
  storeOf({ dataset_id, generation }: Pick<DatasetRow, 'dataset_id' | 'generation'>): DatasetStore {
    return this.#parts.stores.open(dataset_id, generation);
  }

  /** Returns the reads of an indexed dataset. @throws AppError `conflict` if the dataset is not indexed. */
  browsable(dataset: DatasetRow): StoreReads {
    if (isNeverIndexed(dataset)) {
      throw new AppError('conflict', `The dataset is ${dataset.status_new}; it can be explored once it is indexed`);
    }
    return this.storeOf(dataset);
  }

  /**
   * Applies an event of the state machine; joins the caller's transaction. A deleted dataset is ignored.
   * @throws AppError `conflict` if the status does not allow the event.
   */
  apply(datasetId: string, event: DatasetEvent, failure: Message | null = null): void {
    this.#parts.datasets.apply(datasetId, event, this.#parts.clock.iso(), failure);
  }

  /**
   * As {@link apply}, for a step that may run again after a crash: an event that the status does not allow was already applied and is
   * ignored.
   */
  applyIfAllowed(datasetId: string, event: DatasetEvent): void {
    this.#parts.datasets.applyIfAllowed(datasetId, event, this.#parts.clock.iso());
  }

  /** Starts the clustering of the whole dataset: READ ONLY becomes INDEXING, unless an earlier run already changed it. */
  beginReindexing(datasetId: string): void {
    this.applyIfAllowed(datasetId, 'reindexing');
    this.#parts.events.emit('dataset_changed', { dataset_id: datasetId });
  }

  /** Sets datasets back from READ ONLY if the enrichment that caused it is no longer running. */
  releaseEnriched(): void {
    this.#parts.datasets.releaseEnriched(this.#parts.clock.iso());
  }

  /** The generation that reads use. @throws AppError `not_found` when the dataset was deleted. */
  generationOf(datasetId: string): number {
    return this.getRow(datasetId).generation;
  }

  /** Switches reads to a generation. */
  setGeneration(datasetId: string, generation: number): void {
    this.#parts.datasets.setGeneration(datasetId, generation);
  }

  /** @param previewMediaIds If empty, the previous ids stay: all files of a dataset may be unavailable for a while. */
  saveCounts(datasetId: string, counts: DatasetCounts, previewMediaIds: readonly string[]): void {
    this.#parts.datasets.saveCounts(datasetId, counts, previewMediaIds);
  }

  /** Records that items with such ids come from elsewhere into a dataset ([Note: Ids of items]). */
  addIdPrefixes(datasetId: string, prefixes: readonly string[]): void {
    this.#parts.datasets.addIdPrefixes(datasetId, prefixes);
  }

  get(context: DatasetContext): Dataset {
    return this.#presentOne(context, context.dataset);
  }

  /** Changes the name or the description; a field that is left out stays unchanged. */
  update(
    context: DatasetContext,
    input: { display_name?: string | undefined; description?: string | undefined },
  ): Dataset {
    const { datasets, events, clock } = this.#parts;
    const { dataset_id, display_name, description } = context.dataset;
    datasets.describe(dataset_id, {
      display_name: input.display_name ?? display_name,
      description: input.description ?? description,
      at: clock.iso(),
    });
    events.emit('dataset_changed', { dataset_id });
    return this.#presentOne(context, this.getRow(dataset_id));
  }

  list(context: CallContext): Dataset[] {
    const roleOn = this.#parts.roles.of(context.principal);
    return this.#parts.datasets.list(context.principal).map((row) => this.#present(context, row, roleOn(row)));
  }

  getCreationStatus({ dataset }: DatasetContext): { status: string; progress: number } {
    return { status: dataset.status_new, progress: dataset.progress };
  }

  /** Makes a generated name unique among the caller's datasets, by the first free number after it if needed. */
  freeName(context: CallContext, name: string): string {
    const isTaken = (wanted: string) =>
      this.#parts.datasets.findByName(context.principal.user_id, wanted) !== undefined;
    if (!isTaken(name)) return name;
    let number = 2;
    while (isTaken(`${name} ${number}`)) number += 1;
    return `${name} ${number}`;
  }

  /**
   * Creates the folder of an empty draft, then its row. Names need not be unique.
   * @param work Joins the row's transaction.
   * @throws AppError `unauthenticated` or `forbidden` if the owner may no longer own datasets.
   */
  async createDraft(
    context: CallContext,
    draft: {
      name: string;
      source_type: (typeof SOURCE_TYPES)[number];
      source_uri: string;
      workspace_id: string | null;
      /** Id of the dataset that this is a copy of. */
      source_dataset_id?: string;
    },
    work: (row: DatasetRow) => void,
  ): Promise<DatasetRow> {
    const { catalog, datasets, roles, stores, events, clock, ids } = this.#parts;
    const datasetId = ids.uuid();
    const now = clock.iso();
    const row: DatasetRow = {
      dataset_id: datasetId,
      display_name: draft.name,
      description: '',
      source_type: draft.source_type,
      source_uri: draft.source_uri,
      source_dataset_id: draft.source_dataset_id ?? null,
      owner_id: context.principal.user_id,
      workspace_id: draft.workspace_id,
      status_new: 'DRAFT',
      status: 'NEW',
      progress: 0,
      n_images: 0,
      n_videos: 0,
      n_objects: 0,
      n_file_errors: 0,
      fatal_error_msg: null,
      generation: await stores.create(datasetId),
      preview_media_ids: '[]',
      created_at: now,
      updated_at: now,
    };
    try {
      catalog.transaction(() => {
        roles.assertMayOwn(context.principal, row.workspace_id);
        datasets.insert(row);
        work(row);
      });
    } catch (error) {
      await stores.remove(datasetId);
      throw error;
    }
    events.emit('dataset_changed', { dataset_id: datasetId });
    return row;
  }

  /**
   * Marks the folder as deleted, then deletes the row, so that no reader finds a half-deleted dataset. Tasks of the dataset are interrupted,
   * and its files are deleted after their end, in the background. Marked folders that a crash leaves behind are deleted at the next start.
   * @throws AppError `conflict` while the dataset is being copied.
   */
  async delete(context: DatasetContext): Promise<{ deleted: true; id: string; dataset_id: string }> {
    const { dataset } = context;
    const { catalog, audit, datasets, stores, folders, mediaFolders, remover, tasks, events } = this.#parts;
    const { dataset_id } = dataset;
    tasks.assertNotBlocked('delete_dataset', dataset_id);
    await folders.markDeleted(dataset_id);
    let orphaned: string[] = [];
    const forget = () =>
      catalog.transaction(() => {
        orphaned = mediaFolders.listOwn(dataset_id);
        datasets.delete(dataset_id);
        this.releaseEnriched();
        audit.note(context, 'dataset_deleted', dataset.display_name, { dataset_id });
      });
    try {
      forget();
    } catch (error) {
      if (!isDiskFull(error)) {
        await folders.unmarkDeleted(dataset_id);
        throw error;
      }
      // On a full disk, deleting the dataset's files frees the space that deleting its row needs.
      await tasks.stopDataset(dataset_id);
      await stores.remove(dataset_id);
      forget();
    }
    events.emit('dataset_deleted', { dataset_id });
    await remover.remove(dataset_id, orphaned);
    return { deleted: true, id: dataset_id, dataset_id };
  }

  #presentOne(context: CallContext, row: DatasetListRow): Dataset {
    return this.#present(context, row, this.#parts.roles.of(context.principal)(row));
  }

  /** @param role Default `viewer`: the role was revoked during the call. */
  #present(context: CallContext, row: DatasetListRow, role: DatasetRole = 'viewer'): Dataset {
    const sign = this.#parts.urls.signer(context, row.dataset_id);
    const previews = JSON.parse(row.preview_media_ids) as string[];
    const failure = row.fatal_error_msg === null ? null : readMessage(row.fatal_error_msg);
    const previewUris = previews.map((mediaId) => sign('thumbnail', mediaId));
    return {
      id: row.dataset_id,
      display_name: row.display_name,
      description: row.description,
      source_type: row.source_type,
      owned_by: row.owner_id === context.principal.user_id ? 'ME' : row.owner_email,
      created_by: row.owner_email,
      my_role: role,
      created_at: row.created_at,
      updated_at: row.updated_at,
      status_new: row.status_new,
      status: row.status,
      progress: row.progress,
      n_images: row.n_images,
      n_videos: row.n_videos,
      n_objects: row.n_objects,
      n_file_errors: row.n_file_errors,
      fatal_error_msg: failure && formatMessage(failure),
      failure,
      stopped: row.is_stopped === 1,
      source_dataset_id: row.source_dataset_id,
      source_uri: row.source_uri,
      preview_uri: previewUris[0] ?? null,
      preview_uris: previewUris,
      filename: row.source_uri.slice(row.source_uri.lastIndexOf('/') + 1),
      sample: false,
    };
  }
}
