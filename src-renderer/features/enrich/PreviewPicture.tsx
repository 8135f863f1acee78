import { useTranslation } from 'react-i18next';
import { Picture } from '../../components/Picture.tsx';
import { PictureBoxes } from './PictureBoxes.tsx';
import styles from './PreviewPicture.module.css';
import type { PreviewItem, PreviewOutput } from './preview.store.ts';
import { Said } from './Said.tsx';

/** Width by height of the box that every picture lies in. */
const BOX_RATIO = 4 / 3;

interface PreviewPictureProps {
  item: PreviewItem;
  output: PreviewOutput | undefined;
  sample: readonly PreviewItem[];
}

/** One picture of the sample, with what a model says of it. */
export function PreviewPicture({ item, output, sample }: PreviewPictureProps) {
  const { t } = useTranslation();
  const { width, height } = item;
  const known = width > 0 && height > 0;
  const ratio = known ? width / height : BOX_RATIO;
  return (
    <figure className={styles.card} data-testid="preview-item" data-media={item.media_id}>
      <div className={styles.box}>
        <div
          className={styles.picture}
          style={{ aspectRatio: ratio, width: `${Math.min(1, ratio / BOX_RATIO) * 100}%` }}
        >
          <Picture
            fileName={item.file_name}
            originalUri={item.media_uri}
            thumbUri={item.media_thumb_uri}
            widthPx={width}
            heightPx={height}
          />
          {known && output !== undefined && <PictureBoxes output={output} widthPx={width} heightPx={height} />}
        </div>
      </div>
      <figcaption className={styles.said}>
        {output === undefined ? (
          <p className={styles.quiet}>{t('enrich.notSeen')}</p>
        ) : output.failure_reason !== null ? (
          <p className={styles.quiet}>{t('enrich.outputFailed', { reason: output.failure_reason })}</p>
        ) : (
          <Said output={output} sample={sample} />
        )}
      </figcaption>
    </figure>
  );
}
