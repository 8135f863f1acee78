import type { Notification } from '../../contract/schemas/notification.ts';
import type { NotificationRow } from './notification.repository.ts';

/** A notification as the wire has it. */
export function presentNotification({
  place: _place,
  notification_id,
  metadata,
  ...row
}: NotificationRow): Notification {
  return { id: notification_id, ...row, metadata: JSON.parse(metadata) as Notification['metadata'] };
}
