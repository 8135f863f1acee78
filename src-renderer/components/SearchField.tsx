import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useShortcut } from '../lib/use-shortcut.ts';
import { Key } from './Key.tsx';
import styles from './SearchField.module.css';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** Filters the list of a page while typing. `/` focuses it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', () => input.current?.focus());
  return (
    <label className={styles.search}>
      <Search size={14} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        value={value}
        placeholder={label}
        aria-label={label}
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
