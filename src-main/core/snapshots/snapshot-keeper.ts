import type { DatasetCounts, DatasetService } from '../datasets/dataset.service.ts';
import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { SnapshotRepository } from './snapshot.repository.ts';
import type { SnapshotRow } from './snapshot-row.ts';

/** A state that is on the disk and not yet in the catalog. */
export type KeptSnapshot = Omit<SnapshotRow, 'is_current'>;

/** What the catalog says of the models of datasets. */
export interface Enrichments {
  /** Null where a dataset is not enriched. */
  take(datasetId: string): string | null;
  /** Joins the caller's transaction. */
  put(datasetId: string, taken: string | null): void;
}

export interface SnapshotKeeperParts {
  datasets: DatasetService;
  stores: DatasetStores;
  rows: SnapshotRepository;
  enrichments: Pick<Enrichments, 'take'>;
  settings: SettingsService;
  clock: Clock;
  ids: Ids;
}

/** Originals that were handed over lie in `media/<batch>`. */
const STORED_ROOT = /^media\/([^/]+)$/;

/**
 * Makes snapshots: the state first, whole and on the disk, then its row, in the transaction of the caller. A state that gets no row is
 * swept at the next start.
 */
export class SnapshotKeeper {
  readonly #parts: SnapshotKeeperParts;

  constructor(parts: SnapshotKeeperParts) {
    this.#parts = parts;
  }

  /** Keeps what the dataset holds now. */
  async keep(
    dataset: DatasetRow,
    about: Pick<SnapshotRow, 'created_by' | 'reason' | 'description'> & { name?: string | undefined },
  ): Promise<KeptSnapshot> {
    const { stores, enrichments } = this.#parts;
    const { dataset_id, generation } = dataset;
    const kept = this.describe(dataset, about, {
      ...dataset,
      enrichment: enrichments.take(dataset_id),
      media_folders: JSON.stringify(await this.storedFolders(dataset)),
    });
    await stores.createSnapshot({ dataset_id, generation }, kept.snapshot_id, { ...kept });
    return kept;
  }

  /**
   * The snapshot that a dataset gets when it is first indexed; none while snapshots are off.
   * @param state What the dataset's row will say when the snapshot is recorded.
   */
  async keepFirst(
    datasetId: string,
    state: { counts: DatasetCounts; cover: readonly string[] },
  ): Promise<KeptSnapshot | undefined> {
    const { datasets, settings } = this.#parts;
    if (!settings.isOn('DATASET_SNAPSHOTS_ENABLED')) return undefined;
    const row = datasets.getRow(datasetId);
    const { n_images, n_videos, n_objects, n_file_errors } = state.counts;
    const indexed = { n_images, n_videos, n_objects, n_file_errors, preview_media_ids: JSON.stringify(state.cover) };
    return this.keep({ ...row, ...indexed }, { created_by: row.owner_email, reason: 'creation', description: '' });
  }

  /** A row for a state that is, or becomes, that of a dataset. */
  describe(
    dataset: Pick<DatasetRow, 'dataset_id' | 'display_name'>,
    about: Parameters<SnapshotKeeper['keep']>[1],
    state: Pick<
      SnapshotRow,
      'n_images' | 'n_videos' | 'n_objects' | 'n_file_errors' | 'preview_media_ids' | 'enrichment' | 'media_folders'
    >,
  ): KeptSnapshot {
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

  /** The row of what was kept, which is the current snapshot from then on. Joins the caller's transaction. */
  record(kept: KeptSnapshot | undefined): void {
    if (kept) this.#parts.rows.insert(kept);
  }

  /** Media folders that originals of a dataset as it is now are in. */
  async storedFolders(dataset: DatasetRow): Promise<string[]> {
    const sources = await this.#parts.datasets.storeOf(dataset).intake.listSources();
    return sources.flatMap(({ kind, root }) => (kind === 'stored' && STORED_ROOT.exec(root)?.[1]) || []);
  }
}
