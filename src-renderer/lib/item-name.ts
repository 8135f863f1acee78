import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { formatVideoTime } from './format.ts';

/** What an item is called: its file, and of a frame its place in the video. */
export function itemName(item: Pick<Preview, 'type' | 'file_name' | 'frame_timestamp'>): string {
  return item.type === 'VIDEO_FRAME' && item.frame_timestamp !== null
    ? `${item.file_name} ${formatVideoTime(item.frame_timestamp)}`
    : item.file_name;
}
