import { Film, Images, SquareDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ExploredType } from '../../../src-main/contract/schemas/explore.ts';
import { Segmented } from '../../components/Segmented.tsx';
import { objectConfidence } from '../../lib/filters.ts';
import { useLabels } from '../../lib/labels.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
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
  const go = useViewChange(dataset.id, place, dataset.n_objects > 0);
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
 * Lists another type (of objects those with the confidence that item pages show, too) and keeps the parts of the query that apply to it: text that can be compared with the type, and
 * labels that the type has.
 */
function useViewChange(datasetId: string, place: Place, hasObjects: boolean): (type: ExploredType) => void {
  const other = place.type === 'OBJECTS' ? 'IMAGES' : 'OBJECTS';
  const others = useLabels(datasetId, other, place.labels.length > 0);
  const objects = useTextSearch(datasetId, 'OBJECTS');
  const minConfidence = usePreferences((state) => state.minConfidence);
  const { data: facets } = useOperation(
    'get_facets',
    { dataset_id: datasetId, entity_type: 'OBJECTS' },
    { enabled: hasObjects, staleTime: Number.POSITIVE_INFINITY },
  );
  // Objects that models are unsure of would outnumber those that people annotated.
  const isPredicted = facets?.labels_have_confidence === true;
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
        filters: same ? place.filters : type === 'OBJECTS' && isPredicted ? [objectConfidence(minConfidence)] : [],
        flat: place.flat,
        map: type === 'VIDEOS' ? undefined : place.map,
        descending: place.descending,
        sortField: place.sortField,
        table: place.table,
        labelMode: type === 'OBJECTS' && place.labelMode === 'all' ? 'any' : place.labelMode,
      }),
    );
  };
}
