import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { Offered } from '../../components/Offered.tsx';
import { FileErrorsLink } from '../../components/ProblemLinks.tsx';
import { ProgressBar, ProgressFacts, useStepName } from '../../components/Progress.tsx';
import { stateOf } from '../../lib/datasets.ts';
import { formatDuration } from '../../lib/format.ts';
import { useTaskActions } from '../../lib/task-actions.ts';
import { useNow } from '../../lib/use-now.ts';
import { DeleteCopy } from './DeleteCopy.tsx';
import styles from './LiveProgress.module.css';

/** A busy dataset: stage, progress, rate, remaining time, and a Stop button. */
export function LiveProgress({ dataset, task }: { dataset: Dataset; task: Task | undefined }) {
  const { t } = useTranslation();
  const step = useStepName(task);
  const enriching = stateOf(dataset) === 'enriching';
  const percent = task?.progress_percentage ?? dataset.progress;
  return (
    <section className={styles.progress} data-testid="dataset-progress" aria-label={t(`state.${stateOf(dataset)}`)}>
      <div className={styles.head}>
        <h2>{enriching ? t('progressPage.enriching') : step}</h2>
        <span className={styles.percent}>{percent}%</span>
      </div>
      <ProgressBar percent={percent} label={step} />
      <div className={styles.facts}>
        {enriching && <span>{step}</span>}
        {task !== undefined && <ProgressFacts task={task} />}
        {task !== undefined && <Elapsed startTime={task.start_time} />}
      </div>
      <div className={styles.foot}>
        <p>{t('progressPage.continues')}</p>
        {task?.task_type === 'DATASET_CREATION' && (
          <Offered operation="abort_task" datasetId={dataset.id}>
            <StopButton taskId={task.task_id} />
          </Offered>
        )}
        {enriching && <DeleteCopy copy={dataset} />}
      </div>
      <FileErrorsLink dataset={dataset} />
    </section>
  );
}

function Elapsed({ startTime }: { startTime: string }) {
  const { t } = useTranslation();
  const seconds = (useNow(true) - new Date(startTime).getTime()) / 1000;
  return <span>{t('progressPage.elapsed', { time: formatDuration(seconds) })}</span>;
}

function StopButton({ taskId }: { taskId: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const { abort } = useTaskActions();
  return (
    <>
      <Button onClick={() => setAsking(true)} data-testid="abort-task">
        {t('progressPage.abort')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('progressPage.abortTitle')}
          confirm={t('progressPage.abortConfirm')}
          busy={abort.isPending}
          error={abort.error?.detail}
          onConfirm={() => abort.mutate(taskId, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>{t('progressPage.abortText')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
