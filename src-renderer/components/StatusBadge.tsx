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

/** A dataset's state as a dot and a word. `brief` shows only the dot on narrow screens. */
export function StatusBadge({ state, brief = false }: { state: DatasetState; brief?: boolean }) {
  const { t } = useTranslation();
  const word = t(`state.${state}`);
  return (
    <StateMark tone={TONE[state]} testId="dataset-status" brief={brief ? word : undefined}>
      {word}
    </StateMark>
  );
}
