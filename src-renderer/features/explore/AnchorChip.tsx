import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { navigate, useHashPath } from '../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './AnchorChip.module.css';

interface AnchorChipProps {
  datasetId: string;
  /** Id of the query image or object. */
  anchor: string;
  place: Place;
}

/** The image or object of a similarity search, with a button that clears the search. */
export function AnchorChip({ datasetId, anchor, place }: AnchorChipProps) {
  const { t } = useTranslation();
  const imageId = place.of ?? anchor;
  const { data: image } = useOperation(
    'get_dataset_image',
    { dataset_id: datasetId, image_id: imageId },
    { retry: false },
  );
  const object = image?.objects.find((candidate) => candidate.object_id === anchor);
  const name = object?.label ?? image?.file_name;
  return (
    <Chip
      kind={t('explore.similarTo')}
      removeLabel={t('explore.clearAnchor')}
      onRemove={() => navigate(routes.explore(datasetId, withoutSearch(place)))}
      escapes
      testId="anchor-chip"
      removeTestId="clear-anchor"
    >
      <a
        className={styles.image}
        href={useHashPath.hrefs(
          routes.item(datasetId, imageId, { threshold: place.threshold, object: object?.object_id }),
        )}
        title={name}
        aria-label={name ?? t('explore.similarTo')}
      >
        <Thumb src={(object ?? image)?.media_thumb_uri ?? ''} />
      </a>
      <span className={styles.name}>{name}</span>
    </Chip>
  );
}
