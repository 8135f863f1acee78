import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Asks before a dataset is deleted permanently. */
export function DeleteDialog({ dataset, onClose }: { dataset: Dataset; onClose(): void }) {
  const { t } = useTranslation();
  const refresh = useRefresh('list_datasets', 'list_tasks');
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api.delete_dataset({ dataset_id: dataset.id }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('inventory.deleteTitle', { name: dataset.display_name })}
      confirm={t('inventory.deleteConfirm')}
      busy={remove.isPending}
      error={remove.error?.detail}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('inventory.deleteText')}</p>
      <p>{t('inventory.deleteOriginals')}</p>
    </ConfirmDialog>
  );
}
