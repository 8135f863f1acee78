import { Crop } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../components/Chip.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { navigate } from '../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useVisualSearch } from '../../lib/visual-search.ts';
import styles from './AnchorChip.module.css';
import { CropDialog } from './CropDialog.tsx';

/** The query image, or a part of it, with a button that clears the search. */
export function QueryImageChip({ datasetId, anchor, place }: { datasetId: string; anchor: string; place: Place }) {
  const { t } = useTranslation();
  const { data: image } = useOperation(
    'get_query_image',
    { dataset_id: datasetId, anchor_media_id: anchor },
    { retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  const { files, byFile } = useVisualSearch();
  const file = files.get(anchor);
  const [cropping, setCropping] = useState(false);
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
      {file !== undefined && (
        <IconButton
          label={t('visual.crop')}
          icon={<Crop size={14} />}
          onClick={() => setCropping(true)}
          data-testid="crop-query-image"
        />
      )}
      {cropping && file !== undefined && (
        <CropDialog
          file={file}
          onPick={(part) => {
            setCropping(false);
            void byFile(datasetId, file, place, part);
          }}
          onClose={() => setCropping(false)}
        />
      )}
    </Chip>
  );
}
