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
  /** Whether the folder at the path can be listed. */
  listable: boolean;
  onType(path: string): void;
  /** Called when the path is complete and its folder should be listed. */
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
          // Enter opens the folder. Only the button submits the form, so that an incomplete path starts nothing.
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
