import { Bookmark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Column } from '../../components/Column.tsx';
import { DatasetBar } from '../../components/DatasetBar.tsx';
import { Page } from '../../components/Page.tsx';
import { PendingContent } from '../../components/PendingContent.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { ViewRow } from './ViewRow.tsx';
import styles from './ViewsPage.module.css';

/** The saved views of a dataset and their new matches. */
export function ViewsPage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data: dataset } = useDataset(datasetId);
  const { data, error, refetch } = useOperation('list_views', { dataset_id: datasetId });
  const bar = <DatasetBar datasetId={datasetId} dataset={dataset} place={t('views.title')} />;
  if (data === undefined) {
    return (
      <Page bar={bar}>
        <PendingContent error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (data.views.length === 0) {
    return (
      <Page bar={bar}>
        <StateMessage
          testId="no-views"
          icon={<Bookmark size={24} strokeWidth={1.5} />}
          title={t('views.emptyTitle')}
          text={t('views.emptyText')}
          actions={<Button onClick={() => navigate(routes.explore(datasetId))}>{t('views.toExplore')}</Button>}
        />
      </Page>
    );
  }
  return (
    <Page bar={bar} scroll>
      <Column testId="views-page">
        <ul className={styles.list} aria-label={t('views.title')}>
          {data.views.map((view) => (
            <ViewRow key={view.id} view={view} />
          ))}
        </ul>
      </Column>
    </Page>
  );
}
