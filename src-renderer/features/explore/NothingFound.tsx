import { CircleAlert, Images, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Offered } from '../../components/Offered.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import type { ApiError } from '../../lib/api-error.ts';
import { isRanked } from '../../lib/explore-source.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../lib/routes.ts';
import { useTextSearch } from './use-text-search.ts';

interface NothingFoundProps {
  datasetId: string;
  place: Place;
  hasErrors: boolean;
}

/** An empty list: its reason, and actions to widen the query. */
export function NothingFound({ datasetId, place, hasErrors }: NothingFoundProps) {
  const { t } = useTranslation();
  const { type, anchor, labels } = place;
  if (labels.length > 0) return <NothingLabelled datasetId={datasetId} place={place} />;
  if (place.filters.length > 0) {
    return (
      <StateMessage
        testId="explore-empty"
        icon={<SearchX size={24} strokeWidth={1.5} />}
        title={t('search.noneTitle')}
        actions={
          <Button onClick={() => navigate(routes.explore(datasetId, { ...place, filters: [] }))}>
            {t('search.clearAll')}
          </Button>
        }
      />
    );
  }
  if (isRanked(place)) {
    const unclear = isCutOff(place);
    return (
      <StateMessage
        testId="explore-empty"
        icon={<SearchX size={24} strokeWidth={1.5} />}
        title={
          anchor === undefined ? t(unclear ? 'search.unclearTitle' : 'search.noneTitle') : t('explore.noneSimilarTitle')
        }
        text={anchor === undefined ? (unclear ? t('search.unclear') : undefined) : t('explore.noneSimilarText')}
        actions={
          <>
            {unclear && <GoBeyond datasetId={datasetId} place={place} />}
            <ClearSearch datasetId={datasetId} place={place} />
          </>
        }
      />
    );
  }
  return (
    <StateMessage
      testId="explore-empty"
      icon={<Images size={24} strokeWidth={1.5} />}
      title={t(`explore.empty.${type}.title`)}
      text={t(`explore.empty.${type}.text`)}
      actions={
        hasErrors ? (
          <Button onClick={() => navigate(routes.fileErrors(datasetId))}>{t('explore.seeErrors')}</Button>
        ) : undefined
      }
    />
  );
}

function NothingLabelled({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { labels, labelMode } = place;
  const go = (change: Partial<Place>) => navigate(routes.explore(datasetId, { ...place, ...change }));
  return (
    <StateMessage
      testId="explore-empty"
      icon={<SearchX size={24} strokeWidth={1.5} />}
      title={t('search.noneTitle')}
      text={isRanked(place) ? t('search.noneTogether') : t('search.noneLabels')}
      actions={
        <>
          {labelMode === 'all' && labels.length > 1 && (
            <Button onClick={() => go({ labelMode: 'any' })}>{t('search.anyInstead')}</Button>
          )}
          <Button onClick={() => go({ labels: [] })} data-testid="empty-clear-labels">
            {t('search.clearLabels')}
          </Button>
          {isCutOff(place) && <GoBeyond datasetId={datasetId} place={place} />}
          {isRanked(place) && <ClearSearch datasetId={datasetId} place={place} />}
        </>
      }
    />
  );
}

/** A search that the server refused: how to enable semantic search, else the server's message. */
export function SearchRefused({ datasetId, place, error }: { datasetId: string; place: Place; error: ApiError }) {
  const { t } = useTranslation();
  const search = useTextSearch(datasetId, place.type);
  const unknown = place.text !== undefined && search?.includes(place.within) === false;
  return (
    <StateMessage
      tone={unknown ? 'plain' : 'bad'}
      testId="search-refused"
      icon={unknown ? <SearchX size={24} strokeWidth={1.5} /> : <CircleAlert size={24} strokeWidth={1.5} />}
      title={unknown ? t('search.onlyTextTitle') : t('search.failedTitle')}
      text={unknown ? t('search.onlyText') : error.detail}
      actions={
        <>
          {unknown && (
            <Button onClick={() => navigate(routes.explore(datasetId, { ...place, within: 'words' }))}>
              {t('search.textInstead')}
            </Button>
          )}
          {isRanked(place) && <ClearSearch datasetId={datasetId} place={place} />}
          {place.labels.length + place.filters.length > 0 && (
            <Button
              onClick={() => navigate(routes.explore(datasetId, { ...withoutSearch(place), labels: [], filters: [] }))}
            >
              {t('search.clearAll')}
            </Button>
          )}
          {place.text !== undefined && (
            <Offered operation="enrich_dataset" datasetId={datasetId}>
              <Button onClick={() => navigate(routes.enrich(datasetId))}>{t('search.toEnrich')}</Button>
            </Offered>
          )}
        </>
      }
    />
  );
}

/** Whether weak matches are hidden. */
function isCutOff({ text, within, beyond }: Place): boolean {
  return text !== undefined && within !== 'words' && !beyond;
}

function GoBeyond({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  return (
    <Button onClick={() => navigate(routes.explore(datasetId, { ...place, beyond: true }))} data-testid="go-beyond">
      {t('search.beyond')}
    </Button>
  );
}

function ClearSearch({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  return (
    <Button onClick={() => navigate(routes.explore(datasetId, withoutSearch(place)))}>
      {place.text === undefined ? t('explore.clearAnchor') : t('search.clear')}
    </Button>
  );
}
