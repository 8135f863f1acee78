import { useMutation } from '@tanstack/react-query';
import { CircleAlert, Layers, Sparkles, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Offered } from '../../components/Offered.tsx';
import { AnnotationProblemsLink } from '../../components/ProblemLinks.tsx';
import { ProgressFacts, useStepName } from '../../components/Progress.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useCopiesInWork } from '../../lib/copies-in-work.ts';
import { isChanging, isSourceOfWork, stateOf } from '../../lib/datasets.ts';
import { useHashPath } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes } from '../../lib/routes.ts';
import { isLive, useLatestTask } from '../../lib/tasks.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './DatasetStrip.module.css';

/** One line above the clusters: running work, new media that are not clustered, or a failure. Renders nothing otherwise. */
export function DatasetStrip({ dataset }: { dataset: Dataset }) {
  const task = useLatestTask(dataset.id);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (isSourceOfWork(dataset)) return <ReadOnly dataset={dataset} />;
  if (isChanging(dataset)) return <Working task={task !== undefined && isLive(task) ? task : undefined} />;
  return (
    <>
      {task?.status === 'FAILED' && dismissed !== task.task_id && (
        <Failed task={task} onDismiss={() => setDismissed(task.task_id)} />
      )}
      {stateOf(dataset) === 'pending' && <Ungrouped datasetId={dataset.id} />}
      <BadAnnotations datasetId={dataset.id} />
    </>
  );
}

export function Strip({ icon, testId, children }: { icon?: ReactNode; testId: string; children: ReactNode }) {
  return (
    <div className={styles.strip} role="status" data-testid={testId}>
      {icon}
      {children}
    </div>
  );
}

/** Why the dataset is read-only: a copy is being enriched. */
function ReadOnly({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const [copy] = useCopiesInWork(dataset.id);
  return (
    <Strip testId="dataset-read-only" icon={<Sparkles size={14} aria-hidden="true" />}>
      <span className={styles.main}>{t('strip.readOnly')}</span>
      {copy !== undefined && (
        <a className={styles.link} href={useHashPath.hrefs(routes.explore(copy.id))} data-testid="to-copy">
          {t('strip.toCopy', { name: copy.display_name, percent: copy.progress })}
        </a>
      )}
    </Strip>
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
  const onSettled = useRefresh('get_dataset', 'list_datasets', 'list_tasks');
  const { data: stats } = useOperation('get_dataset_stats', { dataset_id: datasetId });
  const count = stats?.n_ungrouped ?? 0;
  const group = useMutation<unknown, ApiError>({
    mutationFn: () => api.reindex({ dataset_id: datasetId }),
    onSettled,
  });
  return (
    <Strip testId="dataset-ungrouped" icon={<Layers size={14} aria-hidden="true" />}>
      <span className={styles.main}>{count === 0 ? t('strip.addedSome') : t('strip.added', { count })}</span>
      {group.error !== null && (
        <span className={styles.reason} role="alert" title={group.error.detail}>
          {group.error.detail}
        </span>
      )}
      <Offered operation="reindex" datasetId={datasetId}>
        <Button disabled={group.isPending} onClick={() => group.mutate()} data-testid="group-now">
          {group.isPending ? t('strip.starting') : t('strip.updateClusters')}
        </Button>
      </Offered>
    </Strip>
  );
}

/** Shown until it is dismissed, and again when there are more. */
function BadAnnotations({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { seenProblems, set } = usePreferences();
  const { data: stats } = useOperation('get_dataset_stats', { dataset_id: datasetId });
  const count = stats?.n_annotation_problems ?? 0;
  if (count <= (seenProblems[datasetId] ?? 0)) return null;
  return (
    <Strip testId="dataset-annotation-problems">
      <span className={styles.main}>
        <AnnotationProblemsLink datasetId={datasetId} />
      </span>
      <IconButton
        label={t('strip.dismiss')}
        icon={<X size={14} />}
        onClick={() => set({ seenProblems: { ...seenProblems, [datasetId]: count } })}
      />
    </Strip>
  );
}

function Failed({ task, onDismiss }: { task: Task; onDismiss(): void }) {
  const { t } = useTranslation();
  const name = t(`tasks.type.${task.task_type}`);
  const text =
    task.failure === null
      ? t('strip.failedNoReason', { task: name })
      : t('strip.failed', { task: name, reason: messageText(task.failure) });
  return (
    <Strip testId="dataset-task-failed" icon={<CircleAlert size={14} className={styles.bad} aria-hidden="true" />}>
      <span className={styles.main} title={text}>
        {text}
      </span>
      <IconButton label={t('strip.dismiss')} icon={<X size={14} />} onClick={onDismiss} />
    </Strip>
  );
}
