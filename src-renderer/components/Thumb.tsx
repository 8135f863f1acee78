import { ImageOff } from 'lucide-react';
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { useConnection } from '../lib/connection.ts';
import { loadThumbnail } from '../lib/load-thumbnail.ts';
import styles from './Thumb.module.css';

interface ThumbProps {
  src: string;
  alt?: string;
  /** `contain` shows the whole image; `cover` fills the box. */
  fit?: 'cover' | 'contain';
  className?: string | undefined;
  /** Leaves the order of loading to the browser: images in view first, others when they are near. For pages that are not virtual. */
  lazy?: boolean;
}

/** A thumbnail that fills its box. Shows a neutral mark when it cannot be loaded. */
export function Thumb({ src, alt = '', fit = 'cover', className, lazy = false }: ThumbProps) {
  const returns = useConnection((state) => state.returns);
  const [failed, setFailed] = useState<{ src: string; returns: number } | null>(null);
  if (src === '' || (failed?.src === src && failed.returns === returns)) {
    return (
      <span className={`${styles.missing} ${className ?? ''}`}>
        <ImageOff size={16} strokeWidth={1.5} aria-hidden="true" />
      </span>
    );
  }
  const image = {
    className: `${styles.thumb} ${styles[fit]} ${className ?? ''}`,
    src,
    alt,
    decoding: 'async',
    draggable: false,
    onError: () => setFailed({ src, returns }),
  } as const;
  return lazy ? <img loading="lazy" {...image} alt={alt} /> : <LoadedImage {...image} />;
}

/** An image that loads only while it is mounted: browsers otherwise continue to load removed images and keep their parents in memory. */
function LoadedImage({ src, alt, ...rest }: ComponentProps<'img'> & { src: string; alt: string }) {
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => (image.current === null ? undefined : loadThumbnail(image.current, src)), [src]);
  useLayoutEffect(() => {
    const element = image.current;
    return () => element?.removeAttribute('src');
  }, []);
  return <img ref={image} alt={alt} {...rest} />;
}
