import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MetadataField } from '../../../src-main/contract/schemas/custom-metadata.ts';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { Button } from '../../components/Button.tsx';
import { Offered } from '../../components/Offered.tsx';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useFields } from '../../lib/fields.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { AddFieldDialog } from './AddFieldDialog.tsx';
import { FieldRow } from './FieldRow.tsx';
import styles from './Fields.module.css';

/** The custom metadata fields of a dataset with their import state. */
export function Fields({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const { data: fields, error } = useFields(dataset.id);
  const refresh = useRefresh('get_custom_metadata_schema', 'get_facets');
  const camera = useMutation<MetadataField[], ApiError>({
    mutationFn: () => api.add_exif_metadata({ dataset_id: dataset.id }),
    onSettled: refresh,
  });
  const isReady = dataset.status_new === 'READY';
  return (
    <Section title={t('fields.title')} text={t('fields.text')} error={error ?? camera.error} testId="fields">
      {fields === undefined ? (
        error === null && <Skeleton style={{ height: 52 }} />
      ) : fields.length === 0 ? (
        <p className={rows.none}>{t('fields.none')}</p>
      ) : (
        <ul className={rows.list}>
          {fields.map((field) => (
            <FieldRow key={field.task_id} datasetId={dataset.id} field={field} takesValues={isReady} />
          ))}
        </ul>
      )}
      <Offered operation="declare_custom_metadata" datasetId={dataset.id}>
        <div className={styles.actions}>
          <Button disabled={!isReady} onClick={() => setAdding(true)} data-testid="add-field">
            {t('fields.add')}
          </Button>
          <Button
            kind="quiet"
            disabled={!isReady || camera.isPending}
            title={t('fields.fromCameraHint')}
            onClick={() => camera.mutate()}
            data-testid="fields-from-camera"
          >
            {t('fields.fromCamera')}
          </Button>
        </div>
        {camera.data?.length === 0 && (
          <p className={styles.note} role="status" data-testid="no-camera-data">
            {t('fields.noCameraData')}
          </p>
        )}
      </Offered>
      {adding && <AddFieldDialog datasetId={dataset.id} onClose={() => setAdding(false)} />}
    </Section>
  );
}
