import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { formatVideoTime } from '../lib/format.ts';
import styles from './TimeMark.module.css';

/** The time of a video frame. Renders nothing for an image. */
export function TimeMark({ item }: { item: Pick<Preview, 'type' | 'frame_timestamp'> }) {
  if (item.type !== 'VIDEO_FRAME' || item.frame_timestamp === null) return null;
  return (
    <span className={styles.mark} data-testid="frame-time">
      {formatVideoTime(item.frame_timestamp)}
    </span>
  );
}
