import { useTranslation } from 'react-i18next';
import type { Edit } from '../../../src-main/contract/schemas/edit.ts';
import type { ApiError } from '../../lib/api-error.ts';
import type { ReviewEntry } from '../../lib/review.ts';
import styles from './ReviewPage.module.css';

interface ReasonProps {
  entry: ReviewEntry;
  keptId: string;
  failure: ApiError | null;
  /** The last decision. */
  last: Edit | undefined;
}

/** Why an entry is in the queue, what is suggested, and the result of the last decision. */
export function Reason({ entry, keptId, failure, last }: ReasonProps) {
  const { t } = useTranslation();
  const { item, group, reason, suggestion } = entry;
  const names = { labels: (item.labels ?? []).join(', '), suggested: suggestion.add_labels.join(', ') };
  const percent = reason.confidence === null ? undefined : Math.floor(reason.confidence * 100);
  return (
    <div className={styles.reason}>
      <p className={styles.why} role="status" data-testid="review-reason">
        {group === null && <span className={styles.name}>{item.file_name}</span>}
        <span>{t(`review.reason.${reason.code}`, names)}</span>
        {percent !== undefined && <span className={styles.quiet}>{t('review.confidence', { percent })}</span>}
      </p>
      <p className={styles.quiet} data-testid="review-suggestion">
        {group === null ? (
          t(`review.suggestion.${suggestion.action}`, { label: names.suggested })
        ) : (
          <Copies group={group} keptId={keptId} />
        )}
        {reason.by_appearance && `. ${t('review.byAppearance')}`}
      </p>
      <p
        className={failure === null ? styles.last : styles.failure}
        role={failure === null ? undefined : 'alert'}
        data-testid="review-last"
      >
        {failure?.detail ?? (last && t('review.last', { words: wordsOf(last) }))}
      </p>
    </div>
  );

  function wordsOf({ kind, added, removed, n_changed }: Edit): string {
    return t(`selection.done.${kind}`, { count: n_changed, names: [...added, ...removed].join(', ') });
  }
}

function Copies({ group, keptId }: { group: NonNullable<ReviewEntry['group']>; keptId: string }) {
  const { t } = useTranslation();
  const kept = group.items.find(({ media_id }) => media_id === keptId);
  const isSuggested = keptId === group.keep_media_id;
  return t(isSuggested ? 'review.suggestion.copies' : 'review.suggestion.chosen', {
    name: kept?.file_name ?? '',
    why: t(`duplicates.why.${group.keep_reason}`),
    count: group.n_items - 1,
  });
}
