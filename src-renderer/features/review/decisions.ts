import { DEFAULT_DUPLICATE_LEVEL } from '../../../src-main/contract/schemas/duplicates.ts';
import type { ApiInput } from '../../lib/api.ts';
import type { QueueInput, ReviewEntry } from '../../lib/review.ts';
import type { Change } from '../../lib/use-edits.ts';
import type { Decision } from './use-review.ts';

/** The items that a decision is about: one item, or the copies of a group that match the queue. */
export function itemsOf(entry: ReviewEntry, queue: QueueInput): ApiInput<'decide_review'>['media_selection'] {
  if (entry.group === null) return [{ type: 'media', payload: { media_ids: [entry.entry_id] } }];
  const { kind: _kind, dataset_id: _dataset, duplicate_threshold = DEFAULT_DUPLICATE_LEVEL, ...filters } = queue;
  const payload = { cluster_id: entry.entry_id, cluster_filters: { ...filters, duplicate_threshold } };
  return [{ type: 'cluster', payload }];
}

/** Follows the suggestion. @param keptId The copy to keep of a group. */
export function acceptance({ group, suggestion }: ReviewEntry, keptId: string): Decision {
  if (group !== null) return { verdict: 'accepted', keep_media_id: keptId, exclude: true };
  const { action, add_labels, remove_labels } = suggestion;
  if (action === 'relabel') return { verdict: 'accepted', add_labels, remove_labels };
  return { verdict: 'accepted', exclude: action === 'exclude' };
}

/** Says that nothing is wrong. A doubted label is confirmed, so that it is no longer reported. */
export function rejection({ group, item, reason }: ReviewEntry, keptId: string): Decision {
  if (group !== null) return { verdict: 'rejected', keep_media_id: keptId };
  return { verdict: 'rejected', add_labels: reason.code === 'mislabels' ? (item.labels ?? []) : [] };
}

export function exclusion(entry: ReviewEntry, keptId: string): Decision {
  return entry.group === null ? { verdict: 'accepted', exclude: true } : acceptance(entry, keptId);
}

export function tagging({ add = [], remove = [] }: Change): Decision {
  return { verdict: 'fixed', add_tags: add, remove_tags: remove };
}

/** A label chosen for a mislabelled item replaces its only label. */
export function labelling({ item, reason }: ReviewEntry, { add = [], remove = [] }: Change): Decision {
  const labels = item.labels ?? [];
  const replaced = reason.code === 'mislabels' && add.length > 0 && labels.length === 1 ? labels : [];
  const removed = [...remove, ...replaced].filter((label) => !add.includes(label));
  return { verdict: 'fixed', add_labels: add, remove_labels: removed };
}
