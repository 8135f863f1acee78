import { AppError } from '../../contract/errors.ts';
import type { DatasetStatus, LegacyStatus } from '../../contract/schemas/dataset.ts';

/**
 * The state machine of interface section 3, as data. A dataset's status changes only through {@link nextStatus}.
 * The legacy field says READY for PARTIAL INDEX, so that clients that poll it after adding media come to rest.
 */
interface Transition {
  from: readonly DatasetStatus[];
  to: DatasetStatus;
  legacy: LegacyStatus;
}

const any: readonly DatasetStatus[] = ['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR'];
const settled: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

export const TRANSITIONS = {
  files_uploaded: { from: ['DRAFT'], to: 'DRAFT', legacy: 'UPLOADING' },
  process_files: { from: ['DRAFT'], to: 'INDEXING', legacy: 'INDEXING' },
  retry: { from: ['ERROR'], to: 'INDEXING', legacy: 'INDEXING' },
  indexed: { from: ['INDEXING'], to: 'READY', legacy: 'READY' },
  add_media: { from: settled, to: 'READ ONLY', legacy: 'UPDATING' },
  media_added: { from: ['READ ONLY', 'INDEXING'], to: 'PARTIAL INDEX', legacy: 'READY' },
  media_added_and_indexed: { from: ['INDEXING'], to: 'READY', legacy: 'READY' },
  // An addition or reindex that fails leaves the dataset as it was; only its task has failed.
  back_to_ready: { from: ['READ ONLY', 'INDEXING'], to: 'READY', legacy: 'READY' },
  back_to_partial: { from: ['READ ONLY', 'INDEXING'], to: 'PARTIAL INDEX', legacy: 'READY' },
  reindex: { from: ['PARTIAL INDEX'], to: 'READ ONLY', legacy: 'UPDATING' },
  reindexing: { from: ['READ ONLY'], to: 'INDEXING', legacy: 'INDEXING' },
  enrich: { from: ['READY'], to: 'READ ONLY', legacy: 'ENRICHING' },
  enriched: { from: ['READ ONLY'], to: 'READY', legacy: 'READY' },
  add_meaning: { from: settled, to: 'READ ONLY', legacy: 'UPDATING' },
  restore: { from: ['READY', 'PARTIAL INDEX', 'ERROR'], to: 'READ ONLY', legacy: 'UPDATING' },
  restored: { from: ['READ ONLY'], to: 'READY', legacy: 'READY' },
  // Something of it is not as it was written: what can be made again is, by a reindex.
  damaged: { from: settled, to: 'PARTIAL INDEX', legacy: 'READY' },
  // What made it an error is there again.
  found_whole: { from: ['ERROR'], to: 'PARTIAL INDEX', legacy: 'READY' },
  fail: { from: any, to: 'ERROR', legacy: 'FATAL_ERROR' },
} as const satisfies Record<string, Transition>;

export type DatasetEvent = keyof typeof TRANSITIONS;

export function isAllowed(status: DatasetStatus, event: DatasetEvent): boolean {
  const transition: Transition = TRANSITIONS[event];
  return transition.from.includes(status);
}

/** Where an event takes a dataset. @throws AppError `conflict` when the status does not allow it. */
export function nextStatus(
  status: DatasetStatus,
  event: DatasetEvent,
): { status_new: DatasetStatus; status: LegacyStatus } {
  const transition: Transition = TRANSITIONS[event];
  if (!isAllowed(status, event)) {
    throw new AppError('conflict', `The dataset is ${status}; this needs ${transition.from.join(' or ')}`);
  }
  return { status_new: transition.to, status: transition.legacy };
}
