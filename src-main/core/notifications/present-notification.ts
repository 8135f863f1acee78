import type { Notification } from '../../contract/schemas/notification.ts';
import type { MediaUrls, UrlReader } from '../media/media-urls.ts';
import type { NewNotification, NotificationRow } from './notification.repository.ts';

/**
 * A notification as the wire has it.
 * @param reader Who is to fetch its images.
 */
export function presentNotification(
  { place: _place, notification_id, metadata, dataset_id, ...row }: NotificationRow,
  urls: MediaUrls,
  reader: UrlReader,
): Notification {
  // Those of former versions named none of the results, and were alerts.
  const { media_ids = [], shared_by = null, ...said } = JSON.parse(metadata) as Partial<NewNotification['metadata']>;
  const sign = urls.signer(reader, dataset_id ?? '');
  const previews = media_ids.map((mediaId) => ({ media_id: mediaId, media_thumb_uri: sign('thumbnail', mediaId) }));
  return {
    id: notification_id,
    ...row,
    dataset_id,
    metadata: { ...said, shared_by, previews } as Notification['metadata'],
  };
}
