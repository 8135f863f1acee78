import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { ImageNote } from '../../components/ImageNote.tsx';
import styles from './VideoView.module.css';

interface VideoViewProps {
  video: NonNullable<Image['video']>;
  /** Shown until the video is loaded, and instead of a video that cannot be played. */
  posterUri: string;
  /** Aspect ratio of its frames (width / height). */
  ratio: number;
}

/** The video of a frame, starting at the frame's time. */
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
          // Browsers refuse to play without a user action, as after a reload. The user can then use the controls.
          currentTarget.play().catch(() => currentTarget.pause());
        }}
        onError={() => setFailed(true)}
        data-testid="video"
      />
    </div>
  );
}
