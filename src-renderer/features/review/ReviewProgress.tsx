import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../../components/Progress.tsx';
import styles from './ReviewPage.module.css';
import type { Review } from './use-review.ts';

/** Number of undecided and of decided entries, and a bar. */
export function ReviewProgress({ review, isOfGroups }: { review: Review; isOfGroups: boolean }) {
  const { t } = useTranslation();
  const { left, done, people } = review;
  if (left === undefined) return null;
  const words = [
    isOfGroups ? t('review.groupsLeft', { count: left }) : t('review.left', { count: left }),
    ...(done > 0 ? [t('review.done', { count: done })] : []),
  ].join(' · ');
  const by =
    people.length > 1 ? people.map(({ user, count }) => t('review.by', { user, count })).join('\n') : undefined;
  return (
    <span className={styles.progress} title={by}>
      <span className={styles.track}>
        <ProgressBar percent={left + done === 0 ? 100 : (100 * done) / (left + done)} label={t('review.progress')} />
      </span>
      <span data-testid="review-left">{words}</span>
    </span>
  );
}
