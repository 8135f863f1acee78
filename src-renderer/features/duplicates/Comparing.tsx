import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Offered } from '../../components/Offered.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useLiveTasks } from '../../lib/tasks.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './DuplicatesPage.module.css';

/** Progress of the comparison while it is incomplete, and a button that continues it. */
export function Comparing({ datasetId, done, total }: { datasetId: string; done: number; total: number }) {
  const { t } = useTranslation();
  const onSettled = useRefresh('list_tasks', 'list_duplicates');
  const isRunning = useLiveTasks().some(
    (task) => task.task_type === 'DUPLICATE_DETECTION' && task.dataset_id === datasetId,
  );
  const find = useMutation<unknown, ApiError>({
    mutationFn: () => api.find_duplicates({ dataset_id: datasetId }),
    onSettled,
  });
  if (done >= total) return null;
  return (
    <p className={styles.done} role="status" data-testid="comparing">
      {find.error?.detail ?? t('duplicates.comparing', { done, total })}
      <Offered operation="find_duplicates" datasetId={datasetId}>
        <Button disabled={isRunning || find.isPending} onClick={() => find.mutate()} data-testid="find-duplicates">
          {isRunning ? t('duplicates.finding') : t('duplicates.find')}
        </Button>
      </Offered>
    </p>
  );
}
