import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Key } from '../../components/Key.tsx';
import { useShortcut } from '../../lib/use-shortcut.ts';
import styles from './NameSearch.module.css';

export function NameSearch({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', () => input.current?.focus());
  return (
    <label className={styles.search}>
      <Search size={14} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        value={value}
        placeholder={t('inventory.search')}
        aria-label={t('inventory.search')}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (value === '') input.current?.blur();
          else onChange('');
        }}
      />
      {value === '' && <Key name="/" />}
    </label>
  );
}
