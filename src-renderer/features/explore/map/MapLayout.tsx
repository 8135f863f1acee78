import { Map as MapIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/Button.tsx';
import { Offered } from '../../../components/Offered.tsx';
import { QueryError } from '../../../components/QueryError.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { StateMessage } from '../../../components/StateMessage.tsx';
import { isAsked } from '../../../lib/explore-source.ts';
import type { Place } from '../../../lib/routes.ts';
import { SearchRefused } from '../NothingFound.tsx';
import { MapStage } from './MapStage.tsx';
import { useLayingOut } from './use-laying-out.ts';
import { useMap } from './use-map.ts';
import { WHOLE } from './use-map-window.ts';

/** The map, in which similar items are near each other, or its state while it does not exist. */
export function MapLayout({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useMap(datasetId, place, WHOLE);
  const layingOut = useLayingOut(datasetId);
  if (error !== null && data === undefined) {
    if (isAsked(place) && !error.transient) {
      return <SearchRefused datasetId={datasetId} place={place} error={error} />;
    }
    return <QueryError error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton style={{ height: '100%' }} />;
  if (data.map_id === null) {
    return (
      <StateMessage
        testId="no-map"
        icon={<MapIcon size={24} strokeWidth={1.5} />}
        title={layingOut.isRunning ? t('map.computingTitle') : t('map.noneTitle')}
        text={layingOut.error ?? t('map.noneText')}
        actions={
          <Offered operation="lay_out_map" datasetId={datasetId}>
            <Button disabled={layingOut.isRunning} onClick={layingOut.start} data-testid="lay-out-map">
              {layingOut.isRunning ? t('map.computing') : t('map.compute')}
            </Button>
          </Offered>
        }
      />
    );
  }
  return <MapStage key={data.map_id} datasetId={datasetId} place={place} mapId={data.map_id} whole={data} />;
}
