import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DuplicateGroup, DuplicateItem } from '../../../src-main/contract/schemas/duplicates.ts';
import { Button } from '../../components/Button.tsx';
import { Key } from '../../components/Key.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { ZoomView } from '../../components/ZoomView.tsx';
import { formatBytes } from '../../lib/format.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { useZoom, type Zoom } from '../../lib/zoom.ts';
import styles from './GroupStage.module.css';

interface GroupStageProps {
  datasetId: string;
  group: DuplicateGroup;
  /** Media id of the copy to keep. */
  keptId: string;
  onKeep(mediaId: string): void;
}

/**
 * The copy to keep beside another one, zoomed together, or their difference. ← and → choose the copy to keep; ↑ and ↓ choose the copy
 * beside it.
 */
export function GroupStage({ datasetId, group, keptId, onKeep }: GroupStageProps) {
  const { t } = useTranslation();
  const { items, cluster_id } = group;
  const [besideId, setBesideId] = useState('');
  const [isDifference, setIsDifference] = useState(false);
  const zoom = useZoom(cluster_id);
  const kept = items.find(({ media_id }) => media_id === keptId) ?? items[0];
  const others = items.filter((item) => item !== kept);
  const beside = others.find(({ media_id }) => media_id === besideId) ?? others[0];

  const step = (list: readonly DuplicateItem[], from: DuplicateItem | undefined, by: number) =>
    from && list[(list.indexOf(from) + by + list.length) % list.length];
  const keep = (by: number) => {
    const next = step(items, kept, by);
    if (next) onKeep(next.media_id);
  };
  const show = (by: number) => setBesideId(step(others, beside, by)?.media_id ?? '');
  useShortcut('ArrowLeft', () => keep(-1));
  useShortcut('ArrowRight', () => keep(1));
  useShortcut('ArrowUp', () => show(-1));
  useShortcut('ArrowDown', () => show(1));
  useShortcut('d', () => setIsDifference(!isDifference));
  if (!kept || !beside) return null;
  return (
    <div className={styles.group}>
      {isDifference ? (
        <div className={styles.difference} data-testid="review-difference">
          <span className={styles.overlay} style={{ '--ratio': kept.width / kept.height } as CSSProperties}>
            <img src={kept.original_uri} alt={kept.file_name} draggable={false} />
            <img src={beside.original_uri} alt={beside.file_name} draggable={false} />
          </span>
          <p className={styles.hint}>{t('review.differenceHint')}</p>
        </div>
      ) : (
        <div className={styles.pair} data-testid="review-pair">
          <Copy datasetId={datasetId} item={kept} zoom={zoom} isKept />
          <Copy datasetId={datasetId} item={beside} zoom={zoom} isKept={false} />
        </div>
      )}
      <div className={styles.strip}>
        {items.length > 2 && (
          <div className={styles.copies} role="radiogroup" aria-label={t('duplicates.keep')}>
            {items.map((item) => (
              <label key={item.media_id} className={styles.copy} data-shown={item === beside} title={item.file_path}>
                <input
                  className="visually-hidden"
                  type="radio"
                  checked={item === kept}
                  onChange={() => onKeep(item.media_id)}
                  aria-label={t('duplicates.keepThis', { name: item.file_name })}
                />
                <Thumb src={item.media_thumb_uri} alt="" fit="contain" />
              </label>
            ))}
          </div>
        )}
        <Button
          kind="quiet"
          title={`${t('review.difference')} (D)`}
          aria-pressed={isDifference}
          onClick={() => setIsDifference(!isDifference)}
          data-testid="toggle-difference"
        >
          {t('review.difference')}
        </Button>
        <Key name="D" />
      </div>
    </div>
  );
}

interface CopyProps {
  datasetId: string;
  item: DuplicateItem;
  zoom: Zoom;
  isKept: boolean;
}

function Copy({ datasetId, item, zoom, isKept }: CopyProps) {
  const { t } = useTranslation();
  const { data: image } = useOperation('get_dataset_image', { dataset_id: datasetId, image_id: item.image_id });
  const percent = Math.floor(item.confidence * 100);
  const similarity = percent === 100 ? t('duplicates.identical') : t('duplicates.similarity', { percent });
  return (
    <figure className={styles.shown} data-kept={isKept}>
      <ZoomView image={image} thumbUri={item.media_thumb_uri} zoom={zoom} hasKeys={isKept} />
      <figcaption className={styles.facts}>
        <strong className={styles.mark} data-testid={isKept ? 'review-kept' : undefined}>
          {isKept ? t('review.keep') : t('review.exclude')}
        </strong>
        <span className={styles.name} title={item.file_path}>
          {item.file_name}
        </span>
        <span>{t('duplicates.size', { width: item.width, height: item.height })}</span>
        <span>{formatBytes(item.size_bytes)}</span>
        <span>{item.format.toUpperCase()}</span>
        {!isKept && <span>{similarity}</span>}
      </figcaption>
    </figure>
  );
}
