import { useQueries } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ISSUES } from '../../../src-main/contract/schemas/issues.ts';
import type { ReviewKind, ReviewQueue } from '../../../src-main/contract/schemas/review.ts';
import { DatasetBar } from '../../components/DatasetBar.tsx';
import { isFocusFree } from '../../components/free-focus.ts';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { operationQuery, useOperation } from '../../lib/use-operation.ts';
import styles from './ReviewQueues.module.css';
import { useQueueName } from './use-queue-name.ts';

/** The queues of a dataset with the number of entries that are not decided. */
export function ReviewQueues({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const nameOf = useQueueName();
  const { data: dataset } = useDataset(datasetId);
  const list = useRef<HTMLUListElement>(null);
  const { data: facets, error, refetch } = useOperation('get_facets', { dataset_id: datasetId });
  const counts: [ReviewKind, number][] = [
    ...ISSUES.map((name): [ReviewKind, number] => [name, facets?.issues.find((one) => one.name === name)?.count ?? 0]),
    ['unlabeled', facets?.n_unlabeled ?? 0],
  ];
  // Duplicates first: their queue resolves the most images in the least time.
  const shown = counts
    .flatMap(([kind, count]) => (count > 0 ? [kind] : []))
    .sort((a, b) => Number(b === 'duplicates') - Number(a === 'duplicates'));
  const queues = useQueries({
    queries: shown.map((kind) => operationQuery('list_review_entries', { dataset_id: datasetId, kind, limit: 0 })),
  });
  const wordsOf = (kind: ReviewKind, queue: ReviewQueue | undefined) => {
    if (queue === undefined) return '…';
    if (queue.left === 0) return t('review.allDecided');
    const left = t(kind === 'duplicates' ? 'review.groupsLeft' : 'review.left', { count: queue.left });
    const done = queue.done.reduce((sum, { count }) => sum + count, 0);
    return done === 0 ? left : `${left} · ${t('review.done', { count: done })}`;
  };
  const [first] = shown;
  useEffect(() => {
    // Also when the queue that had the focus is no longer listed.
    if (first !== undefined && isFocusFree()) list.current?.querySelector('a')?.focus();
  }, [first]);
  return (
    <Page bar={<DatasetBar datasetId={datasetId} dataset={dataset} place={t('review.title')} />} scroll>
      <div className={styles.page}>
        {error !== null && facets === undefined ? (
          <QueryError error={error} onRetry={() => void refetch()} />
        ) : facets === undefined ? (
          <Skeleton style={{ height: 240 }} />
        ) : (
          <Section title={t('review.queues')} text={shown.length === 0 ? t('review.nothing') : t('review.queuesHint')}>
            <ul ref={list} className={styles.queues} data-testid="review-queues">
              {shown.map((kind, at) => (
                <li key={kind}>
                  <a
                    className={styles.queue}
                    href={useHashPath.hrefs(routes.review(datasetId, kind))}
                    data-testid={`review-${kind}`}
                  >
                    <span>{nameOf(kind)}</span>
                    <span className={styles.count}>{wordsOf(kind, queues[at]?.data)}</span>
                    <ChevronRight size={16} aria-hidden="true" />
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </Page>
  );
}
