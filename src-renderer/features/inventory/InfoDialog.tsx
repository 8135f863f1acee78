import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { countsOf } from '../../lib/dataset-counts.ts';
import { stateOf } from '../../lib/datasets.ts';
import { useFields } from '../../lib/fields.ts';
import { formatBytes, formatDateTime } from '../../lib/format.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './InfoDialog.module.css';

/** Properties of a dataset: contents, source, custom fields, creation time and owner. */
export function InfoDialog({ dataset, onClose }: { dataset: Dataset; onClose(): void }) {
  const { t } = useTranslation();
  const { data } = useOperation('list_sources', { dataset_id: dataset.id });
  const { data: fields = [] } = useFields(dataset.id);
  const folders = (data?.sources ?? []).flatMap(({ path }) => path ?? []);
  const places = folders.length > 0 ? folders : dataset.source_uri === '' ? [] : [dataset.source_uri];
  return (
    <Dialog open onClose={onClose} title={dataset.display_name} testId="info-dialog">
      <dl className={styles.facts}>
        {dataset.description !== '' && <Fact term={t('inventory.description')}>{dataset.description}</Fact>}
        <Fact term={t('inventory.state')}>
          <StatusBadge state={stateOf(dataset)} />
        </Fact>
        <Fact term={t('inventory.contents')}>{countsOf(dataset, t).join(' · ')}</Fact>
        <Fact term={t('inventory.source')}>{t(`inventory.sources.${dataset.source_type}`)}</Fact>
        {places.length > 0 && (
          <Fact term={t('inventory.places')}>
            <ul className={styles.places}>
              {places.map((place) => (
                <li key={place}>{place}</li>
              ))}
            </ul>
          </Fact>
        )}
        {fields.length > 0 && (
          <Fact term={t('fields.title')}>{fields.map(({ field_name }) => field_name).join(', ')}</Fact>
        )}
        {dataset.disk_bytes !== null && <Fact term={t('inventory.onDisk')}>{formatBytes(dataset.disk_bytes)}</Fact>}
        <Fact term={t('inventory.createdAt')}>{formatDateTime(dataset.created_at)}</Fact>
        <Fact term={t('inventory.changedAt')}>{formatDateTime(dataset.updated_at)}</Fact>
        <Fact term={t('inventory.createdBy')}>{dataset.created_by}</Fact>
        <Fact term={t('tasks.datasetId')}>
          <code>{dataset.id}</code>
          <CopyButton text={dataset.id} what={t('tasks.datasetId')} />
        </Fact>
      </dl>
    </Dialog>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.value}>{children}</dd>
    </>
  );
}
