import { Switch as Primitive } from 'radix-ui';
import { useId } from 'react';
import styles from './Switch.module.css';

interface SwitchProps {
  label: string;
  /** What it means. */
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
  testId?: string;
}

/** On or off, with its name and meaning beside it. */
export function Switch({ label, hint, checked, disabled = false, onChange, testId }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <Primitive.Root
        id={id}
        className={styles.track}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        data-testid={testId}
      >
        <Primitive.Thumb className={styles.thumb} />
      </Primitive.Root>
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
