import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../../components/Form.module.css';
import { formatBytes, formatRate } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';

interface EncoderFieldProps {
  /** A model's id, `none`, or nothing for the default. */
  value: string;
  disabled: boolean;
  onChange(value: string): void;
}

/** What a new dataset is grouped and searched by: an encoder that is here, with what it costs and brings, or looks alone. */
export function EncoderField({ value, disabled, onChange }: EncoderFieldProps) {
  const { t } = useTranslation();
  const { data } = useOperation('list_encoders', {});
  const id = useId();
  if (data === undefined) return null;
  const here = data.encoders.filter((encoder) => encoder.installed);
  const chosen = here.find((encoder) => encoder.model_id === (value || data.default_encoder));
  const [offered] = data.encoders;
  const size = chosen && chosen.size_bytes > 0 ? [formatBytes(chosen.size_bytes)] : [];
  const speed = chosen?.items_per_s ? [t('newDataset.encoderSpeed', { rate: formatRate(chosen.items_per_s) })] : [];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('newDataset.encoder')}</label>
      <select
        id={id}
        className={styles.input}
        value={value || (data.default_encoder ?? 'none')}
        disabled={disabled}
        aria-describedby={`${id}-facts`}
        data-testid="dataset-encoder"
        onChange={(event) => onChange(event.target.value)}
      >
        {here.map((encoder) => (
          <option key={encoder.model_id} value={encoder.model_id}>
            {encoder.name}
          </option>
        ))}
        <option value="none">{t('newDataset.looksOnly')}</option>
      </select>
      <p id={`${id}-facts`} className={styles.hint}>
        {chosen ? [chosen.description, ...size, ...speed].join(' · ') : t('newDataset.looksOnlyHint')}
        {here.length === 0 && offered !== undefined && (
          <>
            {' '}
            <a href={useHashPath.hrefs(routes.models())}>
              {t('newDataset.encoderOffer', { name: offered.name, size: formatBytes(offered.size_bytes) })}
            </a>
          </>
        )}
      </p>
    </div>
  );
}
