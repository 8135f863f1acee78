import type { Notification } from '../../contract/schemas/notification.ts';
import type { MediaUrls, UrlReader } from '../media/media-urls.ts';
import type { NewNotification, NotificationRow } from './notification.repository.ts';

/** Converts a notification to the form that the API returns. @param reader The user for whom the image URLs are signed. */
export function presentNotification(
  { place: _place, notification_id, metadata, dataset_id, ...row }: NotificationRow,
  urls: MediaUrls,
  reader: UrlReader,
): Notification {
  const { media_ids, sentences = null, ...details } = JSON.parse(metadata) as NewNotification['metadata'];
  const sign = urls.signer(reader, dataset_id ?? '');
  const previews = media_ids.map((mediaId) => ({ media_id: mediaId, media_thumb_uri: sign('thumbnail', mediaId) }));
  return {
    id: notification_id,
    ...row,
    dataset_id,
    metadata: { ...details, sentences, previews },
  };
}
