import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetCounts, DatasetRow } from '../datasets/dataset-row.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { SnapshotRepository } from './snapshot.repository.ts';
import type { SnapshotRow } from './snapshot-row.ts';

/** A snapshot that is stored and not yet in the catalog. */
export type NewSnapshot = Omit<SnapshotRow, 'is_current'>;

/** Reads and sets the models of datasets in the catalog. */
export interface Enrichments {
  /** Null when the dataset is not enriched. */
  take(datasetId: string): string | null;
  /** Joins the caller's transaction. */
  put(datasetId: string, taken: string | null): void;
}

export interface SnapshotKeeperParts {
  datasets: DatasetCatalog;
  stores: DatasetStores;
  rows: SnapshotRepository;
  enrichments: Pick<Enrichments, 'take'>;
  settings: SettingsService;
  clock: Clock;
  ids: Ids;
}

/** Pattern of the root of stored originals: `media/<batch>`. */
const STORED_ROOT = /^media\/([^/]+)$/;

/**
 * Creates snapshots: first the files, complete and durable, then the row, in the transaction of the caller. The next start deletes files
 * without a row.
 */
export class SnapshotKeeper {
  readonly #parts: SnapshotKeeperParts;

  constructor(parts: SnapshotKeeperParts) {
    this.#parts = parts;
  }

  /** Stores the present state of a dataset as a snapshot. {@link record} adds its row. */
  async keep(
    dataset: DatasetRow,
    about: Pick<SnapshotRow, 'created_by' | 'reason' | 'description'> & { name?: string | undefined },
  ): Promise<NewSnapshot> {
    const { stores, enrichments } = this.#parts;
    const { dataset_id, generation } = dataset;
    const created = this.describe(dataset, about, {
      ...dataset,
      enrichment: enrichments.take(dataset_id),
      media_folders: JSON.stringify(await this.storedFolders(dataset)),
    });
    await stores.createSnapshot({ dataset_id, generation }, created.snapshot_id, { ...created });
    return created;
  }

  /**
   * Stores the first snapshot of a dataset, after its first index. Undefined while snapshots are off.
   * @param state Counts and cover that the dataset's row will have when the snapshot is recorded.
   */
  async keepFirst(
    datasetId: string,
    state: { counts: DatasetCounts; cover: readonly string[] },
  ): Promise<NewSnapshot | undefined> {
    const { datasets, settings } = this.#parts;
    if (!settings.isOn('DATASET_SNAPSHOTS_ENABLED')) return undefined;
    const row = datasets.getRow(datasetId);
    const { n_images, n_videos, n_objects, n_file_errors } = state.counts;
    const indexed = { n_images, n_videos, n_objects, n_file_errors, preview_media_ids: JSON.stringify(state.cover) };
    return this.keep({ ...row, ...indexed }, { created_by: row.owner_email, reason: 'creation', description: '' });
  }

  /** Returns the row of a snapshot of a state. */
  describe(
    dataset: Pick<DatasetRow, 'dataset_id' | 'display_name'>,
    about: Parameters<SnapshotKeeper['keep']>[1],
    state: Pick<
      SnapshotRow,
      'n_images' | 'n_videos' | 'n_objects' | 'n_file_errors' | 'preview_media_ids' | 'enrichment' | 'media_folders'
    >,
  ): NewSnapshot {
    const { clock, ids } = this.#parts;
    const snapshotId = ids.uuid();
    return {
      snapshot_id: snapshotId,
      dataset_id: dataset.dataset_id,
      name: about.name ?? `${dataset.display_name}_snapshot_${snapshotId}`,
      description: about.description,
      created_at: clock.iso(),
      created_by: about.created_by,
      reason: about.reason,
      n_images: state.n_images,
      n_videos: state.n_videos,
      n_objects: state.n_objects,
      n_file_errors: state.n_file_errors,
      preview_media_ids: state.preview_media_ids,
      enrichment: state.enrichment,
      media_folders: state.media_folders,
      training_model_id: null,
      training_model_name: null,
    };
  }

  /** Adds the row of a stored snapshot, which becomes the current one. Joins the caller's transaction. */
  record(created: NewSnapshot | undefined): void {
    if (created) this.#parts.rows.insert(created);
  }

  /** Lists the media folders with originals of the dataset's present state. */
  async storedFolders(dataset: DatasetRow): Promise<string[]> {
    const sources = await this.#parts.datasets.storeOf(dataset).intake.listSources();
    return sources.flatMap(({ kind, root }) => (kind === 'stored' && STORED_ROOT.exec(root)?.[1]) || []);
  }
}
