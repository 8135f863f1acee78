import { useTranslation } from 'react-i18next';
import type { MetadataValue } from '../../../src-main/contract/schemas/custom-metadata.ts';
import { formatDateTime, formatMeasure } from '../../lib/format.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './Details.module.css';
import { DetailsSection } from './DetailsSection.tsx';

/** The custom metadata of an image. */
export function FieldValues({ datasetId, imageId }: { datasetId: string; imageId: string }) {
  const { t } = useTranslation();
  const { data: values } = useOperation('get_image_custom_metadata', { dataset_id: datasetId, image_id: imageId });
  if (values === undefined || values.length === 0) return null;
  return (
    <DetailsSection title={t('fields.ofImage')} testId="item-fields">
      <dl>
        {values.map((value) => (
          <div key={value.field_name} className={styles.row}>
            <dt className={styles.name}>{value.field_name}</dt>
            <dd className={styles.wide}>
              <Value of={value} />
            </dd>
          </div>
        ))}
      </dl>
    </DetailsSection>
  );
}

function Value({ of: { field_type, value } }: { of: MetadataValue }) {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'number') return formatMeasure(value);
  if (field_type === 'datetime') return formatDateTime(value);
  // Browsers cannot open other schemes, such as s3.
  if (field_type !== 'link' || !/^https?:\/\//i.test(value)) return value;
  return (
    <a className={styles.link} href={value} target="_blank" rel="noreferrer">
      {value}
    </a>
  );
}
