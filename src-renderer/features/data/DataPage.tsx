import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Column } from '../../components/Column.tsx';
import { DatasetBar } from '../../components/DatasetBar.tsx';
import { Offered } from '../../components/Offered.tsx';
import { Page } from '../../components/Page.tsx';
import { PendingContent } from '../../components/PendingContent.tsx';
import { AnnotationProblemsLink, FileErrorsLink } from '../../components/ProblemLinks.tsx';
import { useAddMediaRequest } from '../../lib/add-media-request.ts';
import { isExplorable, useDataset, useMayOn } from '../../lib/datasets.ts';
import { Activity } from './Activity.tsx';
import { Batches } from './Batches.tsx';
import { Fields } from './Fields.tsx';
import { Sources } from './Sources.tsx';
import { WatchedFolders } from './WatchedFolders.tsx';

/** Batches, source folders and watched folders of a dataset. */
export function DataPage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data: dataset, error, refetch } = useDataset(datasetId);
  const add = useAddMediaRequest((request) => request.open);
  const may = useMayOn(datasetId);
  const bar = (
    <DatasetBar
      datasetId={datasetId}
      dataset={dataset}
      place={t('data.title')}
      facts={
        dataset !== undefined && (
          <>
            <FileErrorsLink dataset={dataset} />
            <AnnotationProblemsLink datasetId={dataset.id} />
          </>
        )
      }
    >
      {dataset !== undefined && isExplorable(dataset) && (
        <Offered operation="add_media" datasetId={datasetId}>
          <Button icon={<Plus size={16} />} onClick={() => add(datasetId)} data-testid="add-media">
            {t('addMedia.action')}
          </Button>
        </Offered>
      )}
    </DatasetBar>
  );
  if (dataset === undefined) {
    return (
      <Page bar={bar}>
        <PendingContent error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page bar={bar} scroll focusable={!may('add_media')}>
      <Column testId="data-page">
        <Batches dataset={dataset} />
        <Fields dataset={dataset} />
        <WatchedFolders datasetId={datasetId} />
        <Sources datasetId={datasetId} />
        <Activity datasetId={datasetId} />
      </Column>
    </Page>
  );
}
