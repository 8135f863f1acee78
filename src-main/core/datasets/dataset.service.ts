import { isDiskFull } from '../../contract/errors.ts';
import { formatMessage, readMessage } from '../../contract/messages.ts';
import type { DatasetRole } from '../../contract/permissions.ts';
import type { Dataset } from '../../contract/schemas/dataset.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetRoles } from '../access/dataset-roles.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { CallContext } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { DatasetCatalog } from './dataset-catalog.ts';
import type { DatasetRemover } from './dataset-remover.ts';
import type { DatasetListRow } from './dataset-row.ts';

export interface DatasetServiceParts {
  catalog: Catalog;
  audit: AuditService;
  datasets: DatasetCatalog;
  roles: DatasetRoles;
  stores: Pick<DatasetStores, 'remove'>;
  folders: DatasetFolders;
  remover: Pick<DatasetRemover, 'remove'>;
  mediaFolders: MediaFolders;
  tasks: TaskService;
  urls: MediaUrls;
  events: EventBus;
}

/** Describes, renames and deletes datasets. */
export class DatasetService {
  readonly #parts: DatasetServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_datasets: (context) => this.list(context),
    get_dataset: (context) => this.get(context),
    get_creation_status: (context) => this.getCreationStatus(context),
    update_dataset: (context, input) => this.update(context, input),
    delete_dataset: (context) => this.delete(context),
  } satisfies SomeHandlers;

  constructor(parts: DatasetServiceParts) {
    this.#parts = parts;
  }

  get(context: DatasetContext): Dataset {
    return this.#presentOne(context, context.dataset);
  }

  /** Changes the name or the description; a field that is left out stays unchanged. */
  update(
    context: DatasetContext,
    input: { display_name?: string | undefined; description?: string | undefined },
  ): Dataset {
    const { datasets, events } = this.#parts;
    const { dataset_id, display_name, description } = context.dataset;
    datasets.describe(dataset_id, {
      display_name: input.display_name ?? display_name,
      description: input.description ?? description,
    });
    events.emit('dataset_changed', { dataset_id });
    return this.#presentOne(context, datasets.getRow(dataset_id));
  }

  list(context: CallContext): Dataset[] {
    const roleOn = this.#parts.roles.of(context.principal);
    return this.#parts.datasets.list(context.principal).map((row) => this.#present(context, row, roleOn(row)));
  }

  getCreationStatus({ dataset }: DatasetContext): { status: string; progress: number } {
    return { status: dataset.status_new, progress: dataset.progress };
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
        datasets.releaseEnriched();
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
      n_frames: row.n_frames,
      disk_bytes: row.disk_bytes,
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
