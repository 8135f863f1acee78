import { ViewRepository } from '../core/views/view.repository.ts';
import { ViewService } from '../core/views/view.service.ts';
import { ViewMonitorService } from '../core/views/view-monitor.service.ts';
import type { Accounts } from './accounts.ts';
import type { Datasets } from './datasets.ts';
import type { Explore } from './explore.ts';
import type { Platform } from './platform.ts';

/** Saved views, their monitoring, and notifications. */
export type Views = ReturnType<typeof composeViews>;

export function composeViews(
  platform: Platform,
  { notifications }: Accounts,
  { datasets, sharing }: Datasets,
  { queries }: Explore,
) {
  const parts = { ...platform, datasets, sharing, queries, notifications, views: new ViewRepository(platform.catalog) };
  return { services: { views: new ViewService(parts), notifications }, monitor: new ViewMonitorService(parts) };
}
