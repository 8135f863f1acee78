import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { EncoderList } from '../../../src-main/contract/schemas/model.ts';
import styles from '../../components/Form.module.css';
import { useMay } from '../../lib/account.ts';
import { formatBytes, formatDuration, formatRate } from '../../lib/format.ts';
import { modelDescription } from '../../lib/model-description.ts';
import { useOperation } from '../../lib/use-operation.ts';

type Encoder = EncoderList['encoders'][number];

/** The user's choice: an encoder's id, `none`, or undefined for the default, and the package to download for it. */
export interface ChosenEncoder {
  id: string;
  package_to_fetch: string | null;
}

interface EncoderFieldProps {
  value: string;
  /** Number of files to add. null if unknown. */
  nFiles: number | null;
  disabled: boolean;
  onChange(value: ChosenEncoder): void;
}

/** The embeddings of a new dataset: an encoder with its cost, or visual similarity only. */
export function EncoderField({ value, nFiles, disabled, onChange }: EncoderFieldProps) {
  const { t } = useTranslation();
  const may = useMay();
  const { data } = useOperation('list_encoders', {});
  const id = useId();
  if (data === undefined) return null;
  const mayFetch = may('download_package');
  const offered = data.encoders.filter((encoder) => encoder.installed || (encoder.can_download && mayFetch));
  const chosen = offered.find((encoder) => encoder.model_id === (value || data.default_encoder));
  const choose = (modelId: string) => {
    const encoder = offered.find((one) => one.model_id === modelId);
    onChange({ id: modelId, package_to_fetch: encoder && !encoder.installed ? encoder.package_id : null });
  };
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
        onChange={(event) => choose(event.target.value)}
      >
        {offered.map((encoder) => (
          <option key={encoder.model_id} value={encoder.model_id}>
            {encoder.installed
              ? encoder.name
              : t('newDataset.encoderDownload', { name: encoder.name, size: formatBytes(encoder.size_bytes) })}
          </option>
        ))}
        <option value="none">{t('newDataset.visualOnly')}</option>
      </select>
      <p id={`${id}-facts`} className={styles.hint}>
        {chosen ? <Facts encoder={chosen} nFiles={nFiles} /> : t('newDataset.visualOnlyHint')}
      </p>
    </div>
  );
}

function Facts({ encoder, nFiles }: { encoder: Encoder; nFiles: number | null }) {
  const { t } = useTranslation();
  const { description, installed, licence, size_bytes, items_per_s } = encoder;
  const size = size_bytes > 0 ? [formatBytes(size_bytes)] : [];
  const speed = items_per_s === null ? [] : [t('newDataset.encoderSpeed', { rate: formatRate(items_per_s) })];
  const time =
    items_per_s === null
      ? [t('newDataset.encoderTimeUnknown')]
      : nFiles === null || nFiles === 0
        ? []
        : [
            t('newDataset.encoderTime', {
              time: formatDuration(nFiles / items_per_s),
              files: t('common.files', { count: nFiles }),
            }),
          ];
  const fetched = installed ? [] : [licence, t('newDataset.encoderDownloadHint')].filter((fact) => fact !== '');
  return [modelDescription(description), ...size, ...speed, ...time, ...fetched].join(' · ');
}
