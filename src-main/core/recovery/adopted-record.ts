import { message, storeMessage } from '../../contract/messages.ts';
import type { DatasetRecord, GenerationFacts } from '../ports/dataset-folders.ts';

/** Creates a record from a dataset's own database, which contains all data except the dataset's name and settings. */
export function recordOfFacts(
  datasetId: string,
  facts: GenerationFacts,
  owner: { user_id: string; email: string; name: string },
  now: string,
): DatasetRecord {
  const { generation, is_indexed, media_folders, id_prefixes, created_at, ...counted } = facts;
  return {
    format: 1,
    dataset_id: datasetId,
    revision: 1,
    owner,
    dataset: {
      dataset_id: datasetId,
      display_name: `Recovered dataset ${datasetId.slice(0, 8)}`,
      description: '',
      source_dataset_id: null,
      // Without an index the dataset must be created again.
      ...(is_indexed
        ? { status_new: 'PARTIAL INDEX', status: 'READY', fatal_error_msg: null }
        : {
            status_new: 'ERROR',
            status: 'FATAL_ERROR',
            fatal_error_msg: storeMessage(message('record_lost')),
          }),
      progress: is_indexed ? 100 : 0,
      ...counted,
      generation,
      preview_media_ids: '[]',
      created_at: created_at ?? now,
      updated_at: now,
    },
    rows: {
      id_prefix: id_prefixes.map((prefix) => ({ prefix, dataset_id: datasetId })),
      media_folder: media_folders.map((batchId) => ({ batch_id: batchId, dataset_id: datasetId })),
    },
  };
}
