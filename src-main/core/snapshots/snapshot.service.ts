import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { SNAPSHOT_CHANGE_KINDS, type Snapshot, type SnapshotChangeKind } from '../../contract/schemas/snapshot.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetDrafts } from '../datasets/dataset-drafts.ts';
import type { DatasetListRow } from '../datasets/dataset-row.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { SnapshotComparer } from '../ports/snapshots.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { defineCloneSnapshotTask } from './clone-snapshot.task.ts';
import type { OrphanedFramesService } from './orphaned-frames.service.ts';
import type { OrphanedOriginals } from './orphaned-originals.ts';
import type { defineRestoreSnapshotTask, RestoreSnapshotInput } from './restore-snapshot.task.ts';
import type { SnapshotRepository } from './snapshot.repository.ts';
import type { SnapshotKeeper } from './snapshot-keeper.ts';
import { mediaFoldersOf, type SnapshotListRow } from './snapshot-row.ts';

export interface SnapshotServiceParts {
  catalog: Catalog;
  audit: AuditService;
  datasets: DatasetCatalog;
  drafts: DatasetDrafts;
  mediaFolders: MediaFolders;
  stores: DatasetStores;
  rows: SnapshotRepository;
  keeper: SnapshotKeeper;
  comparer: SnapshotComparer;
  orphaned: OrphanedOriginals;
  orphanedFrames: Pick<OrphanedFramesService, 'sweep'>;
  tasks: TaskService;
  restoreTask: ReturnType<typeof defineRestoreSnapshotTask>;
  cloneTask: ReturnType<typeof defineCloneSnapshotTask>;
  events: EventBus;
  clock: Clock;
}

const CURRENT = 'current';

/** Snapshots of datasets: interface 4.8. */
export class SnapshotService {
  readonly #parts: SnapshotServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_snapshots: (context) => this.list(context),
    create_snapshot: (context, input) => this.create(context, input),
    update_snapshot: (context, input) => this.update(context, input),
    restore_snapshot: (context, input) => this.restore(context, input),
    clone_snapshot: (context, input) => this.clone(context, input),
    delete_snapshot: (context, input) => this.delete(context, input),
    list_snapshot_changes: (context, input) => this.listChanges(context, input),
  } satisfies SomeHandlers;

  constructor(parts: SnapshotServiceParts) {
    this.#parts = parts;
  }

  list({ dataset }: DatasetContext): Snapshot[] {
    const restoring = this.#restoring(dataset);
    return this.#parts.rows.list(dataset.dataset_id).map((row) => present(row, restoring));
  }

  /** Creates a snapshot. @throws AppError `conflict` unless the dataset is READY and does not change meanwhile. */
  async create(
    context: DatasetContext,
    { name, description }: { name?: string | undefined; description: string },
  ): Promise<Snapshot> {
    const { catalog, datasets, keeper, stores, tasks, events } = this.#parts;
    const { dataset_id } = context.dataset;
    const assertAtRest = (row: DatasetListRow) => {
      tasks.assertNotBlocked('create_snapshot', dataset_id);
      if (row.status_new !== 'READY')
        throw new AppError('conflict', message('snapshot_needs_ready', { status: row.status_new }));
    };
    assertAtRest(context.dataset);
    const latest = tasks.latestBlocker('create_snapshot', dataset_id);
    const about = { name, description, created_by: context.principal.email, reason: 'manual' } as const;
    const created = await keeper.keep(context.dataset, about);
    try {
      catalog.transaction(() => {
        assertAtRest(datasets.getRow(dataset_id));
        if (tasks.latestBlocker('create_snapshot', dataset_id) !== latest) {
          throw new AppError('conflict', message('dataset_changed_during_snapshot'));
        }
        keeper.record(created);
      });
    } catch (error) {
      if (datasets.find(dataset_id)) await stores.deleteSnapshot(dataset_id, created.snapshot_id);
      throw error;
    }
    events.emit('dataset_changed', { dataset_id });
    return present(this.#get(context.dataset, created.snapshot_id), undefined);
  }

  /** Changes the name or description. @throws AppError `invalid_request` if neither is given. */
  update(
    { dataset }: DatasetContext,
    input: { snapshot_id: string; name?: string | undefined; description?: string | undefined },
  ): Snapshot {
    const { rows, events } = this.#parts;
    const row = this.#get(dataset, input.snapshot_id);
    const { name = row.name, description = row.description } = input;
    if (input.name === undefined && input.description === undefined) {
      throw new AppError('invalid_request', message('name_or_description_missing'));
    }
    rows.describe(row.snapshot_id, { name, description });
    events.emit('dataset_changed', { dataset_id: dataset.dataset_id });
    return present({ ...row, name, description }, this.#restoring(dataset));
  }

  /** Starts a restore. @throws AppError `conflict` unless the dataset is READY, PARTIAL INDEX or ERROR and no task is running. */
  async restore(
    context: DatasetContext,
    input: { snapshot_id: string; keep_as?: string | undefined },
  ): Promise<undefined> {
    const { catalog, datasets, tasks, restoreTask, events } = this.#parts;
    const { dataset_id } = context.dataset;
    if (input.keep_as !== undefined) {
      // Found before the new snapshot becomes the current one.
      const { snapshot_id } = this.#get(context.dataset, input.snapshot_id);
      tasks.assertNotBlocked('restore_snapshot', dataset_id);
      await this.create(context, { name: input.keep_as, description: '' });
      return this.restore(context, { snapshot_id });
    }
    catalog.transaction(() => {
      const row = datasets.getRow(dataset_id);
      const { snapshot_id } = this.#get(row, input.snapshot_id);
      tasks.assertNotBlocked('restore_snapshot', dataset_id);
      const { status_new, fatal_error_msg } = row;
      datasets.apply(dataset_id, 'restore');
      const statusBefore = status_new as RestoreSnapshotInput['status_before'];
      tasks.start(
        restoreTask,
        dataset_id,
        { snapshot_id, status_before: statusBefore, fatal_error_msg },
        context.principal,
      );
    });
    events.emit('dataset_changed', { dataset_id });
    tasks.wake();
    return undefined;
  }

  /** Starts a clone. @throws AppError `conflict` unless the dataset is READY, PARTIAL INDEX or ERROR. */
  async clone(context: DatasetContext, input: { snapshot_id: string }): Promise<undefined> {
    const { datasets, drafts, mediaFolders, keeper, tasks, cloneTask } = this.#parts;
    const { dataset: source } = context;
    const snapshot = this.#get(source, input.snapshot_id);
    assertAtRest(source);
    const draft = {
      name: `${source.display_name} (cloned)`,
      source_type: 'VL',
      source_uri: source.source_uri,
      workspace_id: source.workspace_id,
      source_dataset_id: source.dataset_id,
    } as const;
    await drafts.create(context, draft, (copy) => {
      // The snapshot may have been deleted, or a task may have started, while the copy's folder was created.
      this.#get(source, snapshot.snapshot_id);
      assertAtRest(datasets.getRow(source.dataset_id));
      for (const batchId of mediaFoldersOf(snapshot)) mediaFolders.hold(copy.dataset_id, batchId);
      datasets.apply(copy.dataset_id, 'process_files');
      const about = { created_by: context.principal.email, reason: 'clone', description: '' } as const;
      tasks.start(
        cloneTask,
        copy.dataset_id,
        {
          source_dataset_id: source.dataset_id,
          source_snapshot_id: snapshot.snapshot_id,
          snapshot: keeper.describe(copy, about, snapshot),
        },
        context.principal,
      );
    });
    tasks.wake();
    return undefined;
  }

  /**
   * Deletes a snapshot.
   * @throws AppError `conflict` for the current snapshot, during a restore, and for a snapshot whose files a clone does not have yet.
   */
  async delete(context: DatasetContext, input: { snapshot_id: string }): Promise<undefined> {
    const { dataset } = context;
    const { catalog, audit, rows, keeper, orphaned, orphanedFrames, stores, tasks, events, clock } = this.#parts;
    const { dataset_id } = dataset;
    const assertDeletable = () => {
      const row = this.#get(dataset, input.snapshot_id);
      if (row.is_current === 1) throw new AppError('conflict', message('current_snapshot_undeletable'));
      tasks.assertNotBlocked('delete_snapshot', dataset_id);
      this.#assertNotNeeded(row.snapshot_id);
      return row;
    };
    const row = assertDeletable();
    const held = mediaFoldersOf(row);
    // The originals that a dataset with status ERROR uses are unknown, so all are created.
    const live = dataset.status_new === 'ERROR' ? held : await keeper.storedFolders(dataset);
    catalog.transaction(() => {
      assertDeletable();
      rows.markDeleted(input.snapshot_id, clock.iso());
      orphaned.note(dataset, live, held);
      audit.note(context, 'snapshot_deleted', row.name, { dataset_id, snapshot_id: row.snapshot_id });
    });
    events.emit('dataset_changed', { dataset_id });
    await stores.deleteSnapshot(dataset_id, input.snapshot_id);
    await orphaned.remove();
    if (dataset.status_new !== 'ERROR') await orphanedFrames.sweep(dataset_id);
    return undefined;
  }

  /**
   * Lists the differences between a snapshot and another snapshot, or the dataset's present state. During a restore that is the state before
   * it.
   */
  async listChanges(
    { dataset }: DatasetContext,
    input: {
      snapshot_id: string;
      against?: string | undefined;
      kind?: SnapshotChangeKind | undefined;
      page_number: number;
      page_size: number;
    },
  ) {
    const { datasets, stores, comparer } = this.#parts;
    const { page_number, page_size, against, kind } = input;
    const query = {
      before: this.#get(dataset, input.snapshot_id).snapshot_id,
      after: against === undefined ? null : this.#get(dataset, against).snapshot_id,
      kind: kind ?? null,
      offset: page_number * page_size,
      limit: page_size,
    };
    const found = await stores.whileReading(dataset, async () => {
      // Opens the dataset, so that its schema is up to date.
      await datasets.browsable(dataset).edits.listTags();
      return comparer.list(dataset, query);
    });
    const counts = Object.fromEntries(SNAPSHOT_CHANGE_KINDS.map((one) => [one, found.counts[one] ?? 0]));
    return { ...found, counts: counts as Record<SnapshotChangeKind, number>, page_number, page_size };
  }

  /** @throws AppError `not_found`. */
  #get({ dataset_id }: Pick<DatasetListRow, 'dataset_id'>, snapshotId: string): SnapshotListRow {
    const { rows } = this.#parts;
    const row = snapshotId === CURRENT ? rows.findCurrent(dataset_id) : rows.find(dataset_id, snapshotId);
    if (!row) throw new AppError('not_found', message('snapshot_not_found'));
    return row;
  }

  /** @throws AppError `conflict` while a clone of the snapshot does not have its files. */
  #assertNotNeeded(snapshotId: string): void {
    const { tasks, rows, cloneTask } = this.#parts;
    const isNeeded = tasks.listOpenInputs(cloneTask.type).some((input) => {
      const { source_snapshot_id, snapshot } = cloneTask.input.parse(input);
      return source_snapshot_id === snapshotId && !rows.find(snapshot.dataset_id, snapshot.snapshot_id);
    });
    if (isNeeded) {
      throw new AppError('conflict', message('snapshot_being_cloned'));
    }
  }

  /** Returns the id of the snapshot that is being restored. */
  #restoring({ dataset_id }: Pick<DatasetListRow, 'dataset_id'>): string | undefined {
    const { tasks, restoreTask } = this.#parts;
    const input = tasks.findOpenInput(restoreTask.type, dataset_id);
    return input === undefined ? undefined : restoreTask.input.parse(input).snapshot_id;
  }
}

/** Checks that the dataset is idle. @throws AppError `conflict`. */
function assertAtRest({ status_new }: DatasetListRow): void {
  if (status_new === 'READY' || status_new === 'PARTIAL INDEX' || status_new === 'ERROR') return;
  throw new AppError('conflict', message('clone_needs_indexed', { status: status_new }));
}

function present(row: SnapshotListRow, restoring: string | undefined): Snapshot {
  return {
    snapshot_id: row.snapshot_id,
    snapshot_name: row.name,
    source_dataset_name: row.dataset_name,
    created_at: row.created_at,
    created_by: row.created_by,
    n_images: row.n_images,
    n_videos: row.n_videos,
    n_objects: row.n_objects,
    description: row.description,
    reason: row.reason,
    training_model_id: row.training_model_id,
    training_model_name: row.training_model_name,
    is_current: row.is_current === 1,
    is_restoring: row.snapshot_id === restoring,
  };
}
