import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { formatVideoTime } from './format.ts';

/** What the video of a frame is called. */
export function videoName({ video_name, file_name }: Pick<Preview, 'file_name' | 'video_name'>): string {
  return video_name ?? file_name;
}

/** What an item is called: its file; a frame by its video and its place there, an object also by its label. */
export function itemName(
  item: Pick<Preview, 'type' | 'file_name' | 'video_name' | 'frame_timestamp' | 'labels'>,
): string {
  const time = item.frame_timestamp === null ? undefined : formatVideoTime(item.frame_timestamp);
  const file = videoName(item);
  const image = time === undefined ? file : `${file} ${time}`;
  const label = item.type === 'OBJECT' ? item.labels?.[0] : undefined;
  return label === undefined ? image : `${label}, ${image}`;
}
