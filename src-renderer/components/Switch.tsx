import { Switch as Primitive } from 'radix-ui';
import { useId } from 'react';
import styles from './Switch.module.css';

interface SwitchTrackProps {
  id: string;
  checked: boolean;
  disabled?: boolean;
  /** Id of what says what it means. */
  describedBy?: string | undefined;
  onChange(checked: boolean): void;
  testId?: string | undefined;
}

/** On or off, where its name stands elsewhere. */
export function SwitchTrack({ id, checked, disabled = false, describedBy, onChange, testId }: SwitchTrackProps) {
  return (
    <Primitive.Root
      id={id}
      className={styles.track}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      aria-describedby={describedBy}
      data-testid={testId}
    >
      <Primitive.Thumb className={styles.thumb} />
    </Primitive.Root>
  );
}

interface SwitchProps extends Omit<SwitchTrackProps, 'id' | 'describedBy'> {
  label: string;
  /** What it means. */
  hint?: string;
}

/** On or off, with its name and meaning beside it. */
export function Switch({ label, hint, ...track }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <SwitchTrack {...track} id={id} describedBy={hint === undefined ? undefined : `${id}-hint`} />
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
