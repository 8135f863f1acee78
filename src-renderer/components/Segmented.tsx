import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Segmented.module.css';
import { Tooltip } from './Tooltip.tsx';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  /** `shortcut`: a key that chooses the option, shown with its name. */
  options: readonly { value: T; label: string; icon?: ReactNode; shortcut?: string }[];
  onChange(value: T): void;
  disabled?: boolean;
  /** Shows icons only: always, or on narrow screens. */
  narrow?: boolean | 'always';
  testId?: string;
}

/** A choice of a few options that are all visible. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled,
  narrow,
  testId,
}: SegmentedProps<T>) {
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
      data-narrow={narrow}
      data-testid={testId}
    >
      {options.map((option) => {
        const item = (
          <ToggleGroup.Item
            key={option.value}
            value={option.value}
            className={styles.item}
            title={narrow === true ? option.label : undefined}
          >
            {option.icon}
            <span>{option.label}</span>
          </ToggleGroup.Item>
        );
        return narrow === 'always' ? (
          <Tooltip key={option.value} text={option.label} shortcut={option.shortcut}>
            {item}
          </Tooltip>
        ) : (
          item
        );
      })}
    </ToggleGroup.Root>
  );
}
