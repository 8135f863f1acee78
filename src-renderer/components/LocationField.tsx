import { useCallback, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LocationKind, locationKind } from '../lib/media-location.ts';
import { Button } from './Button.tsx';
import { FolderBrowser } from './FolderBrowser.tsx';
import styles from './Form.module.css';
import { PathInput } from './PathInput.tsx';

interface LocationFieldProps {
  location: string;
  error: string | undefined;
  /** `folder`: a local folder only. `any`: also object storage and lists. `models`: a model folder or a Parquet file. */
  takes: 'folder' | 'any' | 'models';
  testId: string;
  onChange(location: string): void;
}

const LABEL = { folder: 'source.folder', any: 'source.location', models: 'models.location' } as const;
const PLACEHOLDER = {
  folder: 'source.folderPlaceholder',
  any: 'source.locationPlaceholder',
  models: 'models.locationPlaceholder',
} as const;

function kindOf(takes: LocationFieldProps['takes'], location: string): LocationKind {
  if (takes === 'any') return locationKind(location);
  return takes === 'models' && /\.parquet$/i.test(location.trim()) ? 'list' : 'folder';
}

/** The location of images or models: a folder, chosen in the system's dialog (desktop) or a folder browser, or an address or list. */
export function LocationField({ location, error, takes, testId, onChange }: LocationFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const bridge = window.vitrine;
  const kind = kindOf(takes, location);
  // Folder that the browser lists. Updated when the path is complete, not on every key.
  const [listed, setListed] = useState(location);
  const go = (next: string) => {
    onChange(next);
    setListed(next);
  };
  // Only if the user has not typed and is not typing: the default must not overwrite a pasted path.
  const home = useRef('');
  const onHome = useCallback(
    (path: string) => {
      home.current = path;
      if (location !== '' || document.activeElement?.id === id) return;
      onChange(path);
      setListed(path);
    },
    [location, onChange, id],
  );
  const choose = async () => {
    const chosen = await bridge?.chooseFolder();
    if (typeof chosen === 'string') go(chosen);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t(LABEL[takes])}</label>
      <PathInput
        id={id}
        path={location}
        invalid={error !== undefined}
        placeholder={t(PLACEHOLDER[takes])}
        testId={testId}
        listable={bridge === undefined && kind === 'folder'}
        onType={onChange}
        onGo={(path) => (kind === 'folder' ? go(path === '' ? home.current : path) : onChange(path))}
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
        <p className={styles.explained}>{t(takes === 'models' ? 'models.aboutEmbeddings' : `source.about.${kind}`)}</p>
      ) : (
        bridge === undefined && (
          <FolderBrowser
            path={listed}
            quiet={error !== undefined}
            counted={takes !== 'models'}
            onGo={go}
            onHome={onHome}
          />
        )
      )}
      {takes !== 'folder' && kind === 'folder' && (
        <p className={styles.hint}>{t(takes === 'models' ? 'models.aboutFolder' : 'source.about.folder')}</p>
      )}
    </div>
  );
}
