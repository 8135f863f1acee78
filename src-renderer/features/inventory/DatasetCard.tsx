import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Mosaic } from '../../components/Mosaic.tsx';
import { ProgressBar, ProgressFacts, useStepName } from '../../components/Progress.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { countsOf } from '../../lib/dataset-counts.ts';
import { isChanging, isSourceOfWork, stateOf } from '../../lib/datasets.ts';
import { formatBytes, formatDate, formatDateTime } from '../../lib/format.ts';
import { navigate, useHashPath } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { routes } from '../../lib/routes.ts';
import { isLive } from '../../lib/tasks.ts';
import styles from './DatasetCard.module.css';
import { DatasetMenu } from './DatasetMenu.tsx';

interface DatasetCardProps {
  dataset: Dataset;
  task: Task | undefined;
  /** Which date is shown; both are in the tooltip. */
  date: 'created_at' | 'updated_at';
}

/** One dataset: four of its images, name, and counts, progress or failure. */
export function DatasetCard({ dataset, task, date }: DatasetCardProps) {
  const { t } = useTranslation();
  const dates = [
    t('inventory.created', { when: formatDateTime(dataset.created_at) }),
    t('inventory.changed', { when: formatDateTime(dataset.updated_at) }),
  ].join('\n');
  const address = routes.explore(dataset.id);
  const live = task !== undefined && isLive(task) ? task : undefined;
  return (
    <article className={styles.card} data-testid="dataset-card" data-dataset-id={dataset.id}>
      {/* The link below is the accessible control. A click on the image does the same for the mouse. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div className={styles.image} onClick={() => navigate(address)}>
        {dataset.preview_uris.length > 0 ? <Mosaic uris={dataset.preview_uris} lazy /> : <EmptyMosaic />}
      </div>
      <div className={styles.line}>
        <a className={styles.name} href={useHashPath.hrefs(address)} title={dataset.display_name}>
          {dataset.display_name}
        </a>
        <DatasetMenu dataset={dataset} />
      </div>
      {live !== undefined || isWorking(dataset) ? (
        <LiveLine dataset={dataset} task={live} />
      ) : (
        <>
          <div className={styles.facts}>
            <Counts dataset={dataset} />
          </div>
          <div className={styles.details}>
            <StatusBadge state={stateOf(dataset)} />
            <time dateTime={dataset[date]} title={dates}>
              {formatDate(dataset[date])}
            </time>
            {dataset.disk_bytes !== null && (
              <span className={styles.size} title={t('inventory.onDiskHint')} data-testid="dataset-size">
                {formatBytes(dataset.disk_bytes)}
              </span>
            )}
          </div>
        </>
      )}
    </article>
  );
}

/** No progress for an upload, which may be abandoned (only its own window knows), nor for the source of a copy, which has its own card. */
function isWorking(dataset: Dataset): boolean {
  return isChanging(dataset) && stateOf(dataset) !== 'uploading' && !isSourceOfWork(dataset);
}

function Counts({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  if (stateOf(dataset) === 'failed') {
    return (
      <span className={styles.reason} title={messageText(dataset.failure)}>
        {messageText(dataset.failure)}
      </span>
    );
  }
  const counts = countsOf(dataset, t).join(' · ');
  return (
    <span className={styles.counts} title={counts}>
      {counts}
    </span>
  );
}

function LiveLine({ dataset, task }: { dataset: Dataset; task: Task | undefined }) {
  const { t } = useTranslation();
  const step = useStepName(task);
  const percent = task?.progress_percentage ?? dataset.progress;
  return (
    <div className={styles.live}>
      <div className={styles.facts}>
        <StatusBadge state={stateOf(dataset)} />
        <span>{percent}%</span>
        <span className={styles.step}>{task === undefined ? '' : step}</span>
      </div>
      <ProgressBar percent={percent} label={t('common.working')} />
      <div className={styles.rate}>{task !== undefined && <ProgressFacts task={task} />}</div>
    </div>
  );
}

function EmptyMosaic() {
  return (
    <div className={styles.empty} aria-hidden="true">
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}
