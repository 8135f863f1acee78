import { useTranslation } from 'react-i18next';
import { formatBytes } from '../lib/format.ts';
import { ProgressBar } from './Progress.tsx';
import styles from './UploadStatus.module.css';

interface UploadStatusProps {
  /** Name of the upload, such as its archive. */
  text: string;
  bytesDone: number;
  bytesTotal: number;
}

/** Progress of an upload in bytes sent. */
export function UploadStatus({ text, bytesDone, bytesTotal }: UploadStatusProps) {
  const { t } = useTranslation();
  const percent = bytesTotal === 0 ? null : Math.min(100, Math.floor((100 * bytesDone) / bytesTotal));
  return (
    <div className={styles.upload} data-testid="upload-progress">
      <p className={styles.head}>{text}</p>
      <ProgressBar percent={percent} label={t('source.uploadProgress')} />
      <p className={styles.bytes}>
        {percent === 100
          ? t('source.received')
          : t('source.uploadedBytes', { done: formatBytes(bytesDone), total: formatBytes(bytesTotal) })}
      </p>
    </div>
  );
}
