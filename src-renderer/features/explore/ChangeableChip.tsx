import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { Popover } from '../../components/Popover.tsx';
import { Slider } from '../../components/Slider.tsx';
import { type PlaceFilter, toggleFilter } from '../../lib/filters.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useFilterWords } from '../../lib/use-filter-words.ts';
import styles from './ChangeableChip.module.css';
import { FilterCount } from './FilterCount.tsx';

export interface FilterChipProps {
  datasetId: string;
  place: Place;
  filter: PlaceFilter;
}

interface ChangeableChipProps extends FilterChipProps {
  /** Names the popover. */
  label: string;
  testId: string;
  /** Fields of the popover; they call `change` with the new filter. */
  children(change: (next: PlaceFilter) => void): ReactNode;
}

/** A filter that is changed in a popover. All changes made while it is open are one history entry. */
export function ChangeableChip({ datasetId, place, filter, label, testId, children }: ChangeableChipProps) {
  const { t } = useTranslation();
  const { kind, words } = useFilterWords(datasetId)(filter);
  const [open, setOpen] = useState(false);
  const isChanged = useRef(false);
  const go = (filters: readonly PlaceFilter[], replace = false) =>
    navigate(routes.explore(datasetId, { ...place, filters }), { replace });
  const change = (next: PlaceFilter) => {
    go(
      place.filters.map((one) => (one === filter ? next : one)),
      isChanged.current,
    );
    isChanged.current = true;
  };
  return (
    <Chip
      kind={kind}
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
        label={label}
        trigger={
          <button type="button" className={styles.value} title={label} data-testid={testId}>
            {words}
          </button>
        }
        testId={`${testId}-popover`}
      >
        <div className={styles.choice}>{children(change)}</div>
      </Popover>
      <FilterCount datasetId={datasetId} type={place.type} filter={filter} />
    </Chip>
  );
}

interface LeastConfidenceProps {
  /** 0 … 1, as the minimum that can be chosen. */
  value: number;
  min: number;
  /** Default 0.95. */
  max?: number;
  onChange(value: number): void;
  testId: string;
}

/** A slider of the minimum confidence of a filter. */
export function LeastConfidence({ value, min, max = 0.95, onChange, testId }: LeastConfidenceProps) {
  const { t } = useTranslation();
  const percent = t('item.percent', { percent: Math.round(value * 100) });
  return (
    <div className={styles.sure}>
      <span>{t('issues.minConfidence')}</span>
      <Slider
        label={t('issues.minConfidence')}
        min={min}
        max={max}
        step={0.05}
        value={value}
        width={140}
        valueText={percent}
        onChange={(next) => onChange(Number(next.toFixed(2)))}
        testId={testId}
      />
      <output className={styles.percent}>{percent}</output>
    </div>
  );
}
