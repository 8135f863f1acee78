import { CheckCheck, SkipForward, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ReviewKind } from '../../../src-main/contract/schemas/review.ts';
import { Button } from '../../components/Button.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { TrashButton } from '../../components/TrashButton.tsx';
import { queryOf } from '../../lib/explore-source.ts';
import { navigate } from '../../lib/location.ts';
import { EXCLUDED, type Place, routes } from '../../lib/routes.ts';
import type { Review } from './use-review.ts';

interface NothingLeftProps {
  datasetId: string;
  kind: ReviewKind;
  place: Place;
  review: Review;
}

/** The end of a queue: everything is decided, skipped, or on the screens of other people. */
export function NothingLeft({ datasetId, kind, place, review }: NothingLeftProps) {
  const { t } = useTranslation();
  const { left = 0, done, nSkipped, backToSkipped, queueId } = review;
  const decided = { reviewed: { op: 'is', value: queueId, verdict: 'accepted' } };
  const show = (filters: Place['filters']) =>
    navigate(routes.explore(datasetId, { type: place.type, flat: 'similarity', filters }));
  const other = <Button onClick={() => navigate(routes.review(datasetId))}>{t('review.queues')}</Button>;
  if (left > 0 && nSkipped > 0) {
    return (
      <StateMessage
        testId="review-skipped"
        icon={<SkipForward size={24} strokeWidth={1.5} />}
        title={t('review.skippedTitle')}
        actions={
          <>
            <Button kind="primary" onClick={backToSkipped} data-testid="review-skipped-ones">
              {t('review.skipped', { count: nSkipped })}
            </Button>
            {other}
          </>
        }
      />
    );
  }
  if (left > 0) {
    return (
      <StateMessage
        testId="review-others"
        icon={<Users size={24} strokeWidth={1.5} />}
        title={t('review.othersTitle')}
        text={t('review.others', { count: left })}
        actions={other}
      />
    );
  }
  return (
    <StateMessage
      testId="review-done"
      icon={<CheckCheck size={24} strokeWidth={1.5} />}
      title={t('review.emptyTitle')}
      text={done > 0 ? t('review.empty') : t('review.none')}
      actions={
        <>
          {done > 0 && (
            <>
              <Button onClick={() => show([decided, EXCLUDED])} data-testid="review-show-excluded">
                {t('review.showExcluded')}
              </Button>
              <TrashButton
                datasetId={datasetId}
                query={queryOf({ ...place, cluster: undefined, filters: [decided, EXCLUDED] })}
              />
              {kind !== 'duplicates' && (
                <Button onClick={() => show([{ reviewed: { op: 'is', value: queueId } }])}>
                  {t('review.showOthers')}
                </Button>
              )}
            </>
          )}
          {other}
        </>
      }
    />
  );
}
