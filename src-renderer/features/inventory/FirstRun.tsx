import { FolderOpen, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { useIsShared } from '../../lib/account.ts';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import styles from './FirstRun.module.css';

const TILES = [...Array(15).keys()];

/** The empty inventory: purpose of the app and the first action, which depends on where the files are. */
export function FirstRun() {
  const { t } = useTranslation();
  const open = useNewDatasetRequest((state) => state.open);
  const isShared = useIsShared();
  const folder = (
    <Button
      key="folder"
      kind={isShared ? 'plain' : 'primary'}
      icon={<FolderOpen size={16} />}
      onClick={() => open({ kind: 'folder', path: '' })}
      data-testid="new-dataset"
    >
      {t(isShared ? 'inventory.firstFolderShared' : 'inventory.firstFolder')}
    </Button>
  );
  const upload = (
    <Button
      key="upload"
      kind={isShared ? 'primary' : 'plain'}
      icon={<Upload size={16} />}
      onClick={() => open({ kind: 'files', files: [] })}
    >
      {t('inventory.firstUpload')}
    </Button>
  );
  return (
    <section className={styles.first} data-testid="first-run">
      <div className={styles.table} aria-hidden="true">
        {TILES.map((tile) => (
          <span key={tile} />
        ))}
      </div>
      <h2 className={styles.title}>{t('inventory.firstTitle')}</h2>
      <p className={styles.text}>{t(isShared ? 'inventory.firstTextShared' : 'inventory.firstText')}</p>
      <div className={styles.actions}>{isShared ? [upload, folder] : [folder, upload]}</div>
      <p className={styles.drop}>{t('inventory.firstDrop')}</p>
    </section>
  );
}
