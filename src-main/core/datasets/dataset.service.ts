import { AppError } from '../../contract/errors.ts';
import type { Dataset, FileError, SOURCE_TYPES } from '../../contract/schemas/dataset.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { CallContext } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetStore, DatasetStores, FileProblemKind } from '../ports/dataset-store.ts';
import type { Log } from '../ports/log.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { DatasetListRow, DatasetRepository, DatasetRow } from './dataset.repository.ts';

/** Originals kept below the data folder, a folder a batch. */
export interface MediaFolders {
  /** Deletes folders that are not in the set. */
  sweep(held: ReadonlySet<string>): Promise<void>;
}

export interface DatasetServiceParts {
  catalog: Catalog;
  datasets: DatasetRepository;
  stores: DatasetStores;
  mediaFolders: MediaFolders;
  tasks: TaskService;
  urls: MediaUrls;
  events: EventBus;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Datasets as a whole: reading, making an empty one, deleting. */
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

  /** The row of a dataset that the caller may see. @throws AppError `not_found`. */
  getVisible(context: CallContext, datasetId: string): DatasetListRow {
    const row = this.getRow(datasetId);
    if (row.owner_id !== context.principal.user_id) throw new AppError('not_found', 'Dataset not found');
    return row;
  }

  /** The open store of a dataset that the caller may see. */
  openStore(context: CallContext, datasetId: string): { row: DatasetListRow; store: DatasetStore } {
    const row = this.getVisible(context, datasetId);
    return { row, store: this.#parts.stores.open(datasetId, row.generation) };
  }

  get(context: CallContext, input: { dataset_id: string }): Dataset {
    return this.#present(context, this.getVisible(context, input.dataset_id));
  }

  list(context: CallContext): Dataset[] {
    return this.#parts.datasets.list(context.principal.user_id).map((row) => this.#present(context, row));
  }

  getCreationStatus(context: CallContext, input: { dataset_id: string }): { status: string; progress: number } {
    const { status_new, progress } = this.getVisible(context, input.dataset_id);
    return { status: status_new, progress };
  }

  async getStats(context: CallContext, input: { dataset_id: string }) {
    const { row, store } = this.openStore(context, input.dataset_id);
    const {
      n_files: _n_files,
      n_pending: _n_pending,
      n_annotation_files: _n_annotation_files,
      ...counts
    } = await store.counts();
    return { dataset_id: row.dataset_id, ...counts, n_ungrouped: await store.countUnindexed('IMAGES') };
  }

  async listFileErrors(
    context: CallContext,
    input: {
      dataset_id: string;
      page_number: number;
      page_size: number;
      kind?: FileProblemKind | undefined;
      batch_id?: string | undefined;
    },
  ) {
    const { store } = this.openStore(context, input.dataset_id);
    const { page_number, page_size } = input;
    const found = await store.listFileErrors({
      kind: input.kind ?? null,
      batch_id: input.batch_id ?? null,
      offset: page_number * page_size,
      limit: page_size,
    });
    const fileErrors = found.file_errors.map(
      (row): FileError => ({ ...row, file_name: row.file_path.slice(row.file_path.lastIndexOf('/') + 1) }),
    );
    return { ...found, file_errors: fileErrors, page_number, page_size };
  }

  async listAnnotationProblems(
    context: CallContext,
    input: { dataset_id: string; page_number: number; page_size: number },
  ) {
    const { store } = this.openStore(context, input.dataset_id);
    const { page_number, page_size } = input;
    const found = await store.listAnnotationProblems({ offset: page_number * page_size, limit: page_size });
    return { ...found, page_number, page_size };
  }

  /** The name, or with the first number after it that no dataset of the caller has: for names that nobody chose. */
  freeName(context: CallContext, name: string): string {
    const isTaken = (wanted: string) =>
      this.#parts.datasets.findByName(context.principal.user_id, wanted) !== undefined;
    if (!isTaken(name)) return name;
    let number = 2;
    while (isTaken(`${name} ${number}`)) number += 1;
    return `${name} ${number}`;
  }

  /** Makes the folder of an empty draft, then its row; `work` joins the row's transaction. Names need not be unique. */
  async createDraft(
    context: CallContext,
    draft: {
      name: string;
      source_type: (typeof SOURCE_TYPES)[number];
      source_uri: string;
      /** What it is a copy of. */
      source_dataset_id?: string;
    },
    work: (row: DatasetRow) => void,
  ): Promise<DatasetRow> {
    const { catalog, datasets, stores, events, clock, ids } = this.#parts;
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
      status_new: 'DRAFT',
      status: 'NEW',
      progress: 0,
      n_images: 0,
      n_videos: 0,
      n_objects: 0,
      n_file_errors: 0,
      fatal_error_msg: null,
      generation: 1,
      preview_media_ids: '[]',
      created_at: now,
      updated_at: now,
    };
    await stores.create(datasetId);
    try {
      catalog.transaction(() => {
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
   * The row goes first, so that nobody meets a half-deleted dataset; what a crash leaves of its files is swept at the next start.
   * @throws AppError `conflict` while a copy is made of it.
   */
  async delete(
    context: CallContext,
    input: { dataset_id: string },
  ): Promise<{ deleted: true; id: string; dataset_id: string }> {
    const { catalog, datasets, stores, tasks, events, clock } = this.#parts;
    const { dataset_id, status } = this.getVisible(context, input.dataset_id);
    if (status === 'ENRICHING') {
      throw new AppError(
        'conflict',
        'The dataset is READ ONLY while it is enriched; wait, or delete the enriched copy',
      );
    }
    catalog.transaction(() => {
      datasets.delete(dataset_id);
      datasets.releaseEnriched(clock.iso());
    });
    events.emit('dataset_deleted', { dataset_id });
    await tasks.stopDataset(dataset_id);
    await stores.remove(dataset_id);
    await this.#sweepMediaFolders();
    return { deleted: true, id: dataset_id, dataset_id };
  }

  /** Removes what crashes left behind: folders that no row names. Call before anything is created. */
  async sweep(): Promise<void> {
    const { datasets, stores, clock } = this.#parts;
    datasets.releaseEnriched(clock.iso());
    await stores.sweep(new Set(datasets.listIds()));
    await this.#sweepMediaFolders();
  }

  #sweepMediaFolders(): Promise<void> {
    const { datasets, mediaFolders } = this.#parts;
    return mediaFolders.sweep(new Set(datasets.listHeldMediaFolders()));
  }

  #present(context: CallContext, row: DatasetListRow): Dataset {
    const { urls } = this.#parts;
    const previews = JSON.parse(row.preview_media_ids) as string[];
    const previewUris = previews.map((mediaId) => urls.sign(context.baseUrl, 'thumbnail', row.dataset_id, mediaId));
    return {
      id: row.dataset_id,
      display_name: row.display_name,
      description: row.description,
      source_type: row.source_type,
      owned_by: row.owner_id === context.principal.user_id ? 'ME' : row.owner_email,
      created_by: row.owner_email,
      created_at: row.created_at,
      updated_at: row.updated_at,
      status_new: row.status_new,
      status: row.status,
      progress: row.progress,
      n_images: row.n_images,
      n_videos: row.n_videos,
      n_objects: row.n_objects,
      n_file_errors: row.n_file_errors,
      fatal_error_msg: row.fatal_error_msg,
      source_dataset_id: row.source_dataset_id,
      source_uri: row.source_uri,
      preview_uri: previewUris[0] ?? null,
      preview_uris: previewUris,
      filename: row.source_uri.slice(row.source_uri.lastIndexOf('/') + 1),
      sample: false,
    };
  }
}
