import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import styles from './Choice.module.css';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; name: string; about?: string }[];
  onChange(value: T): void;
}

/** A group of options, each with a description. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const id = useId();
  const choose = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <div className={styles.choice}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <RadioGroup.Root className={styles.options} value={value} onValueChange={choose} aria-labelledby={id}>
        {options.map((option) => (
          <label key={option.value} className={styles.option} htmlFor={`${id}-${option.value}`}>
            <RadioGroup.Item
              id={`${id}-${option.value}`}
              value={option.value}
              className={styles.mark}
              data-testid={`choose-${option.value}`}
            >
              <RadioGroup.Indicator className={styles.dot} />
            </RadioGroup.Item>
            <span>
              {option.name}
              {option.about !== undefined && <span className={styles.about}>{option.about}</span>}
            </span>
          </label>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
