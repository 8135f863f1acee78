import { useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { locationKind } from '../lib/media-location.ts';
import { Button } from './Button.tsx';
import { FolderBrowser } from './FolderBrowser.tsx';
import styles from './Form.module.css';
import { PathInput } from './PathInput.tsx';

interface LocationFieldProps {
  location: string;
  error: string | undefined;
  /** `folder`: a folder of this machine alone; `any`: also object storage and lists. */
  takes: 'folder' | 'any';
  testId: string;
  onChange(location: string): void;
}

/** Where pictures are: a folder, through the system's dialog in the desktop app and a folder browser elsewhere, or an address or list. */
export function LocationField({ location, error, takes, testId, onChange }: LocationFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const bridge = window.vitrine;
  const kind = takes === 'folder' ? 'folder' : locationKind(location);
  // What the browser lists: follows the path once it is complete, not at every letter.
  const [listed, setListed] = useState(location);
  const go = (next: string) => {
    onChange(next);
    setListed(next);
  };
  // Only where nothing was typed meanwhile.
  const onHome = useCallback(
    (home: string) => {
      if (location !== '') return;
      onChange(home);
      setListed(home);
    },
    [location, onChange],
  );
  const choose = async () => {
    const chosen = await bridge?.chooseFolder();
    if (typeof chosen === 'string') go(chosen);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{takes === 'folder' ? t('source.folder') : t('source.location')}</label>
      <PathInput
        id={id}
        path={location}
        invalid={error !== undefined}
        placeholder={takes === 'folder' ? t('source.folderPlaceholder') : t('source.locationPlaceholder')}
        testId={testId}
        listable={bridge === undefined && kind === 'folder'}
        onType={onChange}
        onGo={(path) => (kind === 'folder' ? go(path) : onChange(path))}
      >
        {bridge !== undefined && (
          <Button onClick={() => void choose()} data-testid="choose-folder">
            {t('source.chooseFolder')}
          </Button>
        )}
      </PathInput>
      <p id={`${id}-error`} className={styles.error} role="alert" data-testid="source-error">
        {error}
      </p>
      {kind !== 'folder' ? (
        <p className={styles.explained}>{t(`source.about.${kind}`)}</p>
      ) : (
        bridge === undefined && <FolderBrowser path={listed} quiet={error !== undefined} onGo={go} onHome={onHome} />
      )}
      {takes === 'any' && kind === 'folder' && <p className={styles.hint}>{t('source.about.folder')}</p>}
    </div>
  );
}
