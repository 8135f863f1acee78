import { AppError } from '../../contract/errors.ts';
import { formatMessage, message } from '../../contract/messages.ts';
import type { WatchedFolder } from '../../contract/schemas/watched-folder.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { SourceRow } from '../ports/dataset-sources.ts';
import type { LocalFolders } from '../ports/files.ts';
import { FILE_SYSTEM_SOURCE } from '../ports/media-sources.ts';
import { OpenWatches, type OpenWatchesParts } from './open-watches.ts';
import type { WatchedFolderRepository, WatchedFolderRow } from './watched-folder.repository.ts';

export interface WatchingParts extends OpenWatchesParts {
  folders: LocalFolders;
  ids: Ids;
}

interface WatchInput {
  watch_id: string;
}

/** Watched folders: their changes are added to a dataset as batches automatically. */
export class WatchingService {
  readonly #rows: WatchedFolderRepository;
  readonly #datasets: DatasetCatalog;
  readonly #folders: LocalFolders;
  readonly #events: EventBus;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #open: OpenWatches;

  /** The operations that this service handles. */
  readonly handlers = {
    list_watched_folders: (context) => this.list(context),
    add_watched_folder: (context, input) => this.add(context, input),
    update_watched_folder: (context, input) => this.update(context, input),
    rescan_watched_folder: (context, input) => this.rescan(context, input),
    remove_watched_folder: (context, input) => this.remove(context, input),
  } satisfies SomeHandlers;

  constructor(parts: WatchingParts) {
    this.#rows = parts.rows;
    this.#datasets = parts.datasets;
    this.#folders = parts.folders;
    this.#events = parts.events;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#open = new OpenWatches(parts);
  }

  /** Watches all folders that are not paused. Call once, after interrupted tasks have been queued again. */
  start(): void {
    this.#events.subscribe((event) => {
      if (event.name === 'dataset_deleted') void this.#open.closeOf(event.data.dataset_id);
    });
    for (const row of this.#rows.listAll()) this.#open.open(row);
  }

  close(): Promise<void> {
    return this.#open.closeAll();
  }

  list({ dataset }: DatasetContext): { watched_folders: WatchedFolder[] } {
    return { watched_folders: this.#rows.list(dataset.dataset_id).map((row) => this.#present(row)) };
  }

  /**
   * Adds a watched folder. If the dataset is not indexed yet, watching starts when it is.
   * @throws AppError `invalid_request` (not a readable folder), `conflict` (already watched, or inside or around another folder of the
   * dataset, whose files would then be added twice).
   */
  async add({ dataset }: DatasetContext, input: { path: string; exclude: string[] }): Promise<WatchedFolder> {
    const store = this.#datasets.storeOf(dataset);
    const path = await this.#folders.locate(input.path);
    const watched = new Set(this.#rows.list(dataset.dataset_id).map((row) => row.source_id));
    const others = (await store.intake.listSources()).filter(
      ({ source_id, kind, n_files }) =>
        kind === 'folder' && source_id !== FILE_SYSTEM_SOURCE && (n_files > 0 || watched.has(source_id)),
    );
    if (others.some(({ root }) => isInside(root, path) || isInside(path, root))) {
      throw new AppError('conflict', message('watch_overlaps'));
    }
    const sourceId = await store.intake.ensureFolderSource(path);
    // From here to the insertion there is no await, so no other call can interfere.
    const { dataset_id } = this.#datasets.getRow(dataset.dataset_id);
    if (this.#rows.list(dataset_id).some((row) => row.source_id === sourceId)) {
      throw new AppError('conflict', message('watch_exists'));
    }
    const row: WatchedFolderRow = {
      watch_id: this.#ids.uuid(),
      dataset_id,
      source_id: sourceId,
      path,
      exclude: JSON.stringify(input.exclude),
      paused: 0,
      last_scan_at: null,
      created_at: this.#clock.iso(),
    };
    this.#rows.insert(row);
    this.#open.open(row);
    this.#events.emit('dataset_changed', { dataset_id });
    return this.#present(row);
  }

  async update(
    context: DatasetContext,
    input: WatchInput & { paused?: boolean | undefined; exclude?: string[] | undefined },
  ): Promise<WatchedFolder> {
    const row = this.#get(context, input);
    const paused = input.paused === undefined ? row.paused : Number(input.paused);
    const exclude = input.exclude === undefined ? row.exclude : JSON.stringify(input.exclude);
    this.#rows.update(row.watch_id, { paused, exclude });
    if (paused === 1 || exclude !== row.exclude) await this.#open.close(row.watch_id);
    return this.#reopen(row);
  }

  rescan(context: DatasetContext, input: WatchInput): WatchedFolder {
    const row = this.#get(context, input);
    this.#open.rescan(row.watch_id);
    return this.#present(row);
  }

  async remove(context: DatasetContext, input: WatchInput): Promise<{ removed: true; watch_id: string }> {
    const { watch_id, dataset_id } = this.#get(context, input);
    this.#rows.delete(watch_id);
    await this.#open.close(watch_id);
    this.#events.emit('dataset_changed', { dataset_id });
    return { removed: true, watch_id };
  }

  /** Runs `move`, which changes the path of a source, while its watches are closed; they then continue in the new folder. */
  whileMoving<T>(datasetId: string, sourceId: string, move: () => Promise<T>): Promise<T> {
    const rows = this.#rows.list(datasetId).filter((row) => row.source_id === sourceId);
    return this.#whileClosed(rows, move);
  }

  /** Runs `replace`, which replaces the dataset's state, while its watches are closed; the folders are then scanned again. */
  whileReplacing<T>(datasetId: string, replace: () => Promise<T>): Promise<T> {
    return this.#whileClosed(this.#rows.list(datasetId), replace);
  }

  /** The sources of a dataset's watched folders. */
  listSources(datasetId: string): SourceRow[] {
    return this.#rows.list(datasetId).map(({ source_id, path }) => ({ source_id, kind: 'folder', root: path }));
  }

  /** Records the folder's current path. */
  setPath(datasetId: string, sourceId: string, path: string): void {
    for (const row of this.#rows.list(datasetId))
      if (row.source_id === sourceId) this.#rows.setPath(row.watch_id, path);
  }

  /** @throws AppError `not_found`. */
  #get({ dataset }: DatasetContext, { watch_id }: WatchInput): WatchedFolderRow {
    const row = this.#rows.find(dataset.dataset_id, watch_id);
    if (!row) throw new AppError('not_found', message('watch_not_found'));
    return row;
  }

  async #whileClosed<T>(rows: readonly WatchedFolderRow[], work: () => Promise<T>): Promise<T> {
    await Promise.all(rows.map((row) => this.#open.close(row.watch_id)));
    try {
      return await work();
    } finally {
      for (const { dataset_id, watch_id } of rows) {
        const row = this.#rows.find(dataset_id, watch_id);
        if (row) this.#reopen(row);
      }
    }
  }

  #reopen({ dataset_id, watch_id }: WatchedFolderRow): WatchedFolder {
    const row = this.#rows.find(dataset_id, watch_id);
    if (!row) throw new AppError('not_found', message('watch_not_found'));
    this.#open.open(row);
    this.#events.emit('dataset_changed', { dataset_id });
    return this.#present(row);
  }

  #present(row: WatchedFolderRow): WatchedFolder {
    const now = this.#rows.find(row.dataset_id, row.watch_id) ?? row;
    const status = this.#open.statusOf(now);
    return {
      watch_id: now.watch_id,
      dataset_id: now.dataset_id,
      path: now.path,
      exclude: JSON.parse(now.exclude) as string[],
      paused: now.paused === 1,
      ...status,
      detail: status.problem && formatMessage(status.problem),
      last_scan_at: now.last_scan_at,
      created_at: now.created_at,
    };
  }
}

/** Whether a folder lies below another; false for the same folder. */
function isInside(folder: string, other: string): boolean {
  const below = other.endsWith('/') || other.endsWith('\\') ? [other] : [`${other}/`, `${other}\\`];
  return folder !== other && below.some((start) => folder.startsWith(start));
}
