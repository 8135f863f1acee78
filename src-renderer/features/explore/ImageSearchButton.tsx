import { ImageUp } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Place } from '../../lib/routes.ts';
import { onlyImageOf, useVisualSearch } from '../../lib/visual-search.ts';
import styles from './SearchBox.module.css';

/** Searches with an image file, chosen here or pasted anywhere on the page. */
export function ImageSearchButton({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const byFile = useVisualSearch((search) => search.byFile);
  const picker = useRef<HTMLInputElement>(null);
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const image = onlyImageOf(event.clipboardData?.files);
    if (image === undefined) return;
    event.preventDefault();
    void byFile(datasetId, image, place);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event);
    window.addEventListener('paste', listener);
    return () => window.removeEventListener('paste', listener);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.clear}
        aria-label={t('visual.choose')}
        title={t('visual.chooseHint')}
        data-testid="search-by-image"
        onClick={() => picker.current?.click()}
      >
        <ImageUp size={14} />
      </button>
      <input
        ref={picker}
        type="file"
        accept="image/*,.heic,.heif,.jp2"
        hidden
        data-testid="query-image-file"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Without the reset, the same file could not be chosen again.
          currentTarget.value = '';
          if (file !== undefined) void byFile(datasetId, file, place);
        }}
      />
    </>
  );
}
