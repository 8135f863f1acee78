import { useTranslation } from 'react-i18next';
import { QueryError } from '../../../components/QueryError.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { useFacets } from '../../../lib/explore-source.ts';
import { hasFilter, type PlaceFilter, toggleFilter } from '../../../lib/filters.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes } from '../../../lib/routes.ts';
import { AgreementCards } from './AgreementCards.tsx';
import { BarsCard } from './BarsCard.tsx';
import styles from './Charts.module.css';
import { barsOf } from './facet-bars.ts';
import { LabelGroupsCard } from './LabelGroupsCard.tsx';
import { ScatterCard } from './ScatterCard.tsx';

/** The results as charts. A click filters by the value, a second one removes the filter. */
export function ChartsLayout({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { data: facets, error, refetch } = useFacets(datasetId, place);
  if (facets === undefined) {
    if (error !== null) return <QueryError error={error} onRetry={() => void refetch()} />;
    return <Skeleton style={{ height: '100%' }} />;
  }
  const pick = (filters: readonly PlaceFilter[]) => {
    const areAllOn = filters.every((filter) => hasFilter(place.filters, filter));
    const next = filters.reduce<readonly PlaceFilter[]>(
      (all, filter) => (areAllOn || !hasFilter(all, filter) ? toggleFilter(all, filter) : all),
      place.filters,
    );
    navigate(routes.explore(datasetId, { ...place, filters: next }));
  };
  const shared = { datasetId, place, onPick: pick };
  return (
    <div className={styles.charts} data-testid="charts">
      {barsOf(facets).map(({ key, title, name, kind, rows }) => (
        <BarsCard
          key={key}
          title={title === undefined ? (name ?? '') : t(`charts.${title}`)}
          place={place}
          rows={rows}
          kind={kind}
          onPick={pick}
          testId={title === undefined ? 'chart-field' : `chart-${title}`}
        />
      ))}
      {facets.labels.length > 0 && <LabelGroupsCard {...shared} />}
      <ScatterCard {...shared} />
      <AgreementCards {...shared} />
    </div>
  );
}
