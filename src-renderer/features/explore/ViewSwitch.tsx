import { Film, Images, SquareDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ExploredType } from '../../../src-main/contract/schemas/explore.ts';
import { Segmented } from '../../components/Segmented.tsx';
import { useLabels } from '../../lib/labels.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useTextSearch } from './use-text-search.ts';

const ICONS: Record<ExploredType, ReactNode> = {
  IMAGES: <Images size={14} />,
  OBJECTS: <SquareDashed size={14} />,
  VIDEOS: <Film size={14} />,
};

/** Switches between images, objects and videos. Renders nothing if the dataset has only images. */
export function ViewSwitch({ dataset, place }: { dataset: Dataset; place: Place }) {
  const { t } = useTranslation();
  const types: ExploredType[] = ['IMAGES'];
  if (dataset.n_objects > 0) types.push('OBJECTS');
  if (dataset.n_videos > 0) types.push('VIDEOS');
  const go = useViewChange(dataset.id, place);
  if (types.length === 1) return null;
  return (
    <Segmented
      label={t('explore.view')}
      value={place.type}
      narrow
      options={types.map((type) => ({ value: type, label: t(`explore.views.${type}`), icon: ICONS[type] }))}
      onChange={go}
      testId="view-switch"
    />
  );
}

/**
 * Lists another type and keeps the parts of the query that apply to it: text that can be compared with the type, and
 * labels that the type has.
 */
function useViewChange(datasetId: string, place: Place): (type: ExploredType) => void {
  const other = place.type === 'OBJECTS' ? 'IMAGES' : 'OBJECTS';
  const others = useLabels(datasetId, other, place.labels.length > 0);
  const objects = useTextSearch(datasetId, 'OBJECTS');
  return (type) => {
    const same = (type === 'OBJECTS') === (place.type === 'OBJECTS');
    const labels = same ? place.labels : place.labels.filter((label) => others?.some(({ name }) => name === label));
    const spoken = type !== 'OBJECTS' || objects?.includes(place.within) === true;
    navigate(
      routes.explore(datasetId, {
        threshold: place.threshold,
        type,
        anchor: place.anchor,
        uploaded: place.uploaded,
        text: spoken ? place.text : undefined,
        within: place.within,
        beyond: place.beyond,
        labels,
        filters: same ? place.filters : [],
        flat: place.flat,
        map: type === 'VIDEOS' ? undefined : place.map,
        descending: place.descending,
        labelMode: type === 'OBJECTS' && place.labelMode === 'all' ? 'any' : place.labelMode,
      }),
    );
  };
}
