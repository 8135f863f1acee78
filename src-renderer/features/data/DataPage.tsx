import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { Column } from '../../components/Column.tsx';
import { Page } from '../../components/Page.tsx';
import { AnnotationProblemsLink, FileErrorsLink } from '../../components/ProblemLinks.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useAddMediaRequest } from '../../lib/add-media-request.ts';
import { isExplorable, stateOf, useDataset } from '../../lib/datasets.ts';
import { routes } from '../../lib/routes.ts';
import { Batches } from './Batches.tsx';
import { Sources } from './Sources.tsx';
import { WatchedFolders } from './WatchedFolders.tsx';

/** What a dataset is made of: its batches, the folders it refers to, and those it watches. */
export function DataPage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data: dataset, error, refetch } = useDataset(datasetId);
  const add = useAddMediaRequest((request) => request.open);
  const bar = (
    <Bar
      title={dataset?.display_name ?? ''}
      back={routes.explore(datasetId)}
      facts={
        dataset !== undefined && (
          <>
            <span>{t('data.title')}</span>
            {stateOf(dataset) !== 'ready' && <StatusBadge state={stateOf(dataset)} />}
            <FileErrorsLink dataset={dataset} />
            <AnnotationProblemsLink datasetId={dataset.id} />
          </>
        )
      }
    >
      {dataset !== undefined && isExplorable(dataset) && (
        <Button icon={<Plus size={16} />} onClick={() => add(datasetId)} data-testid="add-media">
          {t('addMedia.action')}
        </Button>
      )}
    </Bar>
  );
  if (dataset === undefined) {
    return (
      <Page bar={bar}>
        {error === null ? (
          <Skeleton style={{ height: 240, margin: 24 }} />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  return (
    <Page bar={bar} scroll>
      <Column testId="data-page">
        <Batches dataset={dataset} />
        <WatchedFolders datasetId={datasetId} />
        <Sources datasetId={datasetId} />
      </Column>
    </Page>
  );
}
