import type { Notification } from '../../../src-main/contract/schemas/notification.ts';
import { routes } from '../../lib/routes.ts';

/** The page about the subject of an alert; undefined if there is none. */
export function subjectOf({ entity_type, entity_id, dataset_id }: Notification): string | undefined {
  if (entity_type === 'recovery') return routes.recovery();
  if (entity_type === 'assignment') return routes.assigned();
  if (entity_type === 'comment' && dataset_id !== null) return routes.item(dataset_id, entity_id);
  return dataset_id === null ? undefined : routes.views(dataset_id);
}
