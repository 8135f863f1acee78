import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { ImageNote } from '../../components/ImageNote.tsx';
import styles from './VideoView.module.css';

interface VideoViewProps {
  video: NonNullable<Image['video']>;
  /** Shown until the video is there, and instead of one that cannot be played. */
  posterUri: string;
  /** Width over height of its frames. */
  ratio: number;
}

/** The video that a frame is of, from the frame's time on. */
export function VideoView({ video, posterUri, ratio }: VideoViewProps) {
  const { t } = useTranslation();
  const player = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const { frame_timestamp: time, video_uri: uri } = video;
  useEffect(() => {
    const element = player.current;
    if (element !== null && element.readyState > 0) element.currentTime = time;
  }, [time]);
  const size = { '--ratio': ratio } as CSSProperties;
  if (failed) {
    return (
      <div className={styles.frame}>
        <img className={styles.video} style={size} src={posterUri} alt="" />
        <ImageNote testId="video-note">
          {t('item.videoNotPlayed', { codec: video.codec.toUpperCase() })}{' '}
          <a href={uri} target="_blank" rel="noreferrer">
            {t('item.videoOriginal')}
          </a>
        </ImageNote>
      </div>
    );
  }
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/useMediaCaption: a person's own files come without captions */}
      <video
        ref={player}
        key={uri}
        className={styles.video}
        style={size}
        src={uri}
        poster={posterUri}
        controls
        preload="auto"
        aria-label={video.video_name}
        onLoadedMetadata={({ currentTarget }) => {
          currentTarget.currentTime = time;
          // Refused where a person has not asked for it here, as after a reload: the controls are there then.
          currentTarget.play().catch(() => currentTarget.pause());
        }}
        onError={() => setFailed(true)}
        data-testid="video"
      />
    </div>
  );
}
