import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { filterName, toggleFilter } from '../../lib/filters.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useFilterWords } from '../../lib/use-filter-words.ts';
import { FilterCount } from './FilterCount.tsx';
import { IssueChip } from './IssueChip.tsx';
import styles from './QueryRow.module.css';

interface FilterChipsProps {
  datasetId: string;
  place: Place;
  /** What is wrong with one of the filters, and which. */
  fault: { at: number; detail: string } | undefined;
}

/** A chip for each filter of the address, to drop it. */
export function FilterChips({ datasetId, place, fault }: FilterChipsProps) {
  const { t } = useTranslation();
  const wordsOf = useFilterWords(datasetId);
  return place.filters.map((filter, at) => {
    const { kind, words } = wordsOf(filter);
    return filterName(filter) === 'issues' ? (
      // Its place is what stays of it while it is changed.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <IssueChip key={at} datasetId={datasetId} place={place} filter={filter} />
    ) : (
      <Chip
        key={JSON.stringify(filter)}
        kind={kind}
        fault={fault?.at === at ? fault.detail : undefined}
        removeLabel={t('facets.removeFilter')}
        onRemove={() => navigate(routes.explore(datasetId, { ...place, filters: toggleFilter(place.filters, filter) }))}
        testId="filter-chip"
        removeTestId="drop-filter"
      >
        <span className={styles.words}>{words}</span>
        <FilterCount datasetId={datasetId} type={place.type} filter={filter} />
      </Chip>
    );
  });
}
