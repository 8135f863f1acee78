import { useTranslation } from 'react-i18next';
import { readFilters } from '../../../lib/filters.ts';
import { useRecentQueries } from '../../../lib/recent-queries.ts';
import { useFilterWords } from '../../../lib/use-filter-words.ts';
import styles from './RecentList.module.css';

const SHOWN = 6;

interface RecentListProps {
  datasetId: string;
  /** The current query. */
  current: string;
  onPick(vql: string): void;
}

/** Recent queries, to run again. */
export function RecentList({ datasetId, current, onPick }: RecentListProps) {
  const { t } = useTranslation();
  const wordsOf = useFilterWords(datasetId);
  const queries = useRecentQueries(({ queries: all }) => all);
  const shown = queries.filter(({ dataset_id, vql }) => dataset_id === datasetId && vql !== current).slice(0, SHOWN);
  if (shown.length === 0) return null;
  return (
    <section aria-label={t('queryText.recent')}>
      <h2 className={styles.title}>{t('queryText.recent')}</h2>
      <ul className={styles.list}>
        {shown.map(({ vql }) => (
          <li key={vql}>
            <button
              type="button"
              className={styles.query}
              title={vql}
              data-testid="recent-query"
              onClick={() => onPick(vql)}
            >
              {readFilters(vql)
                .map(wordsOf)
                .map(({ kind, words }) => `${kind} ${words}`)
                .join(' · ')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
