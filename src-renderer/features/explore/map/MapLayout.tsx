import { Map as MapIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/Button.tsx';
import { Offered } from '../../../components/Offered.tsx';
import { QueryError } from '../../../components/QueryError.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { StateMessage } from '../../../components/StateMessage.tsx';
import { isSearch } from '../../../lib/explore-source.ts';
import type { Place } from '../../../lib/routes.ts';
import { SearchRefused } from '../NothingFound.tsx';
import { MapStage } from './MapStage.tsx';
import { useMap } from './use-map.ts';
import { useMapComputation } from './use-map-computation.ts';
import { WHOLE } from './use-map-window.ts';

/** The map, in which similar items are near each other, or its state while it does not exist. */
export function MapLayout({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useMap(datasetId, place, WHOLE);
  const computation = useMapComputation(datasetId);
  if (error !== null && data === undefined) {
    if (isSearch(place) && !error.transient) {
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
        title={computation.isRunning ? t('map.computingTitle') : t('map.noneTitle')}
        text={computation.error ?? t('map.noneText')}
        actions={
          <Offered operation="lay_out_map" datasetId={datasetId}>
            <Button disabled={computation.isRunning} onClick={computation.start} data-testid="lay-out-map">
              {computation.isRunning ? t('map.computing') : t('map.compute')}
            </Button>
          </Offered>
        }
      />
    );
  }
  return <MapStage key={data.map_id} datasetId={datasetId} place={place} mapId={data.map_id} whole={data} />;
}
