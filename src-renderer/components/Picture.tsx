import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../lib/connection.ts';
import { isDecodable } from '../lib/pictures.ts';
import styles from './Picture.module.css';
import { PictureNote } from './PictureNote.tsx';

interface PictureProps {
  fileName: string;
  format?: string;
  originalUri: string;
  /** Empty where there is none of the whole picture. */
  thumbUri: string;
  widthPx: number;
  heightPx: number;
}

/**
 * A whole picture in its box: the thumbnail at once, the original over it when it is there. What browsers cannot decode stays a thumbnail,
 * with a note that says so.
 */
export function Picture({ fileName, format, originalUri, thumbUri, widthPx, heightPx }: PictureProps) {
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
        <PictureNote testId="picture-note">
          {decodable ? t('item.gone') : t('item.thumbOnly', { format: kind })}
        </PictureNote>
      )}
    </div>
  );
}
