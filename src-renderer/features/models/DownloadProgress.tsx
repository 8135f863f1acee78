import { useTranslation } from 'react-i18next';
import type { ModelPackage } from '../../../src-main/contract/schemas/model.ts';
import { ProgressBar } from '../../components/Progress.tsx';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import styles from './DownloadProgress.module.css';

/** Progress, rate and remaining time of a download. Unknown values are left out. */
export function DownloadProgress({ files }: { files: ModelPackage }) {
  const { t } = useTranslation();
  const { size_bytes, received_bytes, bytes_per_s } = files;
  const percent = size_bytes === null ? null : Math.min(100, Math.floor((received_bytes / size_bytes) * 100));
  const moving = bytes_per_s !== null && bytes_per_s > 0;
  const leftS = size_bytes !== null && moving ? (size_bytes - received_bytes) / bytes_per_s : null;
  const facts = [
    percent === null ? null : `${percent}%`,
    received_bytes === 0
      ? t('models.starting')
      : size_bytes === null
        ? t('models.receivedSome', { done: formatBytes(received_bytes) })
        : t('models.received', { done: formatBytes(received_bytes), total: formatBytes(size_bytes) }),
    moving ? t('models.bytesRate', { rate: formatBytes(bytes_per_s) }) : null,
    leftS === null ? null : t('progress.left', { time: formatDuration(Math.max(1, leftS)) }),
  ].filter((fact) => fact !== null);
  return (
    <div className={styles.progress} data-testid="download-progress">
      <ProgressBar percent={percent} label={t('models.downloading', { name: files.name })} />
      <p className={styles.facts}>{facts.join(' · ')}</p>
    </div>
  );
}
