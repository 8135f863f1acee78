import { AppError } from '../../contract/errors.ts';
import { formatMessage, message } from '../../contract/messages.ts';
import type { Backup } from '../../contract/schemas/backup.ts';
import { SOURCE_TYPES } from '../../contract/schemas/dataset.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { CallContext, Principal } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetDrafts } from '../datasets/dataset-drafts.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { BackedUp, Backups, StoredBackup } from '../ports/backups.ts';
import type { OpenedFolders } from '../ports/opened-folders.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { BackupInput } from './backup.task.ts';
import { assertNotEmpty, type RestoreDatasetInput } from './restore-dataset.task.ts';

export interface BackupServiceParts {
  backups: Backups;
  datasets: DatasetCatalog;
  drafts: DatasetDrafts;
  mediaFolders: MediaFolders;
  settings: SettingsService;
  opened: OpenedFolders;
  audit: AuditService;
  tasks: TaskService;
  backupTask: TaskDefinition<BackupInput, never>;
  restoreTask: TaskDefinition<RestoreDatasetInput, never>;
}

/** Backs up the whole data folder, and restores datasets from backups. */
export class BackupService {
  readonly #parts: BackupServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    start_backup: (context, input) => this.start(context, input),
    list_backups: (context, input) => this.list(context, input),
    restore_dataset: (context, input) => this.restoreDataset(context, input),
  } satisfies SomeHandlers;

  constructor(parts: BackupServiceParts) {
    this.#parts = parts;
  }

  /** Starts a backup. The folder becomes the default for later backups. */
  async start(
    context: CallContext,
    input: { folder?: string | undefined; keep?: number | undefined },
  ): Promise<{ task_id: string }> {
    const { backups, settings, audit, tasks, backupTask } = this.#parts;
    const { principal } = context;
    const folder = await backups.choose(await this.#folderOf(principal, input.folder));
    tasks.assertNoneOpen('BACKUP');
    settings.set('BACKUP_FOLDER', folder, () => audit.note(context, 'backup_begun', folder));
    const taskId = tasks.start(backupTask, null, { folder, keep: input.keep ?? null }, principal);
    tasks.wake();
    return { task_id: taskId };
  }

  /** Lists backups. @throws AppError `invalid_request` when the given folder holds no backups. */
  async list(
    { principal }: CallContext,
    input: { folder?: string | undefined },
  ): Promise<{ folder: string | null; is_there: boolean; backups: Backup[] }> {
    const { backups, settings } = this.#parts;
    if (input.folder !== undefined) {
      await this.#assertOpen(principal, input.folder);
      return { folder: input.folder, is_there: true, backups: (await backups.list(input.folder)).map(present) };
    }
    const usual = settings.get('BACKUP_FOLDER');
    if (usual === '') return { folder: null, is_there: false, backups: [] };
    try {
      return { folder: usual, is_there: true, backups: (await backups.list(usual)).map(present) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
      return { folder: usual, is_there: false, backups: [] };
    }
  }

  async restoreDataset(
    context: CallContext,
    input: { folder?: string | undefined; backup_id: string; dataset_id: string },
  ): Promise<{ task_id: string; dataset_id: string }> {
    const { backups, datasets, drafts, mediaFolders, tasks, restoreTask } = this.#parts;
    const from: BackedUp = { ...input, folder: await this.#folderOf(context.principal, input.folder) };
    const record = await backups.readRecord(from);
    assertNotEmpty(record);
    const { display_name, source_type, source_uri } = record.dataset;
    let taskId = '';
    const row = await drafts.create(
      context,
      {
        name: drafts.freeName(context, `${display_name} (recovered)`),
        source_type: SOURCE_TYPES.find((known) => known === source_type) ?? 'UPLOAD',
        source_uri: String(source_uri),
        workspace_id: context.principal.workspace_id,
      },
      ({ dataset_id }) => {
        for (const { batch_id } of record.rows.media_folder ?? []) mediaFolders.hold(dataset_id, String(batch_id));
        datasets.addIdPrefixes(dataset_id, record.rows.id_prefix?.map(({ prefix }) => String(prefix)) ?? []);
        datasets.apply(dataset_id, 'process_files');
        taskId = tasks.start(restoreTask, dataset_id, from, context.principal);
      },
    );
    tasks.wake();
    return { task_id: taskId, dataset_id: row.dataset_id };
  }

  /** Returns the given folder or the one of the settings. The latter needs no check, because it was open to the user who set it. */
  async #folderOf(principal: Principal, named: string | undefined): Promise<string> {
    if (named !== undefined) await this.#assertOpen(principal, named);
    const folder = named ?? this.#parts.settings.get('BACKUP_FOLDER');
    if (folder === '') throw new AppError('invalid_request', message('backup_folder_unset'));
    return folder;
  }

  /**
   * Checks that a folder is open. Commands on this machine run as the local owner and need no check. Relative paths are rejected where they
   * are used.
   */
  async #assertOpen(principal: Principal, folder: string): Promise<void> {
    if (!principal.is_local_owner) await this.#parts.opened.resolve(folder);
  }
}

function present({ datasets, ...about }: StoredBackup): Backup {
  return {
    ...about,
    datasets: datasets.map((one) => ({ ...one, problem: one.problem && formatMessage(one.problem) })),
  };
}
