import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { navigate } from '../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './AnchorChip.module.css';

/** The image that was searched with and is no item, or the part of it, and the way out of the search. */
export function QueryImageChip({ datasetId, anchor, place }: { datasetId: string; anchor: string; place: Place }) {
  const { t } = useTranslation();
  const { data: image } = useOperation(
    'get_query_image',
    { dataset_id: datasetId, anchor_media_id: anchor },
    { retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  const name = image && (image.bounding_box === null ? image.file_name : t('visual.partOf', { name: image.file_name }));
  return (
    <Chip
      kind={t('explore.similarTo')}
      removeLabel={t('explore.clearAnchor')}
      onRemove={() => navigate(routes.explore(datasetId, withoutSearch(place)))}
      escapes
      testId="query-image-chip"
      removeTestId="clear-anchor"
    >
      {image !== undefined && (
        <span className={styles.image} title={name}>
          <Thumb src={image.thumbnail} />
        </span>
      )}
      <span className={styles.name}>{name ?? t('visual.image')}</span>
    </Chip>
  );
}
