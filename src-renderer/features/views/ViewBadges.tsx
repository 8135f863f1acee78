import { useTranslation } from 'react-i18next';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import type { PlaceFilter } from '../../lib/filters.ts';
import { useFilterWords } from '../../lib/use-filter-words.ts';
import styles from './ViewBadges.module.css';

/** A view's query in words. */
export function ViewBadges({ view: { dataset_id, filters } }: { view: View }) {
  const { t } = useTranslation();
  const wordsOf = useFilterWords(dataset_id);
  const badges = [
    ...(filters.entity_type === 'IMAGES' ? [] : [{ kind: '', words: t(`explore.views.${filters.entity_type}`) }]),
    ...(filters.caption === null
      ? []
      : [{ kind: t('views.caption'), words: t('search.quoted', { text: filters.caption }) }]),
    ...(filters.vql as PlaceFilter[]).map(wordsOf),
  ];
  const shown = badges.length === 0 ? [{ kind: '', words: t('views.everything') }] : badges;
  return (
    <div className={styles.badges}>
      {shown.map(({ kind, words }) => (
        <span key={`${kind} ${words}`} className={styles.badge} title={`${kind} ${words}`.trim()}>
          {kind !== '' && <span className={styles.kind}>{kind}</span>}
          <span className={styles.words}>{words}</span>
        </span>
      ))}
    </div>
  );
}
