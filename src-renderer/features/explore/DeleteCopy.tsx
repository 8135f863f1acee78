import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { useMay } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useDatasets } from '../../lib/datasets.ts';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Stops an enrichment or discards a failed one by deleting its copy, then opens the source. */
export function DeleteCopy({ copy, failed = false }: { copy: Dataset; failed?: boolean }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const may = useMay();
  const { data: datasets = [] } = useDatasets();
  const source = datasets.find((dataset) => dataset.id === copy.source_dataset_id);
  const refresh = useRefresh('list_datasets', 'list_tasks');
  const stop = useMutation<unknown, ApiError>({
    mutationFn: () => api.delete_dataset({ dataset_id: copy.id }),
    onSuccess: async () => {
      navigate(source === undefined ? routes.inventory() : routes.explore(source.id), { replace: true });
      await refresh();
    },
  });
  if (!may('delete_dataset', copy)) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)} data-testid="stop-enriching">
        {failed ? t('progressPage.deleteConfirm') : t('progressPage.abort')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={failed ? t('progressPage.deleteTitle') : t('progressPage.stopTitle')}
          confirm={failed ? t('progressPage.deleteConfirm') : t('progressPage.stopConfirm')}
          busy={stop.isPending}
          error={stop.error?.detail}
          onConfirm={() => stop.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('progressPage.stopText', { name: copy.display_name })}</p>
          <p>
            {source === undefined
              ? t('progressPage.stopSourceUnnamed')
              : t('progressPage.stopSource', { source: source.display_name })}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
