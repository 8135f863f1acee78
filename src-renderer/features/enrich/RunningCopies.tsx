import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { Button } from '../../components/Button.tsx';
import { ProgressBar, ProgressFacts, useStepName } from '../../components/Progress.tsx';
import { useCopiesInWork } from '../../lib/copies-in-work.ts';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { isLive, useLatestTask } from '../../lib/tasks.ts';
import styles from './RunningCopies.module.css';

/** Copies of a dataset that are being enriched. */
export function RunningCopies({ datasetId }: { datasetId: string }) {
  return useCopiesInWork(datasetId).map((copy) => <RunningCopy key={copy.id} copy={copy} />);
}

function RunningCopy({ copy }: { copy: Dataset }) {
  const { t } = useTranslation();
  const latest = useLatestTask(copy.id);
  const task = latest !== undefined && isLive(latest) ? latest : undefined;
  const step = useStepName(task);
  const percent = task?.progress_percentage ?? (copy.progress > 0 ? copy.progress : null);
  return (
    <section className={styles.copy} data-testid="running-copy">
      <div className={styles.head}>
        <h2>{t('enrich.runningNamed', { name: copy.display_name })}</h2>
        <Button onClick={() => navigate(routes.explore(copy.id))}>{t('enrich.openCopy')}</Button>
      </div>
      <ProgressBar percent={percent} label={step} />
      <p className={styles.facts}>
        <span>{step}</span>
        {percent !== null && <span>{percent}%</span>}
        {task !== undefined && <ProgressFacts task={task} />}
      </p>
    </section>
  );
}
