import { useTranslation } from 'react-i18next';
import type { DatasetState } from '../lib/datasets.ts';
import styles from './StatusBadge.module.css';

const TONE: Record<DatasetState, 'quiet' | 'busy' | 'ok' | 'warn' | 'bad'> = {
  draft: 'quiet',
  uploading: 'busy',
  indexing: 'busy',
  processing: 'busy',
  enriching: 'busy',
  pending: 'warn',
  ready: 'ok',
  failed: 'bad',
};

/** A dataset's state as a dot and a word. */
export function StatusBadge({ state }: { state: DatasetState }) {
  const { t } = useTranslation();
  return (
    <span className={`${styles.badge} ${styles[TONE[state]]}`} data-testid="dataset-status" data-state={state}>
      {t(`state.${state}`)}
    </span>
  );
}
