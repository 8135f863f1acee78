import { useRef, useState } from 'react';
import styles from './ItemTable.module.css';

interface ValueEditorProps {
  label: string;
  initial: string;
  /** Choices of a field that has only these; else any text can be entered. */
  options?: readonly string[];
  isNumber?: boolean;
  /** Called with the text that was entered, without spaces around it. */
  onSave(text: string): void;
  onClose(): void;
}

/** Edits a value in its cell: Enter or leaving the cell saves, Esc keeps the old value. */
export function ValueEditor({ label, initial, options, isNumber = false, onSave, onClose }: ValueEditorProps) {
  const [text, setText] = useState(initial);
  const isDone = useRef(false);
  const finish = (save: boolean, value = text) => {
    if (isDone.current) return;
    isDone.current = true;
    if (save && value.trim() !== initial.trim()) onSave(value.trim());
    onClose();
  };
  const focused = (element: HTMLInputElement | HTMLSelectElement | null) => {
    if (element !== null && document.activeElement !== element) element.focus();
  };
  if (options !== undefined) {
    return (
      <select
        ref={focused}
        className={styles.value}
        aria-label={label}
        value={text}
        onChange={(event) => finish(true, event.target.value)}
        onBlur={() => finish(false)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') finish(false);
        }}
        data-testid="value-editor"
      >
        {['', ...options].map((option) => (
          <option key={option} value={option}>
            {option === '' ? '—' : option}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      ref={focused}
      className={styles.value}
      aria-label={label}
      inputMode={isNumber ? 'decimal' : 'text'}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') finish(true);
        else if (event.key === 'Escape') finish(false);
      }}
      data-testid="value-editor"
    />
  );
}
