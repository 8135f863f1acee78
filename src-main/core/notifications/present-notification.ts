import type { Notification } from '../../contract/schemas/notification.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { NewNotification, NotificationRow } from './notification.repository.ts';

/**
 * A notification as the wire has it.
 * @param baseUrl Address that the caller reached us by.
 */
export function presentNotification(
  { place: _place, notification_id, metadata, dataset_id, ...row }: NotificationRow,
  urls: MediaUrls,
  baseUrl: string,
): Notification {
  // Those of former versions named none of the results.
  const { media_ids = [], ...said } = JSON.parse(metadata) as Partial<NewNotification['metadata']>;
  const of = dataset_id ?? '';
  const previews = media_ids.map((mediaId) => ({
    media_id: mediaId,
    media_thumb_uri: urls.sign(baseUrl, 'thumbnail', of, mediaId),
  }));
  return { id: notification_id, ...row, dataset_id, metadata: { ...said, previews } as Notification['metadata'] };
}
