import { FolderOpen, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import styles from './FirstRun.module.css';

const TILES = [...Array(15).keys()];

/** What a person sees before the first dataset: what this is for, and the one thing to do. */
export function FirstRun() {
  const { t } = useTranslation();
  const open = useNewDatasetRequest((state) => state.open);
  return (
    <section className={styles.first} data-testid="first-run">
      <div className={styles.table} aria-hidden="true">
        {TILES.map((tile) => (
          <span key={tile} />
        ))}
      </div>
      <h2 className={styles.title}>{t('inventory.firstTitle')}</h2>
      <p className={styles.text}>{t('inventory.firstText')}</p>
      <div className={styles.actions}>
        <Button kind="primary" icon={<FolderOpen size={16} />} onClick={() => open()} data-testid="new-dataset">
          {t('inventory.firstFolder')}
        </Button>
        <Button icon={<Upload size={16} />} onClick={() => open({ kind: 'files', files: [] })}>
          {t('inventory.firstUpload')}
        </Button>
      </div>
      <p className={styles.drop}>{t('inventory.firstDrop')}</p>
    </section>
  );
}
