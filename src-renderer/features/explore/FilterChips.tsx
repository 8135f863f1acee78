import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { useFields } from '../../lib/fields.ts';
import { filterName, toggleFilter } from '../../lib/filters.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useFilterWords } from '../../lib/use-filter-words.ts';
import { FilterCount } from './FilterCount.tsx';
import { FormChip } from './FormChip.tsx';
import { subjectOf } from './filter-draft.ts';
import { IssueChip } from './IssueChip.tsx';
import { ObjectConfidenceChip } from './ObjectConfidenceChip.tsx';
import styles from './QueryRow.module.css';
import { changeOf, ValuesChip } from './ValuesChip.tsx';

interface FilterChipsProps {
  datasetId: string;
  place: Place;
  /** The error of one filter and the filter that has it. */
  fault: { at: number; detail: string } | undefined;
}

/** A removable chip for each filter of the address. */
export function FilterChips({ datasetId, place, fault }: FilterChipsProps) {
  const { t } = useTranslation();
  const wordsOf = useFilterWords(datasetId);
  const { data: fields = [] } = useFields(
    datasetId,
    place.filters.some((filter) => filterName(filter) === 'metadata'),
  );
  return place.filters.map((filter, at) => {
    const { kind, words } = wordsOf(filter);
    const subject = subjectOf(filter, fields);
    return filterName(filter) === 'issues' ? (
      // The index stays the same while a filter is edited.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <IssueChip key={at} datasetId={datasetId} place={place} filter={filter} />
    ) : changeOf(filter) !== undefined && fault?.at !== at ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <ValuesChip key={at} datasetId={datasetId} place={place} filter={filter} />
    ) : subject !== undefined && fault?.at !== at ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <FormChip key={at} datasetId={datasetId} place={place} filter={filter} subject={subject} />
    ) : filterName(filter) === 'object_confidence' ? (
      <ObjectConfidenceChip key="object_confidence" datasetId={datasetId} place={place} filter={filter} />
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
