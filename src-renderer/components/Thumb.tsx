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
}

/** A thumbnail that fills its box, whatever its shape; a quiet mark where it cannot be had. */
export function Thumb({ src, alt = '', fit = 'cover', className }: ThumbProps) {
  const returns = useConnection((state) => state.returns);
  const [failed, setFailed] = useState<{ src: string; returns: number } | null>(null);
  if (src === '' || (failed?.src === src && failed.returns === returns)) {
    return (
      <span className={`${styles.missing} ${className ?? ''}`}>
        <ImageOff size={16} strokeWidth={1.5} aria-hidden="true" />
      </span>
    );
  }
  return (
    <LoadedImage
      className={`${styles.thumb} ${styles[fit]} ${className ?? ''}`}
      src={src}
      alt={alt}
      decoding="async"
      draggable={false}
      onError={() => setFailed({ src, returns })}
    />
  );
}

/** An image that is loaded while it is on the page: a browser goes on loading what left it, and keeps all that was around it until then. */
function LoadedImage({ src, alt, ...rest }: ComponentProps<'img'> & { src: string; alt: string }) {
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => (image.current === null ? undefined : loadThumbnail(image.current, src)), [src]);
  useLayoutEffect(() => {
    const element = image.current;
    return () => element?.removeAttribute('src');
  }, []);
  return <img ref={image} alt={alt} {...rest} />;
}
