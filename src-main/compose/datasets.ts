import { DatasetRoles } from '../core/access/dataset-roles.ts';
import { EventAudience } from '../core/access/event-audience.ts';
import { PresenceService } from '../core/access/presence.service.ts';
import { ShareRepository } from '../core/access/share.repository.ts';
import { SharingService } from '../core/access/sharing.service.ts';
import { DatasetService } from '../core/datasets/dataset.service.ts';
import { DatasetCatalog } from '../core/datasets/dataset-catalog.ts';
import { DatasetDrafts } from '../core/datasets/dataset-drafts.ts';
import { DatasetRemover } from '../core/datasets/dataset-remover.ts';
import { DatasetReportService } from '../core/datasets/dataset-report.service.ts';
import { DatasetSizes } from '../core/datasets/dataset-sizes.ts';
import { AddressAccess } from '../core/media/address-access.ts';
import { TaskRepository } from '../core/tasks/task.repository.ts';
import { TaskService } from '../core/tasks/task.service.ts';
import { TaskRunner } from '../core/tasks/task-runner.ts';
import { asAppError } from '../infra/sqlite/open-database.ts';
import type { Platform } from './platform.ts';

/** Services of datasets, and the runner of the tasks that work on them. */
export type Datasets = ReturnType<typeof composeDatasets>;

export function composeDatasets(platform: Platform) {
  const { catalog, events, clock, ids, log, folder, audit, settings } = platform;
  const datasets = new DatasetCatalog(platform);
  const taskRows = new TaskRepository(catalog);
  const runner = new TaskRunner({
    catalog,
    tasks: taskRows,
    events,
    clock,
    log,
    normalise: asAppError,
    reserve: folder.reserve,
    onProgress: (datasetId, percentage) => datasets.saveProgress(datasetId, percentage),
  });
  const tasks = new TaskService(taskRows, runner, clock, ids, () => settings.number('TASKS_PER_USER'));
  const shares = new ShareRepository(catalog);
  const roles = new DatasetRoles(platform.memberships, shares);
  const remover = new DatasetRemover({ ...platform, tasks });
  const folders = platform.datasetFolders;
  const service = new DatasetService({ ...platform, datasets, roles, folders, remover, tasks });
  const sizes = new DatasetSizes({ ...platform, datasets, folders, tasks });
  const drafts = new DatasetDrafts({ ...platform, datasets, roles });
  const reports = new DatasetReportService({ datasets, issueLimits: platform.issueLimits });
  const presence = new PresenceService({ clock });
  const sharing = new SharingService({ catalog, audit, shares, roles, events, clock });
  const addresses = new AddressAccess({ ...platform, datasets, roles });
  const audience = new EventAudience(datasets, roles);
  return {
    services: { datasets: service, reports, tasks, sharing, presence },
    ...{ runner, tasks, taskRows, datasets, sizes, drafts, remover, roles, sharing, presence, addresses, audience },
  };
}
