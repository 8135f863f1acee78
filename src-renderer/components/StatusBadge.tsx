import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatasetState } from '../lib/datasets.ts';
import { StateMark } from './StateMark.tsx';

const TONE: Record<DatasetState, ComponentProps<typeof StateMark>['tone']> = {
  draft: 'quiet',
  uploading: 'busy',
  indexing: 'busy',
  processing: 'busy',
  enriching: 'busy',
  pending: 'warn',
  ready: 'ok',
  stopped: 'quiet',
  failed: 'bad',
};

/** A dataset's state as a dot and a word. */
export function StatusBadge({ state }: { state: DatasetState }) {
  const { t } = useTranslation();
  return (
    <StateMark tone={TONE[state]} testId="dataset-status">
      {t(`state.${state}`)}
    </StateMark>
  );
}
