import { NotificationRepository } from '../core/notifications/notification.repository.ts';
import { NotificationService } from '../core/notifications/notification.service.ts';
import { ViewRepository } from '../core/views/view.repository.ts';
import { ViewService } from '../core/views/view.service.ts';
import { ViewMonitorService } from '../core/views/view-monitor.service.ts';
import type { Datasets } from './datasets.ts';
import type { Explore } from './explore.ts';
import type { Platform } from './platform.ts';

/** Queries that are kept, what batches bring to them, and who is told. */
export type Views = ReturnType<typeof composeViews>;

export function composeViews(platform: Platform, { datasets, sharing }: Datasets, { queries }: Explore) {
  const notifications = new NotificationService({ ...platform, rows: new NotificationRepository(platform.catalog) });
  const parts = { ...platform, datasets, sharing, queries, notifications, views: new ViewRepository(platform.catalog) };
  return { services: { views: new ViewService(parts), notifications }, monitor: new ViewMonitorService(parts) };
}
