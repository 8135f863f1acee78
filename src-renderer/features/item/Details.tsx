import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DEFAULT_LABEL_CONFIDENCE, type Image } from '../../../src-main/contract/schemas/image.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import {
  formatBytes,
  formatDateTime,
  formatMeasure,
  formatPlace,
  formatScore,
  formatVideoTime,
} from '../../lib/format.ts';
import { useThreshold } from '../../lib/granularity.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes, THRESHOLDS, usePlace } from '../../lib/routes.ts';
import type { Edits } from '../../lib/use-edits.ts';
import { Annotations } from './Annotations.tsx';
import { Comments } from './Comments.tsx';
import { DesktopFile } from './DesktopFile.tsx';
import styles from './Details.module.css';
import { DetailsSection } from './DetailsSection.tsx';
import { FieldValues } from './FieldValues.tsx';
import { Issues } from './Issues.tsx';
import { ItemEdits } from './ItemEdits.tsx';
import { Tags } from './Tags.tsx';
import type { MarkedObject } from './use-marked-object.ts';
import type { ShownObjects } from './use-shown-objects.ts';

interface DetailsProps {
  image: Image | undefined;
  datasetId: string;
  marking: MarkedObject;
  shown: ShownObjects;
  edits: Edits;
}

/** Details of an image. */
export function Details({ image, datasetId, marking, shown, edits }: DetailsProps) {
  const { t } = useTranslation();
  return (
    <aside className={styles.details} aria-label={t('item.details')} data-testid="item-details">
      {image === undefined ? (
        <Skeleton style={{ height: 240 }} />
      ) : (
        <>
          <Tags image={image} edits={edits} />
          <Comments datasetId={datasetId} imageId={image.image_id} />
          {image.issues.length > 0 && (
            <DetailsSection title={t('issues.title')} testId="item-issues">
              <Issues issues={image.issues} of={image} labels={ownLabels(image)} edits={edits} />
            </DetailsSection>
          )}
          <Annotations image={image} marking={marking} shown={shown} edits={edits} />
          <FieldValues datasetId={datasetId} imageId={image.image_id} />
          <Facts image={image} />
          {image.video !== null && <VideoFacts video={image.video} />}
          {image.exif !== null && <CameraFacts exif={image.exif} />}
          <ClusterLinks image={image} datasetId={datasetId} />
          <Quality image={image} />
          <FileFacts image={image} />
          <ItemEdits datasetId={datasetId} imageId={image.image_id} edits={edits} />
        </>
      )}
    </aside>
  );
}

function ownLabels(image: Image): string[] {
  const shown = image.label_details.filter(
    ({ confidence }) => confidence === null || confidence >= DEFAULT_LABEL_CONFIDENCE,
  );
  return [...new Set(shown.map(({ label }) => label))];
}

function Facts({ image }: { image: Image }) {
  const { t } = useTranslation();
  const megapixels = (image.width * image.height) / 1e6;
  return (
    <DetailsSection title={t('item.facts')}>
      <dl>
        <Row name={t('item.dimensions')}>
          {image.width} × {image.height}
          <span className={styles.aside}>
            {t('item.megapixels', { value: Number(megapixels.toFixed(megapixels < 10 ? 1 : 0)) })}
          </span>
        </Row>
        <Row name={t('item.format')}>{image.format.toUpperCase()}</Row>
        <Row name={t('item.size')}>{formatBytes(image.size_bytes)}</Row>
        {image.pages > 1 && <Row name={t('item.pages')}>{image.pages}</Row>}
        {image.video === null && <Row name={t('item.modified')}>{formatDateTime(image.modified_at)}</Row>}
        {image.uniqueness_score !== null && (
          <Row name={t('item.uniqueness')} hint={t('item.uniquenessHint')}>
            {formatScore(image.uniqueness_score)}
          </Row>
        )}
      </dl>
    </DetailsSection>
  );
}

function VideoFacts({ video }: { video: NonNullable<Image['video']> }) {
  const { t } = useTranslation();
  return (
    <DetailsSection title={t('item.video')} testId="video-facts">
      <dl>
        <Row name={t('item.videoFile')}>
          <span className={styles.long} title={video.video_name}>
            {video.video_name.slice(video.video_name.lastIndexOf('/') + 1)}
          </span>
        </Row>
        <Row name={t('item.frame')}>{formatMeasure(video.frame_number)}</Row>
        <Row name={t('item.time')}>
          {formatVideoTime(video.frame_timestamp)}
          <span className={styles.aside}>{t('item.seconds', { value: video.frame_timestamp })}</span>
        </Row>
      </dl>
      <a className={styles.original} href={video.video_uri} target="_blank" rel="noreferrer">
        {t('item.videoOriginal')}
      </a>
    </DetailsSection>
  );
}

/** Camera metadata of the file, one row per known value. */
function CameraFacts({ exif }: { exif: NonNullable<Image['exif']> }) {
  const { t } = useTranslation();
  const { camera, lens, taken_at, latitude, longitude } = exif;
  const place = latitude === null || longitude === null ? null : formatPlace(latitude, longitude);
  if (camera === null && lens === null && taken_at === null && place === null) return null;
  return (
    <DetailsSection title={t('item.cameraSection')} testId="exif-facts">
      <dl>
        {taken_at !== null && <Row name={t('item.takenAt')}>{formatDateTime(clockOf(taken_at))}</Row>}
        {camera !== null && <Row name={t('item.camera')}>{camera}</Row>}
        {lens !== null && <Row name={t('item.lens')}>{lens}</Row>}
        {place !== null && <Row name={t('item.place')}>{place}</Row>}
      </dl>
    </DetailsSection>
  );
}

/** Local time of the camera, in whatever time zone it was set to. */
function clockOf(takenAt: string): string {
  return takenAt.slice(0, '2026-01-01T00:00:00'.length);
}

function ClusterLinks({ image, datasetId }: { image: Image; datasetId: string }) {
  const { t } = useTranslation();
  const threshold = useThreshold(datasetId, usePlace());
  const levels = t('explore.level', { returnObjects: true });
  if (image.cluster_ids.length === 0) return null;
  return (
    <DetailsSection title={t('item.clusters')}>
      <div className={styles.levels}>
        {THRESHOLDS.map((level) => {
          const clusterId = image.cluster_ids[level];
          return clusterId === undefined ? null : (
            <a
              key={level}
              className={styles.level}
              href={useHashPath.hrefs(routes.cluster(datasetId, clusterId, { threshold: level }))}
              aria-current={level === threshold}
            >
              {levels[level]}
            </a>
          );
        })}
      </div>
    </DetailsSection>
  );
}

function Quality({ image }: { image: Image }) {
  const { t, i18n } = useTranslation();
  const values = Object.entries(image.quality);
  if (values.length === 0) return null;
  const nameOf = (key: string) => {
    const known = `quality.${key}`;
    return i18n.exists(known) ? String(i18n.t(known as 'quality.contrast')) : sentence(key);
  };
  return (
    <DetailsSection title={t('item.quality')}>
      <dl>
        {values.map(([key, value]) => (
          <Row key={key} name={nameOf(key)}>
            {formatMeasure(value)}
          </Row>
        ))}
      </dl>
    </DetailsSection>
  );
}

/** `mean_luma_p99` → `Mean luma p99`: the name of a measure that this list does not have yet. */
function sentence(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function FileFacts({ image }: { image: Image }) {
  const { t } = useTranslation();
  return (
    <DetailsSection title={t('item.file')}>
      <dl>
        <Copyable what={t('item.path')} text={image.file_path} />
        <Copyable what={t('item.hash')} text={image.content_hash} />
        <Copyable what={t('item.id')} text={image.image_id} />
      </dl>
      <DesktopFile
        address={image.original_uri}
        link={(onDrag) => (
          <a
            className={styles.original}
            href={image.original_uri}
            target="_blank"
            rel="noreferrer"
            onDragStart={(event) => {
              if (onDrag === undefined) return;
              event.preventDefault();
              onDrag();
            }}
          >
            {t('item.original')}
          </a>
        )}
      />
    </DetailsSection>
  );
}

function Copyable({ what, text }: { what: string; text: string }) {
  return (
    <div className={styles.copyable}>
      <dt className={styles.name}>{what}</dt>
      <dd>
        <code className={styles.code} title={text}>
          {text}
        </code>
        <CopyButton text={text} what={what} />
      </dd>
    </div>
  );
}

function Row({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className={styles.row} title={hint}>
      <dt className={styles.name}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
