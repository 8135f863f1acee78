import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../../components/Progress.tsx';
import { formatBytes, formatCount } from '../../lib/format.ts';
import type { UploadProgress } from '../../lib/upload.ts';
import styles from './UploadStatus.module.css';

/** How far an upload is, in files and bytes that the server has taken. */
export function UploadStatus({ progress }: { progress: UploadProgress }) {
  const { t } = useTranslation();
  const percent = progress.bytesTotal === 0 ? null : Math.floor((100 * progress.bytesDone) / progress.bytesTotal);
  return (
    <div className={styles.upload} data-testid="upload-progress">
      <p className={styles.head}>
        {t('newDataset.uploading', {
          done: formatCount(progress.filesDone),
          total: t('common.files', { count: progress.filesTotal }),
        })}
      </p>
      <ProgressBar percent={percent} label={t('newDataset.uploadProgress')} />
      <p className={styles.bytes}>
        {t('newDataset.uploadedBytes', {
          done: formatBytes(progress.bytesDone),
          total: formatBytes(progress.bytesTotal),
        })}
      </p>
    </div>
  );
}
