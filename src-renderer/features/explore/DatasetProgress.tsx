import { CircleAlert, CircleStop, FilePlus2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { Button } from '../../components/Button.tsx';
import { Offered } from '../../components/Offered.tsx';
import { FileErrorsLink } from '../../components/ProblemLinks.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { stateOf } from '../../lib/datasets.ts';
import { navigate } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { routes } from '../../lib/routes.ts';
import { useTaskActions } from '../../lib/task-actions.ts';
import { isLive, useLatestTask } from '../../lib/tasks.ts';
import { Arrivals } from './Arrivals.tsx';
import styles from './DatasetProgress.module.css';
import { DeleteCopy } from './DeleteCopy.tsx';
import { LiveProgress } from './LiveProgress.tsx';

/** A dataset that cannot be explored yet: busy, waiting for files, stopped or failed, with actions. */
export function DatasetProgress({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const task = useLatestTask(dataset.id);
  const { retry } = useTaskActions();
  const open = useNewDatasetRequest((state) => state.open);
  const state = stateOf(dataset);
  const aborted = state === 'stopped';

  if (state === 'failed' || aborted) {
    const failed = dataset.source_dataset_id === null ? 'failedTitle' : 'failedEnriching';
    const title = aborted ? t('progressPage.abortedTitle') : t(`progressPage.${failed}`);
    const reason = messageText(dataset.failure ?? task?.failure);
    return (
      <StateMessage
        tone={aborted ? 'plain' : 'bad'}
        testId={aborted ? 'dataset-aborted' : 'dataset-failed'}
        icon={aborted ? <CircleStop size={24} strokeWidth={1.5} /> : <CircleAlert size={24} strokeWidth={1.5} />}
        title={title}
        text={aborted ? t('progressPage.abortedText') : reason}
        actions={
          <Offered operation="retry_task" datasetId={dataset.id}>
            {task !== undefined && (
              <Button
                kind="primary"
                disabled={retry.isPending}
                onClick={() => retry.mutate(task.task_id)}
                data-testid="retry-task"
              >
                {t('progressPage.retry')}
              </Button>
            )}
            {dataset.source_dataset_id !== null && (
              <AfterFailedCopy copy={dataset} sourceId={dataset.source_dataset_id} />
            )}
          </Offered>
        }
      >
        {retry.error !== null && <p role="alert">{retry.error.detail}</p>}
        <FileErrorsLink dataset={dataset} />
      </StateMessage>
    );
  }
  if (state === 'draft' || state === 'uploading') {
    const left = state === 'uploading';
    return (
      <StateMessage
        testId="dataset-draft"
        icon={<FilePlus2 size={24} strokeWidth={1.5} />}
        title={left ? t('progressPage.uploadingTitle') : t('progressPage.draftTitle')}
        text={left ? t('progressPage.uploadingText') : t('progressPage.draftText')}
        actions={
          <Offered operation="upload_files" datasetId={dataset.id}>
            <Button
              kind="primary"
              onClick={() => open({ kind: 'resume', datasetId: dataset.id, name: dataset.display_name, files: [] })}
            >
              {t('progressPage.addFiles')}
            </Button>
          </Offered>
        }
      />
    );
  }
  return (
    <div className={styles.work}>
      <LiveProgress dataset={dataset} task={task !== undefined && isLive(task) ? task : undefined} />
      <Arrivals datasetId={dataset.id} />
    </div>
  );
}

/** A failed enrichment can be replaced by one with other models. */
function AfterFailedCopy({ copy, sourceId }: { copy: Dataset; sourceId: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Button onClick={() => navigate(routes.enrich(sourceId))}>{t('progressPage.enrichAgain')}</Button>
      <DeleteCopy copy={copy} failed />
    </>
  );
}
