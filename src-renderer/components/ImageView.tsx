import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../lib/connection.ts';
import { isDecodable } from '../lib/images.ts';
import { ImageNote } from './ImageNote.tsx';
import styles from './ImageView.module.css';

interface ImageViewProps {
  fileName: string;
  format?: string;
  originalUri: string;
  /** Address of the original. Empty when the whole image has none. */
  thumbUri: string;
  widthPx: number;
  heightPx: number;
}

/**
 * A whole image in its box: first the thumbnail, then the original on top of it once it is loaded.
 * Formats that the browser cannot decode stay thumbnails, with a note.
 */
export function ImageView({ fileName, format, originalUri, thumbUri, widthPx, heightPx }: ImageViewProps) {
  const { t } = useTranslation();
  const returns = useConnection((connection) => connection.returns);
  const [state, setState] = useState<{ uri: string; is: 'loaded' | 'failed'; returns: number } | null>(null);
  const decodable = isDecodable(fileName, format);
  const isKnown = state?.uri === originalUri && (state.is === 'loaded' || state.returns === returns);
  const is = isKnown ? state.is : 'loading';
  const kind = (format ?? fileName.slice(fileName.lastIndexOf('.') + 1)).toUpperCase();
  return (
    <div className={styles.box}>
      {is !== 'loaded' && thumbUri !== '' && (
        <img
          className={styles.thumb}
          src={thumbUri}
          alt={fileName}
          width={widthPx}
          height={heightPx}
          draggable={false}
        />
      )}
      {decodable && is !== 'failed' && (
        <img
          className={styles.original}
          src={originalUri}
          alt={is === 'loaded' ? fileName : ''}
          decoding="async"
          draggable={false}
          onLoad={() => setState({ uri: originalUri, is: 'loaded', returns })}
          onError={() => setState({ uri: originalUri, is: 'failed', returns })}
        />
      )}
      {(!decodable || is === 'failed') && (
        <ImageNote testId="image-note">{decodable ? t('item.gone') : t('item.thumbOnly', { format: kind })}</ImageNote>
      )}
    </div>
  );
}
