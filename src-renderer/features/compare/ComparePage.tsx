import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { ZoomView } from '../../components/ZoomView.tsx';
import { formatBytes } from '../../lib/format.ts';
import { navigate } from '../../lib/location.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useZoom, type Zoom } from '../../lib/zoom.ts';
import styles from './ComparePage.module.css';

/** Two to four images side by side with synchronised zoom. */
export function ComparePage({ datasetId, imageIds }: { datasetId: string; imageIds: readonly string[] }) {
  const { t } = useTranslation();
  const place = usePlace();
  const zoom = useZoom(imageIds.join());
  return (
    <Page bar={<Bar title={t('compare.title', { count: imageIds.length })} back={routes.explore(datasetId, place)} />}>
      <div className={styles.images} data-count={imageIds.length} data-testid="compare">
        {imageIds.map((imageId, nth) => (
          <Compared key={imageId} datasetId={datasetId} imageId={imageId} zoom={zoom} hasKeys={nth === 0} />
        ))}
      </div>
    </Page>
  );
}

interface ComparedProps {
  datasetId: string;
  imageId: string;
  zoom: Zoom;
  hasKeys: boolean;
}

function Compared({ datasetId, imageId, zoom, hasKeys }: ComparedProps) {
  const { t } = useTranslation();
  const {
    data: image,
    error,
    refetch,
  } = useOperation('get_dataset_image', { dataset_id: datasetId, image_id: imageId });
  if (error !== null && image === undefined) {
    return (
      <section className={styles.compared}>
        <QueryError error={error} onRetry={() => void refetch()} />
      </section>
    );
  }
  return (
    <section className={styles.compared} aria-label={image?.file_name ?? t('common.loading')}>
      <ZoomView image={image} thumbUri="" zoom={zoom} hasKeys={hasKeys} />
      {image !== undefined && (
        <footer className={styles.facts}>
          <button
            type="button"
            className={styles.name}
            onClick={() => navigate(routes.item(datasetId, imageId))}
            title={image.file_path}
          >
            {image.file_name}
          </button>
          <span>
            {image.width} × {image.height}
          </span>
          <span>{formatBytes(image.size_bytes)}</span>
          <span>{image.format.toUpperCase()}</span>
          <span className={styles.labels}>{image.labels.join(', ')}</span>
        </footer>
      )}
    </section>
  );
}
