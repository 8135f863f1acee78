import { DatasetUsers } from '../core/access/dataset-users.ts';
import { TeamworkRepository } from '../core/teamwork/teamwork.repository.ts';
import { TeamworkService } from '../core/teamwork/teamwork.service.ts';
import { ViewRepository } from '../core/views/view.repository.ts';
import { ViewService } from '../core/views/view.service.ts';
import { ViewMonitorService } from '../core/views/view-monitor.service.ts';
import type { Accounts } from './accounts.ts';
import type { Datasets } from './datasets.ts';
import type { Explore } from './explore.ts';
import type { Platform } from './platform.ts';

/** Saved views, their monitoring, notifications, comments and assignments. */
export type Views = ReturnType<typeof composeViews>;

export function composeViews(
  platform: Platform,
  { notifications }: Accounts,
  { datasets, roles, sharing }: Datasets,
  { queries }: Explore,
) {
  const parts = { ...platform, datasets, sharing, queries, notifications, views: new ViewRepository(platform.catalog) };
  const users = new DatasetUsers(platform.catalog);
  const teamwork = new TeamworkService({ ...parts, roles, users, rows: new TeamworkRepository(platform.catalog) });
  return {
    services: { views: new ViewService(parts), notifications, teamwork },
    monitor: new ViewMonitorService(parts),
  };
}
