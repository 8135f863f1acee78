import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { Popover } from '../../components/Popover.tsx';
import { Slider } from '../../components/Slider.tsx';
import { objectConfidence, type PlaceFilter, toggleFilter } from '../../lib/filters.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { FilterCount } from './FilterCount.tsx';
import styles from './IssueChip.module.css';

interface ObjectConfidenceChipProps {
  datasetId: string;
  place: Place;
  filter: PlaceFilter;
}

/** The least confidence of the objects that models found, set by a slider. */
export function ObjectConfidenceChip({ datasetId, place, filter }: ObjectConfidenceChipProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const isChanged = useRef(false);
  const least = Number(filter.object_confidence?.value ?? 0);
  const percent = t('item.percent', { percent: Math.round(least * 100) });
  const go = (filters: readonly PlaceFilter[], replace = false) =>
    navigate(routes.explore(datasetId, { ...place, filters }), { replace });
  const change = (value: number) => {
    // All changes made while it is open are one history entry.
    go(
      place.filters.map((one) => (one === filter ? objectConfidence(value) : one)),
      isChanged.current,
    );
    isChanged.current = true;
  };
  return (
    <Chip
      kind={t('objects.confidence')}
      removeLabel={t('facets.removeFilter')}
      onRemove={() => go(toggleFilter(place.filters, filter))}
      testId="filter-chip"
      removeTestId="drop-filter"
    >
      <Popover
        open={open}
        onOpenChange={(next) => {
          isChanged.current = false;
          setOpen(next);
        }}
        label={t('objects.change')}
        trigger={
          <button type="button" className={styles.value} title={t('objects.change')} data-testid="object-confidence">
            {t('objects.atLeast', { percent })}
          </button>
        }
        testId="object-confidence-popover"
      >
        <div className={styles.choice}>
          <div className={styles.sure}>
            <span>{t('issues.minConfidence')}</span>
            <Slider
              label={t('issues.minConfidence')}
              min={0}
              max={0.95}
              step={0.05}
              value={least}
              width={140}
              valueText={percent}
              onChange={(next) => change(Number(next.toFixed(2)))}
              testId="least-object-confidence"
            />
            <output className={styles.percent}>{percent}</output>
          </div>
        </div>
      </Popover>
      <FilterCount datasetId={datasetId} type={place.type} filter={filter} />
    </Chip>
  );
}
