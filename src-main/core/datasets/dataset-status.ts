import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetStatus, LegacyStatus } from '../../contract/schemas/dataset.ts';

/**
 * The state machine of interface section 3, as data. A dataset's status changes only through {@link nextStatus}. The legacy status of
 * PARTIAL INDEX is READY, so that clients that poll it after adding media stop polling.
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
  // A failed addition or reindex leaves the dataset unchanged; only its task fails.
  back_to_ready: { from: ['READ ONLY', 'INDEXING'], to: 'READY', legacy: 'READY' },
  back_to_partial: { from: ['READ ONLY', 'INDEXING'], to: 'PARTIAL INDEX', legacy: 'READY' },
  reindex: { from: ['PARTIAL INDEX'], to: 'READ ONLY', legacy: 'UPDATING' },
  reindexing: { from: ['READ ONLY'], to: 'INDEXING', legacy: 'INDEXING' },
  enrich: { from: ['READY'], to: 'READ ONLY', legacy: 'ENRICHING' },
  enriched: { from: ['READ ONLY'], to: 'READY', legacy: 'READY' },
  add_meaning: { from: settled, to: 'READ ONLY', legacy: 'UPDATING' },
  import_results: { from: settled, to: 'READ ONLY', legacy: 'UPDATING' },
  restore: { from: ['READY', 'PARTIAL INDEX', 'ERROR'], to: 'READ ONLY', legacy: 'UPDATING' },
  restored: { from: ['READ ONLY'], to: 'READY', legacy: 'READY' },
  // Part of the dataset's stored data is damaged. A reindex rebuilds the parts that can be rebuilt.
  damaged: { from: settled, to: 'PARTIAL INDEX', legacy: 'READY' },
  // The missing or damaged data that caused the error is available again.
  found_whole: { from: ['ERROR'], to: 'PARTIAL INDEX', legacy: 'READY' },
  fail: { from: any, to: 'ERROR', legacy: 'FATAL_ERROR' },
} as const satisfies Record<string, Transition>;

export type DatasetEvent = keyof typeof TRANSITIONS;

export function isAllowed(status: DatasetStatus, event: DatasetEvent): boolean {
  const transition: Transition = TRANSITIONS[event];
  return transition.from.includes(status);
}

/** Returns the status after an event. @throws AppError `conflict` if the status does not allow the event. */
export function nextStatus(
  status: DatasetStatus,
  event: DatasetEvent,
): { status_new: DatasetStatus; status: LegacyStatus } {
  const transition: Transition = TRANSITIONS[event];
  if (!isAllowed(status, event)) {
    throw new AppError(
      'conflict',
      message('dataset_in_other_status', { status, needed: transition.from.join(' or ') }),
    );
  }
  return { status_new: transition.to, status: transition.legacy };
}
