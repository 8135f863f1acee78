import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { FolderBrowser } from './FolderBrowser.tsx';
import styles from './NewDatasetDialog.module.css';
import { PathInput } from './PathInput.tsx';

interface FolderFieldProps {
  path: string;
  error: string | undefined;
  onChange(path: string): void;
}

/** The folder to index: through the system's dialog in the desktop app, through a folder browser elsewhere. */
export function FolderField({ path, error, onChange }: FolderFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const bridge = window.vitrine;
  // What the browser lists: follows the path once it is complete, not at every letter.
  const [listed, setListed] = useState(path);
  const go = (next: string) => {
    onChange(next);
    setListed(next);
  };
  const choose = async () => {
    const chosen = await bridge?.chooseFolder();
    if (typeof chosen === 'string') go(chosen);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('newDataset.folder')}</label>
      <PathInput id={id} path={path} invalid={error !== undefined} onType={onChange} onGo={go}>
        {bridge !== undefined && (
          <Button onClick={() => void choose()} data-testid="choose-folder">
            {t('newDataset.chooseFolder')}
          </Button>
        )}
      </PathInput>
      <p id={`${id}-error`} className={styles.error} role="alert" data-testid="source-error">
        {error}
      </p>
      {bridge === undefined && <FolderBrowser path={listed} quiet={error !== undefined} onGo={go} />}
      <p className={styles.hint}>{t('newDataset.folderKept')}</p>
    </div>
  );
}
