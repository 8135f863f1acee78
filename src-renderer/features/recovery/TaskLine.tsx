import { CircleStop } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { ProgressBar, ProgressFacts, useStepName } from '../../components/Progress.tsx';
import { useTaskActions } from '../../lib/task-actions.ts';
import styles from './RecoveryPage.module.css';

/** Progress of a task with a Stop button. */
export function TaskLine({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { abort } = useTaskActions();
  const step = useStepName(task);
  return (
    <div className={styles.task} data-testid="task-line">
      <div className={styles.taskProgress}>
        <span>
          {step} <ProgressFacts task={task} />
        </span>
        <ProgressBar percent={task.progress_percentage} label={step} />
      </div>
      <IconButton
        label={t('tasks.abort')}
        icon={<CircleStop size={16} />}
        disabled={abort.isPending}
        onClick={() => abort.mutate(task.task_id)}
      />
    </div>
  );
}
