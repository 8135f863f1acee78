import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { DatasetStatus } from '../../../src-main/contract/schemas/dataset.ts';
import { type DatasetEvent, nextStatus, TRANSITIONS } from '../../../src-main/core/datasets/dataset-status.ts';

const STATUSES: DatasetStatus[] = ['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR'];

/** Next status for each event and each status, in the order of STATUSES; `-` means refused. Interface section 3. */
const TABLE: Record<DatasetEvent, string> = {
  files_uploaded: 'DRAFT - - - - -',
  process_files: 'INDEXING - - - - -',
  retry: '- - - - - INDEXING',
  indexed: '- READY - - - -',
  add_media: '- - - READ_ONLY READ_ONLY -',
  add_meaning: '- - - READ_ONLY READ_ONLY -',
  import_results: '- - - READ_ONLY READ_ONLY -',
  media_added: '- PARTIAL_INDEX PARTIAL_INDEX - - -',
  media_added_and_indexed: '- READY - - - -',
  back_to_ready: '- READY READY - - -',
  back_to_partial: '- PARTIAL_INDEX PARTIAL_INDEX - - -',
  reindex: '- - - READ_ONLY - -',
  reindexing: '- - INDEXING - - -',
  enrich: '- - - - READ_ONLY -',
  enriched: '- - READY - - -',
  restore: '- - - READ_ONLY READ_ONLY READ_ONLY',
  restored: '- - READY - - -',
  damaged: '- - - PARTIAL_INDEX PARTIAL_INDEX -',
  found_whole: '- - - - - PARTIAL_INDEX',
  fail: 'ERROR ERROR ERROR ERROR ERROR ERROR',
};

const cases = (Object.keys(TRANSITIONS) as DatasetEvent[]).flatMap((event) =>
  STATUSES.map((status, at) => ({ event, status, to: TABLE[event].split(' ')[at]?.replace('_', ' ') ?? '-' })),
);

describe('the status of a dataset', () => {
  it.each(cases)('$status on $event: $to', ({ event, status, to }) => {
    if (to === '-') expect(() => nextStatus(status, event)).toThrow(AppError);
    else expect(nextStatus(status, event).status_new).toBe(to);
  });

  it('has READY in the legacy field whenever it is READY', () => {
    for (const { to, legacy } of Object.values(TRANSITIONS)) if (to === 'READY') expect(legacy).toBe('READY');
  });
});
