import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { formatVideoTime } from './format.ts';

/** Name of a frame's video. */
export function videoName({ video_name, file_name }: Pick<Preview, 'file_name' | 'video_name'>): string {
  return video_name ?? file_name;
}

/** Name of an item: its file. A frame is named by video and time, an object also by its label. */
export function itemName(
  item: Pick<Preview, 'type' | 'file_name' | 'video_name' | 'frame_timestamp' | 'labels'>,
): string {
  const time = item.frame_timestamp === null ? undefined : formatVideoTime(item.frame_timestamp);
  const file = videoName(item);
  const image = time === undefined ? file : `${file} ${time}`;
  const label = item.type === 'OBJECT' ? item.labels?.[0] : undefined;
  return label === undefined ? image : `${label}, ${image}`;
}
