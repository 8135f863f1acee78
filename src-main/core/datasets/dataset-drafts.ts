import type { SOURCE_TYPES } from '../../contract/schemas/dataset.ts';
import type { DatasetRoles } from '../access/dataset-roles.ts';
import type { CallContext } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { DatasetCatalog } from './dataset-catalog.ts';
import type { DatasetRow } from './dataset-row.ts';

export interface DatasetDraftsParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  roles: Pick<DatasetRoles, 'assertMayOwn'>;
  stores: Pick<DatasetStores, 'create' | 'remove'>;
  events: EventBus;
  clock: Clock;
  ids: Ids;
}

/** Creates empty datasets, which tasks then fill. */
export class DatasetDrafts {
  readonly #parts: DatasetDraftsParts;

  constructor(parts: DatasetDraftsParts) {
    this.#parts = parts;
  }

  /** Makes a generated name unique among the caller's datasets, by the first free number after it if needed. */
  freeName(context: CallContext, name: string): string {
    const isTaken = (requested: string) =>
      this.#parts.datasets.findByName(context.principal.user_id, requested) !== undefined;
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
  async create(
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
}
