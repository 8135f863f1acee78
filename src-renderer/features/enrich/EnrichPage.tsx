import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { DatasetBar } from '../../components/DatasetBar.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useMay } from '../../lib/account.ts';
import { useDataset } from '../../lib/datasets.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './EnrichPage.module.css';
import { EnrichWorkspace } from './EnrichWorkspace.tsx';

/** Chooses models for a dataset, previews them on a few images, and applies them to a copy. */
export function EnrichPage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data: dataset, error, refetch } = useDataset(datasetId);
  const may = useMay();
  return (
    <Page bar={<DatasetBar datasetId={datasetId} dataset={dataset} place={t('enrich.title')} />}>
      {dataset !== undefined ? (
        may('enrich_dataset', dataset) ? (
          <Loaded dataset={dataset} />
        ) : (
          <StateMessage
            testId="enrich-refused"
            icon={<Lock size={24} strokeWidth={1.5} />}
            title={t('enrich.refusedTitle')}
            text={t('enrich.refused')}
          />
        )
      ) : error === null ? (
        <PanelSkeleton />
      ) : (
        <QueryError error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Loaded({ dataset }: { dataset: Dataset }) {
  const models = useOperation('list_models', { dataset_id: dataset.id });
  const context = useOperation('get_enrichment_context', { dataset_id: dataset.id });
  const error = models.error ?? context.error;
  if (models.data !== undefined && context.data !== undefined) {
    return <EnrichWorkspace dataset={dataset} models={models.data} context={context.data} />;
  }
  if (error === null) return <PanelSkeleton />;
  return <QueryError error={error} onRetry={() => void Promise.all([models.refetch(), context.refetch()])} />;
}

function PanelSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={styles.skeleton} role="status" aria-label={t('common.loading')}>
      <Skeleton style={{ height: 88 }} />
      <Skeleton style={{ height: 180 }} />
      <Skeleton style={{ height: 180 }} />
    </div>
  );
}
