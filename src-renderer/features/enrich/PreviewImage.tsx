import { useTranslation } from 'react-i18next';
import { ImageView } from '../../components/ImageView.tsx';
import { ImageBoxes } from './ImageBoxes.tsx';
import { ModelOutput } from './ModelOutput.tsx';
import styles from './PreviewImage.module.css';
import type { PreviewItem, PreviewOutput } from './preview.store.ts';

/** Aspect ratio of the box around every image. */
const BOX_RATIO = 4 / 3;

interface PreviewImageProps {
  item: PreviewItem;
  output: PreviewOutput | undefined;
  sample: readonly PreviewItem[];
}

/** One image of the sample with a model's output. */
export function PreviewImage({ item, output, sample }: PreviewImageProps) {
  const { t } = useTranslation();
  const { width, height } = item;
  const known = width > 0 && height > 0;
  const ratio = known ? width / height : BOX_RATIO;
  return (
    <figure className={styles.card} data-testid="preview-item" data-media={item.media_id}>
      <div className={styles.box}>
        <div className={styles.image} style={{ aspectRatio: ratio, width: `${Math.min(1, ratio / BOX_RATIO) * 100}%` }}>
          <ImageView
            fileName={item.file_name}
            originalUri={item.media_uri}
            thumbUri={item.media_thumb_uri}
            widthPx={width}
            heightPx={height}
          />
          {known && output !== undefined && <ImageBoxes output={output} widthPx={width} heightPx={height} />}
        </div>
      </div>
      <figcaption className={styles.output}>
        {output === undefined ? (
          <p className={styles.quiet}>{t('enrich.notSeen')}</p>
        ) : output.failure_reason !== null ? (
          <p className={styles.quiet}>{t('enrich.outputFailed', { reason: output.failure_reason })}</p>
        ) : (
          <ModelOutput output={output} sample={sample} />
        )}
      </figcaption>
    </figure>
  );
}
