import { useTranslation } from 'react-i18next';
import { queryOf } from '../../lib/explore-source.ts';
import { hasFilter, toggleFilter } from '../../lib/filters.ts';
import { formatCount } from '../../lib/format.ts';
import { navigate } from '../../lib/location.ts';
import { EXCLUDED, type Place, routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './FacetPanel.module.css';

/** The facet of excluded items, which match the other filters. Shown if there are any. A click shows them, another click hides them. */
export function ExcludedFacet({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const isShown = hasFilter(place.filters, EXCLUDED);
  const filters = isShown ? place.filters : [...place.filters, EXCLUDED];
  const input = { dataset_id: datasetId, ...queryOf({ ...place, filters }), page_size: 1 };
  const { data } = useOperation('list_items', input, { placeholderData: (before) => before });
  if (data === undefined || (data.total === 0 && !isShown)) return null;
  const show = () =>
    navigate(
      routes.explore(datasetId, {
        ...place,
        // Excluded items belong to no cluster.
        flat: place.flat ?? (isShown ? undefined : 'similarity'),
        map: undefined,
        charts: undefined,
        filters: toggleFilter(place.filters, EXCLUDED),
      }),
    );
  return (
    <section className={styles.group}>
      <h2 className={styles.title}>{t('excluded.title')}</h2>
      <button type="button" className={styles.row} aria-pressed={isShown} data-testid="facet-excluded" onClick={show}>
        <span className={styles.name}>{t('excluded.open')}</span>
        <span className={styles.count}>{formatCount(data.total)}</span>
      </button>
    </section>
  );
}
