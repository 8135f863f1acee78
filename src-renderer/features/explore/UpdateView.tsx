import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useThreshold } from '../../lib/granularity.ts';
import type { Place } from '../../lib/routes.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { viewQueryOf } from '../../lib/view-place.ts';

/** Confirms that a view gets the current query. */
export function UpdateView({ view, place, onClose }: { view: View; place: Place; onClose(): void }) {
  const { t } = useTranslation();
  const threshold = useThreshold(view.dataset_id, place);
  const refresh = useRefresh('list_views', 'get_view_trend');
  const update = useMutation<View, ApiError>({
    mutationFn: () =>
      api.set_view_query({
        dataset_id: view.dataset_id,
        view_id: view.id,
        request: viewQueryOf(place, threshold),
      }),
    onSuccess: () => {
      onClose();
      return refresh();
    },
  });
  return (
    <ConfirmDialog
      title={t('views.updateTitle', { name: view.name })}
      confirm={t('views.updateConfirm')}
      kind="primary"
      busy={update.isPending}
      error={update.error?.detail}
      onConfirm={() => update.mutate()}
      onClose={onClose}
    >
      <p>{t('views.updateText')}</p>
    </ConfirmDialog>
  );
}
