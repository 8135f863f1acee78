import { History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Drawer } from '../../components/Drawer.tsx';
import { EditList } from '../../components/EditList.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { useEditsRequest } from '../../lib/edits-request.ts';
import { useLastEdit } from '../../lib/last-edit.ts';
import { useEdits } from '../../lib/use-edits.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './EditsDrawer.module.css';

/** The edits of the dataset that a screen requested. */
export function EditsDrawer() {
  const { datasetId, close } = useEditsRequest();
  return datasetId === null ? null : <Edits key={datasetId} datasetId={datasetId} onClose={close} />;
}

function Edits({ datasetId, onClose }: { datasetId: string; onClose(): void }) {
  const { t } = useTranslation();
  const { data: dataset } = useDataset(datasetId);
  const { data, error, refetch } = useOperation('list_edits', { dataset_id: datasetId });
  const failure = useLastEdit((last) => (last.datasetId === datasetId ? last.error : undefined));
  const edits = useEdits(datasetId);
  return (
    <Drawer title={t('edits.title')} subject={dataset?.display_name} onClose={onClose} testId="edits-drawer">
      <p className={styles.error} role="alert">
        {failure?.detail}
      </p>
      {data === undefined ? (
        error === null ? (
          <Skeleton style={{ height: 240, margin: 16 }} />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <StateMessage
          icon={<History size={24} strokeWidth={1.5} />}
          title={t('edits.emptyTitle')}
          text={t('edits.emptyText')}
          testId="no-edits"
        />
      ) : (
        <div className={styles.list}>
          <EditList datasetId={datasetId} list={data} edits={edits} />
        </div>
      )}
    </Drawer>
  );
}
