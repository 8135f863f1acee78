import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Layers, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { ProgressFacts, useStepName } from '../../components/Progress.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { isChanging, stateOf } from '../../lib/datasets.ts';
import { isLive, useLatestTask } from '../../lib/tasks.ts';
import styles from './DatasetStrip.module.css';
import { useUngrouped } from './use-ungrouped.ts';

/** One quiet line above the clusters: the work that goes on, what waits to be grouped, or what failed. Nothing when all is settled. */
export function DatasetStrip({ dataset }: { dataset: Dataset }) {
  const task = useLatestTask(dataset.id);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (isChanging(dataset)) return <Working task={task !== undefined && isLive(task) ? task : undefined} />;
  return (
    <>
      {task?.status === 'FAILED' && dismissed !== task.task_id && (
        <Failed task={task} onDismiss={() => setDismissed(task.task_id)} />
      )}
      {stateOf(dataset) === 'pending' && <Ungrouped datasetId={dataset.id} />}
    </>
  );
}

function Strip({ icon, testId, children }: { icon?: ReactNode; testId: string; children: ReactNode }) {
  return (
    <div className={styles.strip} role="status" data-testid={testId}>
      {icon}
      {children}
    </div>
  );
}

function Working({ task }: { task: Task | undefined }) {
  const { t } = useTranslation();
  const step = useStepName(task);
  return (
    <Strip testId="dataset-working">
      <span className={styles.main}>
        {task !== undefined && <span className={styles.name}>{t(`tasks.type.${task.task_type}`)}</span>}
        <span className={styles.step}>{step}</span>
      </span>
      {task?.progress_percentage != null && <span className={styles.percent}>{task.progress_percentage}%</span>}
      {task !== undefined && (
        <span className={styles.facts}>
          <ProgressFacts task={task} />
        </span>
      )}
    </Strip>
  );
}

function Ungrouped({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const count = useUngrouped(datasetId);
  const group = useMutation<unknown, ApiError>({
    mutationFn: () => api.reindex({ dataset_id: datasetId }),
    onSettled: () =>
      Promise.all(
        ['get_dataset', 'list_datasets', 'list_tasks'].map((operation) =>
          client.invalidateQueries({ queryKey: [operation] }),
        ),
      ),
  });
  return (
    <Strip testId="dataset-ungrouped" icon={<Layers size={14} aria-hidden="true" />}>
      <span className={styles.main}>{count === undefined ? t('strip.addedSome') : t('strip.added', { count })}</span>
      {group.error !== null && (
        <span className={styles.reason} role="alert" title={group.error.detail}>
          {group.error.detail}
        </span>
      )}
      <Button disabled={group.isPending} onClick={() => group.mutate()} data-testid="group-now">
        {group.isPending ? t('strip.grouping') : t('strip.groupNow')}
      </Button>
    </Strip>
  );
}

function Failed({ task, onDismiss }: { task: Task; onDismiss(): void }) {
  const { t } = useTranslation();
  const name = t(`tasks.type.${task.task_type}`);
  const text =
    task.error_message === null
      ? t('strip.failedNoReason', { task: name })
      : t('strip.failed', { task: name, reason: task.error_message });
  return (
    <Strip testId="dataset-task-failed" icon={<CircleAlert size={14} className={styles.bad} aria-hidden="true" />}>
      <span className={styles.main} title={text}>
        {text}
      </span>
      <IconButton label={t('strip.dismiss')} icon={<X size={14} />} onClick={onDismiss} />
    </Strip>
  );
}
