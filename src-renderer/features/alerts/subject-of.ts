import type { Notification } from '../../../src-main/contract/schemas/notification.ts';
import { routes } from '../../lib/routes.ts';

/** The page about the subject of an alert; undefined if there is none. */
export function subjectOf({ entity_type, dataset_id }: Notification): string | undefined {
  if (entity_type === 'recovery') return routes.recovery();
  return dataset_id === null ? undefined : routes.views(dataset_id);
}
