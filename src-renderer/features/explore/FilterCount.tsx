import { useTranslation } from 'react-i18next';
import type { ExploredType } from '../../../src-main/contract/schemas/explore.ts';
import { filterName, type PlaceFilter } from '../../lib/filters.ts';
import { formatCount } from '../../lib/format.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './QueryRow.module.css';

interface FilterCountProps {
  datasetId: string;
  type: ExploredType;
  filter: PlaceFilter;
}

/** Number of results of one filter alone. Renders nothing for filters that only rank. */
export function FilterCount({ datasetId, type, filter }: FilterCountProps) {
  const { t } = useTranslation();
  const name = filterName(filter);
  const { data } = useOperation(
    'list_items',
    { dataset_id: datasetId, entity_type: type, vql: JSON.stringify([filter]), page_size: 1 },
    { enabled: name !== 'similarity' && filter[name]?.op !== 'semantic', staleTime: 60_000, retry: false },
  );
  if (data === undefined) return null;
  return (
    <span className={styles.count} title={t('search.alone', { count: data.total })} data-testid="filter-count">
      {formatCount(data.total)}
    </span>
  );
}
