import { AppError } from '../../contract/errors.ts';
import { type Message, message, storeMessage } from '../../contract/messages.ts';
import { isVisibleTo, type Viewer } from '../access/visible.ts';
import type { EventBus } from '../events.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetStore, DatasetStores, StoreReads } from '../ports/dataset-store.ts';
import { idPrefix } from '../ports/item-ids.ts';
import { type DatasetCounts, type DatasetListRow, type DatasetRow, isNeverIndexed } from './dataset-row.ts';
import { type DatasetEvent, isAllowed, nextStatus } from './dataset-status.ts';

const IS_STOPPED = `dataset.status_new = 'ERROR' AND EXISTS (SELECT 1 FROM task
    WHERE task.dataset_id = dataset.dataset_id AND task_type IN ('DATASET_CREATION', 'DATASET_RESTORE') AND task.status = 'ABORTED')`;

const SELECT = `SELECT dataset.*, user.email AS owner_email, ${IS_STOPPED} AS is_stopped
  FROM dataset JOIN user ON user.user_id = dataset.owner_id`;

/** The rows of datasets in the catalog, their status, and the stores that the rows name. */
export class DatasetCatalog {
  readonly #catalog: Catalog;
  readonly #stores: Pick<DatasetStores, 'open'>;
  readonly #events: EventBus;
  readonly #clock: Clock;

  constructor(parts: { catalog: Catalog; stores: Pick<DatasetStores, 'open'>; events: EventBus; clock: Clock }) {
    this.#catalog = parts.catalog;
    this.#stores = parts.stores;
    this.#events = parts.events;
    this.#clock = parts.clock;
  }

  /** Inserts a dataset with the id prefixes of its items: its own, and those of its source if it is a copy. */
  insert(row: DatasetRow): void {
    this.#catalog.run(
      `INSERT INTO dataset (dataset_id, display_name, description, source_type, source_uri, source_dataset_id, owner_id, workspace_id,
         status_new, status, progress, n_images, n_videos, n_objects, n_file_errors, fatal_error_msg, generation, preview_media_ids, created_at, updated_at)
       VALUES (:dataset_id, :display_name, :description, :source_type, :source_uri, :source_dataset_id, :owner_id, :workspace_id,
         :status_new, :status, :progress, :n_images, :n_videos, :n_objects, :n_file_errors, :fatal_error_msg, :generation, :preview_media_ids, :created_at,
         :updated_at)`,
      { ...row },
    );
    this.#catalog.run(
      `INSERT INTO id_prefix SELECT :own, :dataset_id
       UNION SELECT prefix, :dataset_id FROM id_prefix WHERE dataset_id = :source_dataset_id`,
      {
        own: idPrefix(row.dataset_id),
        dataset_id: row.dataset_id,
        source_dataset_id: row.source_dataset_id,
      },
    );
  }

  /** Records that items with such ids come from elsewhere into a dataset ([Note: Ids of items]). */
  addIdPrefixes(datasetId: string, prefixes: readonly string[]): void {
    this.#catalog.run('INSERT OR IGNORE INTO id_prefix SELECT value, :dataset_id FROM json_each(:prefixes)', {
      dataset_id: datasetId,
      prefixes: JSON.stringify(prefixes),
    });
  }

  find(datasetId: string): DatasetListRow | undefined {
    return this.#catalog.find<DatasetListRow>(`${SELECT} WHERE dataset_id = :dataset_id`, { dataset_id: datasetId });
  }

  /** @throws AppError `not_found`. */
  getRow(datasetId: string): DatasetListRow {
    return existing(this.find(datasetId));
  }

  /** @throws AppError `not_found` for a dataset that the viewer may not see. */
  getVisible(viewer: Viewer, datasetId: string): DatasetListRow {
    return existing(
      this.#catalog.find<DatasetListRow>(`${SELECT} WHERE dataset_id = :dataset_id AND ${isVisibleTo(viewer)}`, {
        dataset_id: datasetId,
        user_id: viewer.user_id,
      }),
    );
  }

  findByName(ownerId: string, displayName: string): DatasetRow | undefined {
    return this.#catalog.find<DatasetRow>(
      'SELECT * FROM dataset WHERE owner_id = :owner_id AND display_name = :display_name',
      {
        owner_id: ownerId,
        display_name: displayName,
      },
    );
  }

  countByStatus(): { status: string; count: number }[] {
    return this.#catalog.all('SELECT status_new AS status, count(*) AS count FROM dataset GROUP BY status_new');
  }

  /** The copy of a dataset that was started last. */
  findNewestCopy(sourceDatasetId: string): DatasetRow | undefined {
    return this.#catalog.find<DatasetRow>(
      'SELECT * FROM dataset WHERE source_dataset_id = :source_dataset_id ORDER BY rowid DESC LIMIT 1',
      { source_dataset_id: sourceDatasetId },
    );
  }

  /** Datasets of all owners. */
  listAll(): DatasetListRow[] {
    return this.#catalog.all<DatasetListRow>(`${SELECT} ORDER BY dataset.created_at, dataset.rowid`);
  }

  /** Datasets that the viewer may see. */
  list(viewer: Viewer): DatasetListRow[] {
    return this.#catalog.all<DatasetListRow>(
      `${SELECT} WHERE ${isVisibleTo(viewer)} ORDER BY dataset.created_at DESC, dataset.rowid DESC`,
      { user_id: viewer.user_id },
    );
  }

  /** Datasets that may contain an item with this id, of those that the viewer may see ([Note: Ids of items]). */
  listByItemId(viewer: Viewer, itemId: string): DatasetListRow[] {
    return this.#catalog.all<DatasetListRow>(
      `${SELECT} WHERE dataset.dataset_id IN (SELECT id_prefix.dataset_id FROM id_prefix WHERE prefix = :prefix)
         AND ${isVisibleTo(viewer)} ORDER BY dataset.created_at DESC, dataset.rowid DESC`,
      { prefix: idPrefix(itemId), user_id: viewer.user_id },
    );
  }

  /** The open store of the generation that reads of a dataset use. */
  storeOf({ dataset_id, generation }: Pick<DatasetRow, 'dataset_id' | 'generation'>): DatasetStore {
    return this.#stores.open(dataset_id, generation);
  }

  /** Returns the reads of an indexed dataset. @throws AppError `conflict` if the dataset is not indexed. */
  browsable(dataset: DatasetRow): StoreReads {
    if (isNeverIndexed(dataset)) {
      throw new AppError('conflict', message('dataset_not_indexed', { status: dataset.status_new }));
    }
    return this.storeOf(dataset);
  }

  /**
   * Applies an event of the state machine; joins the caller's transaction. A deleted dataset is ignored.
   * @throws AppError `conflict` if the status does not allow the event.
   */
  apply(datasetId: string, event: DatasetEvent, failure: Message | null = null): void {
    const row = this.find(datasetId);
    if (!row) return;
    const next = nextStatus(row.status_new, event);
    const done = next.status_new === 'READY' || next.status_new === 'PARTIAL INDEX';
    this.#catalog.run(
      `UPDATE dataset SET status_new = :status_new, status = :status, fatal_error_msg = :fatal_error_msg, updated_at = :at,
         progress = CASE WHEN :done THEN 100 ELSE progress END WHERE dataset_id = :dataset_id`,
      {
        ...{ dataset_id: datasetId, ...next, at: this.#clock.iso() },
        fatal_error_msg: failure && storeMessage(failure),
        done: done ? 1 : 0,
      },
    );
  }

  /**
   * As {@link apply}, for a step that may run again after a crash: an event that the status does not allow was already applied and is
   * ignored.
   */
  applyIfAllowed(datasetId: string, event: DatasetEvent): void {
    const row = this.find(datasetId);
    if (row && isAllowed(row.status_new, event)) this.apply(datasetId, event);
  }

  /** Starts the clustering of the whole dataset: READ ONLY becomes INDEXING, unless an earlier run already changed it. */
  beginReindexing(datasetId: string): void {
    this.applyIfAllowed(datasetId, 'reindexing');
    this.#events.emit('dataset_changed', { dataset_id: datasetId });
  }

  /** Sets datasets back from READ ONLY if the enrichment that caused it is no longer running. */
  releaseEnriched(): void {
    const held = this.#catalog.all<{ dataset_id: string }>(
      `SELECT dataset_id FROM dataset WHERE status_new = 'READ ONLY' AND status = 'ENRICHING'
         AND NOT EXISTS (SELECT 1 FROM task_lock WHERE task_lock.dataset_id = dataset.dataset_id)`,
    );
    for (const { dataset_id } of held) this.apply(dataset_id, 'enriched');
  }

  describe(datasetId: string, about: { display_name: string; description: string }): void {
    this.#catalog.run(
      'UPDATE dataset SET display_name = :display_name, description = :description, updated_at = :at WHERE dataset_id = :dataset_id',
      { dataset_id: datasetId, at: this.#clock.iso(), ...about },
    );
  }

  /** Switches reads to a generation. */
  setGeneration(datasetId: string, generation: number): void {
    this.#catalog.run('UPDATE dataset SET generation = :generation WHERE dataset_id = :dataset_id', {
      dataset_id: datasetId,
      generation,
    });
  }

  saveProgress(datasetId: string, progress: number): void {
    this.#catalog.run('UPDATE dataset SET progress = :progress WHERE dataset_id = :dataset_id', {
      dataset_id: datasetId,
      progress,
    });
  }

  /** @param previewMediaIds If empty, the previous ids stay: all files of a dataset may be unavailable for a while. */
  saveCounts(datasetId: string, counts: DatasetCounts, previewMediaIds: readonly string[]): void {
    this.#catalog.run(
      `UPDATE dataset SET n_images = :n_images, n_videos = :n_videos, n_objects = :n_objects, n_file_errors = :n_file_errors,
         preview_media_ids = iif(:preview_media_ids = '[]', preview_media_ids, :preview_media_ids) WHERE dataset_id = :dataset_id`,
      {
        dataset_id: datasetId,
        n_images: counts.n_images,
        n_videos: counts.n_videos,
        n_objects: counts.n_objects,
        n_file_errors: counts.n_file_errors,
        preview_media_ids: JSON.stringify(previewMediaIds),
      },
    );
  }

  /** Records what is counted after changes: the size of a dataset's files in the data folder, and the frames of its videos. */
  saveSizes(datasetId: string, { disk_bytes, n_frames }: Record<'disk_bytes' | 'n_frames', number>): void {
    this.#catalog.run(
      `UPDATE dataset SET disk_bytes = :disk_bytes, n_frames = :n_frames
       WHERE dataset_id = :dataset_id AND (disk_bytes IS NOT :disk_bytes OR n_frames IS NOT :n_frames)`,
      { dataset_id: datasetId, disk_bytes, n_frames },
    );
  }

  /** Deletes a dataset with everything that belongs to it, including notifications that link to it. */
  delete(datasetId: string): void {
    this.#catalog.run('DELETE FROM notification WHERE dataset_id = :dataset_id', { dataset_id: datasetId });
    this.#catalog.run('DELETE FROM dataset WHERE dataset_id = :dataset_id', { dataset_id: datasetId });
  }
}

function existing(row: DatasetListRow | undefined): DatasetListRow {
  if (!row) throw new AppError('not_found', message('dataset_not_found'));
  return row;
}
