import type { KeyboardEvent } from 'react';
import styles from './NameInput.module.css';

interface NameInputProps {
  label: string;
  name: string;
  /** Shown while the field is empty. */
  automatic: string | undefined;
  /** In a line of text, not over a tile. */
  inline?: boolean;
  /** Called once: with the new name, or undefined if it stays. `byKey`: no other element takes the focus. */
  onDone(name: string | undefined, byKey: boolean): void;
}

/** A field in place of a name. Enter and leaving it keep the change, Esc reverts it. */
export function NameInput({ label, name, automatic, inline = false, onDone }: NameInputProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Grids and pages have keys of their own.
    event.stopPropagation();
    if (event.key === 'Escape') event.currentTarget.value = name;
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <input
      className={inline ? `${styles.input} ${styles.inline}` : styles.input}
      aria-label={label}
      defaultValue={name}
      placeholder={automatic}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      data-testid="cluster-name"
      ref={(field) => {
        field?.focus();
        field?.select();
      }}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => event.stopPropagation()}
      onBlur={(event) => {
        const next = event.currentTarget.value.trim();
        onDone(next === name ? undefined : next, event.relatedTarget === null);
      }}
    />
  );
}
