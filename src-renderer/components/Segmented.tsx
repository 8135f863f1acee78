import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Segmented.module.css';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; icon?: ReactNode }[];
  onChange(value: T): void;
  disabled?: boolean;
}

/** One of a few, all in sight. */
export function Segmented<T extends string>({ label, value, options, onChange, disabled }: SegmentedProps<T>) {
  const choose = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <ToggleGroup.Root
      type="single"
      className={styles.group}
      value={value}
      onValueChange={choose}
      aria-label={label}
      disabled={disabled ?? false}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className={styles.item}>
          {option.icon}
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
