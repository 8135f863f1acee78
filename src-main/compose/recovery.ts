import { BackupService } from '../core/recovery/backup.service.ts';
import { defineBackupTask } from '../core/recovery/backup.task.ts';
import { BackupRepairs } from '../core/recovery/backup-repairs.ts';
import { CatalogKeeper } from '../core/recovery/catalog-keeper.ts';
import { CheckService } from '../core/recovery/check.service.ts';
import { defineCheckDataTask } from '../core/recovery/check-data.task.ts';
import { DamageService } from '../core/recovery/damage.service.ts';
import { DatasetRecordRepository } from '../core/recovery/dataset-record.repository.ts';
import { FindingNotices } from '../core/recovery/finding-notices.ts';
import { RecordKeeper } from '../core/recovery/record-keeper.ts';
import { RecoveryService } from '../core/recovery/recovery.service.ts';
import { RecoveryEventRepository } from '../core/recovery/recovery-event.repository.ts';
import { defineRestoreDatasetTask } from '../core/recovery/restore-dataset.task.ts';
import { ScrubService } from '../core/recovery/scrub.service.ts';
import { StoredDataCheck } from '../core/recovery/stored-data-check.ts';
import { createBackups } from '../infra/backups/backups.client.ts';
import { keepCatalogCopy } from '../infra/catalog/catalog-copy.ts';
import { copyCatalog } from '../infra/catalog/copy-catalog.ts';
import { WorkPace } from '../infra/giving-way/work-pace.ts';
import type { Accounts } from './accounts.ts';
import type { Datasets } from './datasets.ts';
import type { Indexing } from './indexing.ts';
import type { Models } from './models.ts';
import type { Platform } from './platform.ts';

/** Services that protect data: records and copies, inspection for damage, backups. */
export type Recovery = ReturnType<typeof composeRecovery>;

export function composeRecovery(
  platform: Platform,
  { datasets, drafts, tasks, runner }: Datasets,
  { followUps, reindexTask, services: { projections } }: Indexing,
  { builtIn }: Models,
  { notifications }: Accounts,
) {
  const { catalog, folder, originals, log, datasetFolders, stores, settings, clock, events } = platform;
  const { claims, mode, owner, memberships, primaryWorkspaceId } = platform;
  const records = new DatasetRecordRepository(catalog);
  const rows = new RecoveryEventRepository(catalog);
  const recovery = new RecoveryService({ ...platform, records, rows, folders: datasetFolders });
  const backups = createBackups({
    entryFile: platform.entries.backup,
    dataFolder: folder.root,
    temporaryFolder: folder.temporary,
    stores,
    claims,
    log,
  });
  const repairs = new BackupRepairs({ backups, settings, log });
  const damage = new DamageService({
    ...platform,
    ...{ datasets, tasks, projections, reindexTask, recovery, repairs },
    folders: datasetFolders,
    looks: { encoder_id: builtIn.encoder_id, dim: builtIn.dim },
  });
  const stored = new StoredDataCheck({
    ...{ records, originals, backups, repairs, settings, log },
    folders: datasetFolders,
  });
  const listManagers = () => (mode.authentication ? memberships.listAdmins(primaryWorkspaceId) : [owner.user_id]);
  const notices = new FindingNotices({ listManagers, notifications, events });
  const pace = new WorkPace(claims.memory);
  const turn = () => pace.turn();
  const checkTask = defineCheckDataTask({ damage, stored, datasets, recovery, notices, settings, turn });
  const checks = new CheckService(tasks, checkTask, clock);
  const scrub = new ScrubService({ ...platform, checks, datasets });
  const backupTask = defineBackupTask({
    ...platform,
    ...{ backups, records },
    copyCatalog: () => copyCatalog(catalog, folder.temporary),
  });
  const restoreTask = defineRestoreDatasetTask({
    ...platform,
    ...{ backups, datasets, followUps, stores, records },
    folders: datasetFolders,
  });
  runner.define(checkTask, backupTask, restoreTask);
  return {
    services: {
      recovery,
      checks,
      backups: new BackupService({ ...platform, ...{ backups, datasets, drafts, tasks, backupTask, restoreTask } }),
    },
    damage,
    scrub,
    recordKeeper: new RecordKeeper({ catalog, records, folders: datasetFolders, log }),
    catalogKeeper: new CatalogKeeper({ catalog, writeCopy: () => keepCatalogCopy(catalog.copyTo, folder.root), log }),
  };
}
