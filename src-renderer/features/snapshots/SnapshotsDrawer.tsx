import { History, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Drawer } from '../../components/Drawer.tsx';
import { Offered } from '../../components/Offered.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { useSnapshotsRequest } from '../../lib/snapshots-request.ts';
import { SnapshotDialog } from './SnapshotDialog.tsx';
import { SnapshotRow } from './SnapshotRow.tsx';
import styles from './Snapshots.module.css';
import { useSnapshots } from './use-snapshots.ts';

/** The snapshots of the dataset that a screen requested. */
export function SnapshotsDrawer() {
  const { datasetId, close } = useSnapshotsRequest();
  return datasetId === null ? null : <Snapshots key={datasetId} datasetId={datasetId} onClose={close} />;
}

function Snapshots({ datasetId, onClose }: { datasetId: string; onClose(): void }) {
  const { t } = useTranslation();
  const { data: dataset } = useDataset(datasetId);
  const [creating, setCreating] = useState(false);
  const isReady = dataset?.status_new === 'READY';
  return (
    <Drawer
      title={t('snapshots.title')}
      subject={dataset?.display_name}
      onClose={onClose}
      testId="snapshots-drawer"
      actions={
        <Offered operation="create_snapshot" datasetId={datasetId}>
          <Button
            icon={<Plus size={16} />}
            disabled={!isReady}
            title={isReady ? undefined : t('snapshots.needsReady')}
            onClick={() => setCreating(true)}
            data-testid="snapshot-create"
          >
            {t('snapshots.create')}
          </Button>
        </Offered>
      }
    >
      <SnapshotList datasetId={datasetId} onCreate={isReady ? () => setCreating(true) : undefined} />
      {creating && <SnapshotDialog datasetId={datasetId} onClose={() => setCreating(false)} />}
    </Drawer>
  );
}

/** @param onCreate Left out when no snapshot can be created now. */
function SnapshotList({ datasetId, onCreate }: { datasetId: string; onCreate: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useSnapshots(datasetId);
  const [searched, setSearched] = useState('');
  const [done, setDone] = useState('');
  if (data === undefined) {
    if (error !== null) return <QueryError error={error} onRetry={() => void refetch()} />;
    return <Skeleton style={{ height: 240, margin: 16 }} />;
  }
  if (data.length === 0) {
    return (
      <StateMessage
        icon={<History size={24} strokeWidth={1.5} />}
        title={t('snapshots.emptyTitle')}
        text={t('snapshots.emptyText')}
        actions={
          onCreate && (
            <Offered operation="create_snapshot" datasetId={datasetId}>
              <Button onClick={onCreate}>{t('snapshots.create')}</Button>
            </Offered>
          )
        }
        testId="snapshots-empty"
      />
    );
  }
  const restoring = data.find(({ is_restoring }) => is_restoring);
  const found = data.filter(({ snapshot_name, description }) =>
    `${snapshot_name}\n${description}`.toLowerCase().includes(searched.trim().toLowerCase()),
  );
  return (
    <>
      <div className={styles.search}>
        <SearchField label={t('snapshots.search')} value={searched} onChange={setSearched} />
      </div>
      <p className={styles.done} role="status">
        {restoring === undefined ? done : t('snapshots.restoreDone', { name: restoring.snapshot_name })}
      </p>
      <ul className={styles.list}>
        {found.map((snapshot) => (
          <SnapshotRow
            key={snapshot.snapshot_id}
            datasetId={datasetId}
            snapshot={snapshot}
            others={data.filter((other) => other !== snapshot)}
            onDone={setDone}
          />
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>{t('snapshots.noneFound', { text: searched })}</p>}
    </>
  );
}
