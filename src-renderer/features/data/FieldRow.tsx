import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MetadataField } from '../../../src-main/contract/schemas/custom-metadata.ts';
import { Offered } from '../../components/Offered.tsx';
import { ProgressBar } from '../../components/Progress.tsx';
import rows from '../../components/Rows.module.css';
import { StateMark } from '../../components/StateMark.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { isImporting } from '../../lib/fields.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './Fields.module.css';
import { ValuesPicker } from './ValuesPicker.tsx';

const TONES = { INIT: 'quiet', IN_PROGRESS: 'busy', COMPLETED: 'ok', COMPLETED_WITH_ERRORS: 'warn' } as const;

interface FieldRowProps {
  datasetId: string;
  field: MetadataField;
  takesValues: boolean;
}

/** A custom metadata field: type, number of values, and skipped rows with reasons. */
export function FieldRow({ datasetId, field, takesValues }: FieldRowProps) {
  const { t } = useTranslation();
  const refresh = useRefresh('get_custom_metadata_schema', 'get_facets');
  const upload = useMutation<unknown, ApiError, File>({
    mutationFn: (file) =>
      api.upload_custom_metadata({
        dataset_id: datasetId,
        task_id: field.task_id,
        file: { file, file_name: file.name },
      }),
    onSettled: refresh,
  });
  const { field_name, field_type, enum_options, is_multi, status, inserted_rows, error_count, sample_errors } = field;
  const kind = [t(`fields.types.${field_type}`), ...(is_multi ? [t('fields.several')] : [])].join(', ');
  return (
    <li className={rows.row} data-testid="field-row" data-status={status}>
      <div className={rows.main}>
        <p className={styles.name} title={field_name}>
          {field_name}
        </p>
        <p className={rows.facts}>
          <span>{kind}</span>
          {enum_options.length > 0 && <span>{enum_options.join(', ')}</span>}
          <StateMark tone={TONES[status]}>{t(`fields.status.${status}`)}</StateMark>
          {status !== 'INIT' && <span>{t('fields.inserted', { count: inserted_rows })}</span>}
        </p>
        {isImporting(field) && <ProgressBar percent={field.progress} label={t('fields.status.IN_PROGRESS')} />}
        {error_count > 0 && (
          <details className={styles.errors} data-testid="field-errors">
            <summary>{t('fields.errors', { count: error_count })}</summary>
            <ul>
              {sample_errors.map(({ row_index, reason }) => (
                <li key={`${row_index} ${reason}`}>{t('fields.row', { row: row_index + 1, reason })}</li>
              ))}
            </ul>
          </details>
        )}
        {upload.error !== null && (
          <p className={rows.error} role="alert">
            {upload.error.detail}
          </p>
        )}
      </div>
      {status === 'INIT' && (
        <Offered operation="upload_custom_metadata" datasetId={datasetId}>
          <div className={rows.actions}>
            <ValuesPicker
              label={upload.isPending ? t('fields.sending') : t('fields.upload')}
              disabled={!takesValues || upload.isPending}
              onPick={(file) => upload.mutate(file)}
            />
          </div>
        </Offered>
      )}
    </li>
  );
}
