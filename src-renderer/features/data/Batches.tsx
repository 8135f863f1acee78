import { useTranslation } from 'react-i18next';
import type { Result } from '../../../src-main/contract/contract.ts';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import table from '../../components/Table.module.css';
import { isChanging } from '../../lib/datasets.ts';
import { formatAgo, formatCount, formatDateTime } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './DataPage.module.css';

const LIVE_POLL_MS = 1500;
const IDLE_POLL_MS = 15_000;

type Batch = Result<'list_batches'>['batches'][number];

/** All batches, newest first. Counts grow while a batch is imported. */
export function Batches({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const { data, error } = useOperation(
    'list_batches',
    { dataset_id: dataset.id },
    { refetchInterval: isChanging(dataset) ? LIVE_POLL_MS : IDLE_POLL_MS },
  );
  return (
    <Section title={t('data.batches')} text={t('data.batchesText')} error={error}>
      {data === undefined ? (
        error === null && <Skeleton style={{ height: 80 }} />
      ) : data.batches.length === 0 ? (
        <p className={rows.none}>{t('data.noBatches')}</p>
      ) : (
        <table className={`${table.table} ${table.section} ${styles.table}`}>
          <thead>
            <tr>
              <th>{t('data.kind')}</th>
              <th className={styles.middle}>{t('data.when')}</th>
              <th className={styles.number}>{t('data.files')}</th>
              <th className={`${styles.number} ${styles.done}`}>{t('data.done')}</th>
              <th className={styles.number}>{t('data.failed')}</th>
            </tr>
          </thead>
          <tbody>
            {data.batches.map((batch) => (
              <BatchRow key={batch.batch_id} batch={batch} datasetId={dataset.id} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function BatchRow({ batch, datasetId }: { batch: Batch; datasetId: string }) {
  const { t } = useTranslation();
  return (
    <tr data-testid="batch-row" data-kind={batch.kind}>
      <td>{t(`data.kinds.${batch.kind}`)}</td>
      <td className={`${styles.middle} ${rows.quiet}`} title={formatDateTime(batch.created_at)}>
        {formatAgo(batch.created_at, Date.now())}
      </td>
      <td className={styles.number}>{formatCount(batch.n_files)}</td>
      <td className={`${styles.number} ${styles.done}`}>{formatCount(batch.n_done)}</td>
      <td className={styles.number}>
        {batch.n_failed === 0 ? (
          <span className={rows.quiet}>0</span>
        ) : (
          <a
            className={`${table.link} ${styles.link}`}
            href={useHashPath.hrefs(routes.fileErrors(datasetId))}
            aria-label={t('data.seeFailed', { count: batch.n_failed })}
            title={t('data.seeFailed', { count: batch.n_failed })}
          >
            {formatCount(batch.n_failed)}
          </a>
        )}
      </td>
    </tr>
  );
}
