import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EnrichmentPreview } from '../../../src-main/contract/schemas/model.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { usePreviewStore } from './preview.store.ts';

/**
 * Previews models, given by type, on a few images. A running preview is dropped when another starts or the page closes.
 * @param onTried Called with the ids of models that were previewed for the first time.
 */
export function usePreview(
  datasetId: string,
  onTried: (fresh: readonly string[]) => void,
): UseMutationResult<EnrichmentPreview, ApiError, Record<string, string>> & { stop(): void } {
  const add = usePreviewStore((store) => store.add);
  const tried = usePreviewStore((store) => store.of[datasetId]?.outputs);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation<EnrichmentPreview, ApiError, Record<string, string>>({
    mutationFn: (enrichmentModels) => {
      running.current?.abort();
      running.current = new AbortController();
      return api.preview_enrichment(
        { dataset_id: datasetId, enrichment_models: enrichmentModels },
        { signal: running.current.signal },
      );
    },
    onSuccess: (preview, requested) => {
      add(datasetId, preview);
      onTried(Object.values(requested).filter((id) => tried?.has(id) !== true));
    },
  });
  const stop = () => {
    running.current?.abort();
    mutation.reset();
  };
  return { ...mutation, stop };
}
