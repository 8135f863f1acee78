import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { filterName, type PlaceFilter, toggleFilter } from '../../lib/filters.ts';
import { UNLABELED } from '../../lib/labels.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useTags } from '../../lib/tags.ts';
import { IssueChip } from './IssueChip.tsx';
import styles from './QueryRow.module.css';

/** A chip for each filter of the address, to drop it. */
export function FilterChips({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const tags = useTags(datasetId);
  const wordsOf = (filter: PlaceFilter): string => {
    const { op, value, from, to } = filter[filterName(filter)] ?? {};
    if (filterName(filter) === 'map') return t('map.area');
    if (filterName(filter) === 'clusters') return t('map.clusters', { count: [value].flat().length });
    const names: Record<string, string | undefined> = Object.fromEntries([
      [UNLABELED, t('labels.unlabeled')],
      ['untagged', t('facets.untagged')],
      ...(tags ?? []).map(({ id, name }) => [id, name]),
    ]);
    if (filterName(filter) === 'duplicates') {
      return t('duplicates.atLeast', { percent: Math.round(Number(value) * 100) });
    }
    const day = (bound: unknown) => String(bound ?? '').replace(/T.*/, '');
    if (op === 'range') return `${day(from)} – ${day(to)}`;
    const values = (Array.isArray(value) ? value : [value]).map((one) => names[String(one)] ?? String(one));
    const shown = values.length > 3 ? t('facets.several', { count: values.length }) : values.join(', ');
    return op === 'is' || op === 'one_of' ? shown : `${String(op).replaceAll('_', ' ')} ${shown}`;
  };
  return place.filters.map((filter, at) =>
    filterName(filter) === 'issues' ? (
      // Its place is what stays of it while it is changed.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <IssueChip key={at} datasetId={datasetId} place={place} filter={filter} />
    ) : (
      <Chip
        key={JSON.stringify(filter)}
        kind={filterName(filter).replaceAll('_', ' ')}
        removeLabel={t('facets.drop')}
        onRemove={() => navigate(routes.explore(datasetId, { ...place, filters: toggleFilter(place.filters, filter) }))}
        testId="filter-chip"
        removeTestId="drop-filter"
      >
        <span className={styles.words}>{wordsOf(filter)}</span>
      </Chip>
    ),
  );
}
