import { useTranslation } from 'react-i18next';
import { objectConfidence } from '../../lib/filters.ts';
import { ChangeableChip, type FilterChipProps, LeastConfidence } from './ChangeableChip.tsx';

/** The least confidence of the objects that models found, set by a slider. */
export function ObjectConfidenceChip(props: FilterChipProps) {
  const { t } = useTranslation();
  const least = Number(props.filter.object_confidence?.value ?? 0);
  return (
    <ChangeableChip {...props} label={t('objects.change')} testId="object-confidence">
      {(change) => (
        <LeastConfidence
          value={least}
          min={0}
          onChange={(value) => change(objectConfidence(value))}
          testId="least-object-confidence"
        />
      )}
    </ChangeableChip>
  );
}
