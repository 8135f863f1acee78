import { type PlaceFilter, readFilters } from '../../lib/filters.ts';
import type { QueueInput, ReviewEntry } from '../../lib/review.ts';
import { useOperation } from '../../lib/use-operation.ts';

/** Which entries are accepted with the current one: all, or those that have something in common with it. */
export const LIKENESSES = ['all', 'suggestion', 'label', 'folder'] as const;
export type Likeness = (typeof LIKENESSES)[number];

interface LikeThis {
  /** What the entries have in common, in words: a label, a folder. */
  value: string;
  /** The queue with these entries only. */
  queue: QueueInput & { suggested_label?: string };
}

/** The groups of entries that are like the current one. @returns Undefined for what the entry does not have. */
export function useLikeness(queue: QueueInput, entry: ReviewEntry): Partial<Record<Likeness, LikeThis>> {
  const { data: image } = useOperation('get_dataset_image', {
    dataset_id: queue.dataset_id,
    image_id: entry.item.image_id,
  });
  const label = entry.item.labels?.[0];
  const suggested = entry.suggestion.add_labels[0];
  const path = image?.file_path ?? '';
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const narrowed = (filter: PlaceFilter): QueueInput => ({
    ...queue,
    vql: JSON.stringify([...readFilters(queue.vql ?? null), filter]),
  });
  const ofLabel = label === undefined ? queue : narrowed({ labels: { op: 'is', value: [label] } });
  return {
    all: { value: '', queue },
    ...(suggested === undefined
      ? {}
      : { suggestion: { value: `${label ?? ''} → ${suggested}`, queue: { ...ofLabel, suggested_label: suggested } } }),
    ...(label === undefined ? {} : { label: { value: label, queue: ofLabel } }),
    ...(folder === ''
      ? {}
      : { folder: { value: folder, queue: narrowed({ folders: { op: 'one_of', value: [folder] } }) } }),
  };
}
