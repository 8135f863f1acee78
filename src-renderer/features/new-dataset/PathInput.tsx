import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/IconButton.tsx';
import styles from './NewDatasetDialog.module.css';
import row from './PathInput.module.css';

interface PathInputProps {
  id: string;
  path: string;
  invalid: boolean;
  onType(path: string): void;
  /** The path is complete: list it. */
  onGo(path: string): void;
  children: ReactNode;
}

export function PathInput({ id, path, invalid, onType, onGo, children }: PathInputProps) {
  const { t } = useTranslation();
  return (
    <div className={row.row}>
      <input
        id={id}
        className={styles.input}
        value={path}
        spellCheck={false}
        autoComplete="off"
        placeholder={t('newDataset.folderPlaceholder')}
        aria-invalid={invalid}
        aria-describedby={`${id}-error`}
        data-testid="folder-path"
        onChange={(event) => onType(event.target.value)}
        onBlur={() => onGo(path)}
      />
      {window.vitrine === undefined && (
        <IconButton
          label={t('newDataset.go')}
          icon={<ArrowRight size={16} />}
          className={row.go ?? ''}
          onClick={() => onGo(path)}
        />
      )}
      {children}
    </div>
  );
}
