import { Switch as Primitive } from 'radix-ui';
import { useId } from 'react';
import styles from './Switch.module.css';

interface SwitchTrackProps {
  id: string;
  checked: boolean;
  disabled?: boolean;
  /** Id of the element that describes the switch. */
  describedBy?: string | undefined;
  onChange(checked: boolean): void;
  testId?: string | undefined;
}

/** An on/off switch whose name is rendered elsewhere. */
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
  /** Description below the name. */
  hint?: string;
}

/** An on/off switch with its name and description. */
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
