import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Asks before a dataset is duplicated. Its current state is saved as a snapshot, from which the copy is made. */
export function DuplicateDialog({ dataset, onClose }: { dataset: Dataset; onClose(): void }) {
  const { t } = useTranslation();
  const refresh = useRefresh('list_datasets', 'list_tasks');
  const duplicate = useMutation<unknown, ApiError>({
    mutationFn: async () => {
      const { snapshot_id } = await api.create_snapshot({ dataset_id: dataset.id });
      await api.clone_snapshot({ dataset_id: dataset.id, snapshot_id });
    },
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('inventory.duplicateTitle', { name: dataset.display_name })}
      confirm={t('inventory.duplicateConfirm')}
      kind="primary"
      busy={duplicate.isPending}
      error={duplicate.error?.detail}
      onConfirm={() => duplicate.mutate()}
      onClose={onClose}
    >
      <p>{t('inventory.duplicateText')}</p>
    </ConfirmDialog>
  );
}
