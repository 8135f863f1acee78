import { useTranslation } from 'react-i18next';
import type { BackedUpDataset, Backup } from '../../../src-main/contract/schemas/backup.ts';
import { Button } from '../../components/Button.tsx';
import { formatBytes, formatDateTime } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import styles from './RecoveryPage.module.css';
import { useBackupActions } from './use-backup-actions.ts';

/** A backup. Expanded, it lists its datasets, each of which can be restored. */
export function BackupRow({ backup }: { backup: Backup }) {
  const { t } = useTranslation();
  const { backup_id, created_at, datasets, bytes, new_bytes } = backup;
  return (
    <li className={styles.backup}>
      <details>
        <summary className={styles.summary} data-testid="backup-row">
          <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          <span className={styles.facts}>
            <span>{t('common.datasets', { count: datasets.length })}</span>
            <span>{formatBytes(bytes)}</span>
            <span>{t('backup.new', { size: formatBytes(new_bytes) })}</span>
          </span>
        </summary>
        <ul className={styles.events}>
          {datasets.map((dataset) => (
            <DatasetRow key={dataset.dataset_id} backupId={backup_id} dataset={dataset} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function DatasetRow({ backupId, dataset }: { backupId: string; dataset: BackedUpDataset }) {
  const { t } = useTranslation();
  const { restore } = useBackupActions();
  const { dataset_id, name, n_images, problem } = dataset;
  const failure = restore.error?.detail ?? problem;
  return (
    <li className={styles.event}>
      <span className={styles.what}>
        <strong>{name}</strong> {t('common.images', { count: n_images })}
        {failure !== null && (
          <span className={styles.problem} role={restore.error ? 'alert' : undefined}>
            {failure}
          </span>
        )}
      </span>
      {restore.data ? (
        <a className={styles.link} href={useHashPath.hrefs(routes.explore(restore.data.dataset_id))}>
          {t('backup.open')}
        </a>
      ) : (
        <Button
          disabled={restore.isPending}
          aria-label={t('backup.restoreNamed', { name })}
          onClick={() => restore.mutate({ backup_id: backupId, dataset_id })}
        >
          {t('backup.restore')}
        </Button>
      )}
    </li>
  );
}
