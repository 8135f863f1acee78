import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type IssueChoice, SURE_OF_ISSUE } from '../../../src-main/contract/schemas/issues.ts';
import { Chip } from '../../components/Chip.tsx';
import { Popover } from '../../components/Popover.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { Slider } from '../../components/Slider.tsx';
import { type PlaceFilter, toggleFilter } from '../../lib/filters.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useFilterWords } from '../../lib/use-filter-words.ts';
import { FilterCount } from './FilterCount.tsx';
import styles from './IssueChip.module.css';

interface IssueChipProps {
  datasetId: string;
  place: Place;
  filter: PlaceFilter;
}

/** An issue filter: with or without the issue, and its minimum confidence. */
export function IssueChip({ datasetId, place, filter }: IssueChipProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const changed = useRef(false);
  const { issues = {} } = filter;
  const issue = issues.value as IssueChoice;
  const mode = issues.mode === 'out' ? 'out' : 'in';
  const least = typeof issues.confidence_min === 'number' ? issues.confidence_min : SURE_OF_ISSUE;
  const sure = t('item.percent', { percent: Math.round(least * 100) });
  const go = (filters: readonly PlaceFilter[], replace = false) =>
    navigate(routes.explore(datasetId, { ...place, filters }), { replace });
  const change = (next: object) => {
    const edited = { ...filter, issues: { ...issues, ...next } };
    // All changes made while it is open are one history entry.
    go(
      place.filters.map((one) => (one === filter ? edited : one)),
      changed.current,
    );
    changed.current = true;
  };
  const { kind, words } = useFilterWords(datasetId)(filter);
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
          changed.current = false;
          setOpen(next);
        }}
        label={t('issues.change')}
        trigger={
          <button type="button" className={styles.value} title={t('issues.change')} data-testid="issue-chip">
            {words}
          </button>
        }
        testId="issue-popover"
      >
        <div className={styles.choice}>
          <Segmented
            label={t('issues.change')}
            value={mode}
            options={[
              { value: 'in', label: t('issues.modes.in') },
              { value: 'out', label: t('issues.modes.out') },
            ]}
            onChange={(next) => change({ mode: next })}
            testId="issue-mode"
          />
          {issue !== 'normal' && (
            <div className={styles.sure}>
              <span>{t('issues.minConfidence')}</span>
              <Slider
                label={t('issues.minConfidence')}
                min={0.05}
                max={0.95}
                step={0.05}
                value={least}
                width={140}
                valueText={sure}
                onChange={(next) => change({ confidence_min: Number(next.toFixed(2)) })}
                testId="issue-sureness"
              />
              <output className={styles.percent}>{sure}</output>
            </div>
          )}
        </div>
      </Popover>
      <FilterCount datasetId={datasetId} type={place.type} filter={filter} />
    </Chip>
  );
}
