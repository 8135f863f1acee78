import type { Notification } from '../../../src-main/contract/schemas/notification.ts';
import { Thumb } from '../../components/Thumb.tsx';
import styles from './AlertPreviews.module.css';

/** A few results of an alert. */
export function AlertPreviews({ alert }: { alert: Notification }) {
  const { previews } = alert.metadata;
  if (previews.length === 0) return null;
  return (
    <span className={styles.previews} data-testid="alert-previews">
      {previews.map(({ media_id, media_thumb_uri }) => (
        <Thumb key={media_id} src={media_thumb_uri} className={styles.preview} />
      ))}
    </span>
  );
}
