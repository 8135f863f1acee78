import { useMutation } from '@tanstack/react-query';
import { create } from 'zustand';
import type { ExportTask } from '../../../src-main/contract/schemas/export.ts';
import { type ApiInput, api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { queryOf } from '../../lib/explore-source.ts';
import type { ExportScopes } from '../../lib/export-request.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

const LIVE_POLL_MS = 1000;
const IDLE_POLL_MS = 30_000;

export type Scope = 'all' | 'found' | 'chosen';
export type ExportOptions = Pick<
  ApiInput<'export_dataset_async'>,
  'export_format' | 'include_images' | 'file_name' | 'split' | 'seed'
>;

export function isUnderWay({ status }: ExportTask): boolean {
  return status === 'INIT' || status === 'IN_PROGRESS';
}

/** The exports of a dataset, polled every second while one is running. */
export function useExports(datasetId: string): readonly ExportTask[] | undefined {
  const { data } = useOperation(
    'list_exports',
    { dataset_id: datasetId },
    { refetchInterval: ({ state }) => (state.data?.exports.some(isUnderWay) ? LIVE_POLL_MS : IDLE_POLL_MS) },
  );
  return data?.exports;
}

interface StartedExports {
  started: readonly { id: string; datasetId: string }[];
  follow(id: string, datasetId: string): void;
  forget(id: string): void;
}

/** Exports that were started in this window and are not finished. */
export const useStartedExports = create<StartedExports>()((set) => ({
  started: [],
  follow: (id, datasetId) => set(({ started }) => ({ started: [...started, { id, datasetId }] })),
  forget: (id) => set(({ started }) => ({ started: started.filter((one) => one.id !== id) })),
}));

/** Starts an export of one of the scopes. */
export function useStartExport(datasetId: string, { found, chosen }: ExportScopes) {
  const refresh = useRefresh('list_exports', 'list_tasks');
  return useMutation<ExportTask, ApiError, { scope: Scope; options: ExportOptions }>({
    mutationFn: ({ scope, options }) => {
      const input = { dataset_id: datasetId, ...options };
      if (scope === 'chosen' && chosen) {
        return api.export_entities_async({ ...input, media_selection: [...chosen.selection] });
      }
      if (scope !== 'found' || !found) return api.export_dataset_async(input);
      const payload = queryOf(found.place);
      return api.export_entities_async({ ...input, media_selection: [{ type: 'query', payload }] });
    },
    onSuccess: ({ id }) => {
      useStartedExports.getState().follow(id, datasetId);
      refresh();
    },
  });
}
