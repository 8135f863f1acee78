import type { QueryClient } from '@tanstack/react-query';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';
import type { AppEvent, AppEventName } from '../../src-main/contract/events.ts';
import type { Account } from '../../src-main/contract/schemas/account.ts';
import { useDeletedDatasets } from './deleted-datasets.ts';
import type { Transport } from './transport.ts';
import type { OperationKey } from './use-operation.ts';

/** Operations that each event makes stale. Those with a dataset in their input are matched by the event's dataset. */
const STALE: Record<AppEventName, readonly CallableOperationId[]> = {
  dataset_changed: [
    'get_recovery',
    'list_datasets',
    'get_dataset',
    'explore',
    'find_similar',
    'get_cluster',
    'list_items',
    'list_arrivals',
    'list_duplicates',
    'list_review_entries',
    'get_facets',
    'get_scatter',
    'get_label_groups',
    'get_agreement',
    'get_map',
    'list_map_items',
    'get_levels',
    'list_tags',
    'list_file_errors',
    'list_annotation_problems',
    'get_dataset_stats',
    'get_user_config',
    'get_exploration_metadata',
    'get_dataset_image',
    'list_batches',
    'get_custom_metadata_schema',
    'get_image_custom_metadata',
    'list_shares',
    'list_snapshots',
    'list_snapshot_changes',
    'list_watched_folders',
    'list_sources',
    'get_enrichment_context',
    'list_models',
  ],
  dataset_deleted: ['list_datasets', 'list_tasks', 'get_dataset'],
  task_changed: [
    'list_tasks',
    'get_task_pause',
    'list_exports',
    'get_custom_metadata_schema',
    'get_check',
    'list_arrivals',
  ],
  models_changed: ['list_packages', 'list_models', 'list_encoders', 'get_recommendation'],
  teamwork_changed: ['list_comments', 'list_assignments'],
  views_changed: ['list_views', 'get_view_trend'],
  settings_changed: [
    'get_account',
    'list_settings',
    'get_model_settings',
    'get_recommendation',
    'list_devices',
    'list_encoders',
    'get_user_config',
  ],
  notifications_changed: ['list_notifications', 'count_unread_notifications', 'get_recovery'],
  access_changed: [
    'get_account',
    'list_users',
    'list_datasets',
    'get_dataset',
    'list_tasks',
    'list_workspaces',
    'list_members',
    'get_settings_access',
  ],
  sessions_ended: ['get_account', 'list_account_sessions', 'list_api_credentials'],
};

const ACCOUNT: OperationKey<'get_account'> = ['get_account', {}];

/** Events come in bursts during indexing. One refetch per burst is enough. */
const BURST_MS = 400;
/**
 * Edits of other people wait longer, and by chance up to twice as long: otherwise the screens of fifty people would all be read again at the
 * same moment, at each edit.
 */
const EDITS_OF_OTHERS_MS = 5000;

/**
 * Invalidates cached answers on events.
 * @returns A promise that resolves when the event stream is open. Answers requested after that do not become stale unnoticed.
 */
export function invalidateOnEvents(client: QueryClient, transport: Transport): Promise<void> {
  const soon = new Map<string, AppEvent>();
  const later = new Map<string, AppEvent>();

  const flush = (pending: Map<string, AppEvent>) => {
    for (const [key, event] of pending) {
      later.delete(key);
      invalidate(client, event);
    }
    pending.clear();
  };
  const { opened } = transport.subscribe((event) => {
    if (event.name === 'dataset_deleted') useDeletedDatasets.getState().note(event.data.dataset_id);
    const canWait = isEditOfOther(event, client.getQueryData<Account>(ACCOUNT)?.user_id);
    const pending = canWait ? later : soon;
    if (pending.size === 0) setTimeout(flush, canWait ? EDITS_OF_OTHERS_MS * (1 + Math.random()) : BURST_MS, pending);
    pending.set(`${event.name} ${datasetOf(event.data)}`, event);
  });
  return opened;
}

function isEditOfOther({ name, data }: AppEvent, userId: string | undefined): boolean {
  return name === 'dataset_changed' && data.edited_by !== undefined && data.edited_by !== userId;
}

function invalidate(client: QueryClient, event: AppEvent): void {
  const stale: ReadonlySet<unknown> = new Set(STALE[event.name]);
  const changed = datasetOf(event.data);
  void client.invalidateQueries({
    predicate: ({ queryKey: [operation, input] }) => {
      if (!stale.has(operation)) return false;
      const datasetId = datasetOf(input);
      return datasetId === undefined || changed === undefined || datasetId === changed;
    },
  });
}

function datasetOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'dataset_id' in input ? input.dataset_id : undefined;
}
