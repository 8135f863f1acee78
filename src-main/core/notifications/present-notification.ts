import type { Notification } from '../../contract/schemas/notification.ts';
import type { MediaUrls, UrlReader } from '../media/media-urls.ts';
import type { NewNotification, NotificationRow } from './notification.repository.ts';

/** Converts a notification to the form that the API returns. @param reader The user for whom the image URLs are signed. */
export function presentNotification(
  { place: _place, notification_id, metadata, dataset_id, ...row }: NotificationRow,
  urls: MediaUrls,
  reader: UrlReader,
): Notification {
  // Notifications of previous versions have no media ids and are always alerts.
  const { media_ids = [], shared_by = null, ...details } = JSON.parse(metadata) as Partial<NewNotification['metadata']>;
  const sign = urls.signer(reader, dataset_id ?? '');
  const previews = media_ids.map((mediaId) => ({ media_id: mediaId, media_thumb_uri: sign('thumbnail', mediaId) }));
  return {
    id: notification_id,
    ...row,
    dataset_id,
    metadata: { ...details, shared_by, previews } as Notification['metadata'],
  };
}
