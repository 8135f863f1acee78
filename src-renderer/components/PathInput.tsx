import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Form.module.css';
import { IconButton } from './IconButton.tsx';
import row from './PathInput.module.css';

interface PathInputProps {
  id: string;
  path: string;
  invalid: boolean;
  placeholder: string;
  testId: string;
  /** Whether the path can be listed below. */
  listable: boolean;
  onType(path: string): void;
  /** The path is complete: list it. */
  onGo(path: string): void;
  children?: ReactNode;
}

export function PathInput({
  id,
  path,
  invalid,
  placeholder,
  testId,
  listable,
  onType,
  onGo,
  children,
}: PathInputProps) {
  const { t } = useTranslation();
  return (
    <div className={row.row}>
      <input
        id={id}
        className={styles.input}
        value={path}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        aria-invalid={invalid}
        aria-describedby={`${id}-error`}
        data-testid={testId}
        onChange={(event) => onType(event.target.value)}
        onBlur={() => onGo(path)}
        onKeyDown={(event) => {
          // Enter opens the folder; the form is sent by its button alone, so that a half-typed path starts nothing.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onGo(path);
        }}
      />
      {listable && (
        <IconButton
          label={t('source.go')}
          icon={<ArrowRight size={16} />}
          className={row.go ?? ''}
          onClick={() => onGo(path)}
        />
      )}
      {children}
    </div>
  );
}
