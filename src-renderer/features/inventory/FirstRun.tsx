import { useMutation } from '@tanstack/react-query';
import { FolderOpen, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { useIsShared } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { navigate } from '../../lib/location.ts';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { routes } from '../../lib/routes.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
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
      <Sample />
    </section>
  );
}

/** Creates a dataset from drawn images, for users who want to look around first. */
function Sample() {
  const { t } = useTranslation();
  const onSettled = useRefresh('list_datasets', 'list_tasks');
  const draw = useMutation<{ dataset_id: string }, ApiError>({
    mutationFn: () => api.create_sample_dataset({ dataset_name: t('inventory.sampleName') }),
    onSuccess: ({ dataset_id }) => navigate(routes.explore(dataset_id)),
    onSettled,
  });
  return (
    <div className={styles.sample}>
      <p>{t('inventory.sampleText')}</p>
      <Button kind="quiet" disabled={draw.isPending} onClick={() => draw.mutate()} data-testid="try-sample">
        {t(draw.isPending ? 'inventory.sampleDrawing' : 'inventory.sampleTry')}
      </Button>
      <p role="alert" className={styles.error}>
        {draw.error?.detail}
      </p>
    </div>
  );
}
